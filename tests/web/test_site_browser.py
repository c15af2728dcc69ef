"""The site's pages in Chromium: a league watched to its end, what axe finds, a phone's width, no JavaScript."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from arena_command import done, league_file, league_of_two_divisions, pages_port, running
from axe_playwright_python.sync_playwright import Axe

from core_ext import VARIANTS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 200_000
SCHEMES: tuple[tuple[Literal["light", "dark"], dict[str, Any] | None], ...] = (
    ("light", None),
    ("dark", {"runOnly": ["color-contrast"]}),  # nothing else of a page depends on its colours
)
LONG = "a-bot-with-a-name-of-sixty-four-characters-which-is-the-longest1"
PAGES = [
    "/",
    "/leagues",
    "/leagues/spring",
    "/leagues/spring/sangohana/rounds/1",
    "/leagues/rated",
    "/bots",
    f"/bots/{LONG}",
    "/matches",
    *(f"/rules/{variant}" for variant in VARIANTS),
    "/docs/glossary",
    "/docs/protocol",
    "/leagues/nothing",
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a site with two finished leagues, one with ratings; in both a bot has the longest name."""
    folder = tmp_path_factory.mktemp("site")
    file = league_of_two_divisions(folder, rounds=1)
    rated = league_file(folder, ["house:random", "house:greedy"], name="rated", rounds=1, boards=8)
    for one in (file, rated):
        one.write_text(one.read_text().replace('"bot-2"', f'"{LONG}"'))
        done("league", "run", one, cwd=folder)
    with running("web", "--listen", "127.0.0.1:0", cwd=folder) as run:
        yield f"http://127.0.0.1:{pages_port(run)}"


def page_of(browser: "Browser", width: int = 1280, *, scripts: bool = True) -> "Page":
    context = browser.new_context(viewport={"width": width, "height": 800}, java_script_enabled=scripts)
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def test_axe_finds_nothing_in_light_and_dark(browser: "Browser", site: str) -> None:
    page = page_of(browser)
    for path in PAGES:
        page.goto(site + path)
        for scheme, options in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = Axe().run(page, options=options)
            assert not found.violations_count, (path, scheme, found.generate_report())
    page.context.close()


def test_no_page_is_wider_than_a_phone_or_a_window_at_200_percent(browser: "Browser", site: str) -> None:
    for width in (320, 640):
        page = page_of(browser, width)
        for path in PAGES:
            page.goto(site + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)
        page.context.close()


def test_on_a_phone_no_row_of_a_list_or_table_is_cut_off(browser: "Browser", site: str) -> None:
    page = page_of(browser, 320)
    seen = 0
    for path in PAGES:
        page.goto(site + path)
        for table in page.query_selector_all("table.stack"):
            seen += 1
            cut_off = table.evaluate("(one) => one.scrollWidth > one.parentElement.clientWidth")
            assert not cut_off, (path, table.inner_text())
    assert seen >= 10
    page.context.close()


IN_LINES = """(row) => [...row.cells].filter((cell) => cell.innerText.trim()).map((cell) => {
  const { left, right, top } = cell.getBoundingClientRect();
  return { word: getComputedStyle(cell, "::before").content, left, right, top };
})"""
"""Where the cells of a row stand that have text, and the word before each."""


def test_on_a_phone_a_row_of_a_leagues_table_stands_in_lines_each_value_with_its_word(
    browser: "Browser", site: str
) -> None:
    page = page_of(browser, 360)
    page.goto(f"{site}/leagues/rated")
    assert page.locator("table.standings thead").is_hidden()
    rows = page.query_selector_all("table.standings tbody tr")
    assert len(rows) == 2
    for row in rows:
        rank, name, *values = row.evaluate(IN_LINES)
        assert rank["top"] == pytest.approx(name["top"], abs=1)
        assert all(0 <= one["left"] < one["right"] <= 360 for one in (rank, name, *values))
        assert len({one["top"] for one in values}) > 1
        words = [one["word"].strip('" ') for one in values]
        assert words == ["MP", "GP", "W-D-L", "margin", "m-rating", "rating", "best", "tied"]
    page.context.close()


@pytest.mark.parametrize("width", [768, 1280])
def test_a_leagues_table_fits_a_tablet_and_a_window_whole_also_with_a_long_name(
    browser: "Browser", site: str, width: int
) -> None:
    page = page_of(browser, width)
    page.goto(f"{site}/leagues/rated")
    scroller = page.locator(".scroller:has(> table.standings)")
    assert scroller.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    assert page.locator("table.standings td.drawn svg").first.is_visible() == (width == 1280)
    page.context.close()


def test_a_heading_sorts_the_table_in_place_and_the_address_says_so(browser: "Browser", site: str) -> None:
    page = page_of(browser)
    page.goto(f"{site}/leagues/rated")
    page.evaluate("window.loadedOnce = true")
    names = page.locator("table.standings tbody th")
    before = names.all_inner_texts()
    page.get_by_role("link", name="#", exact=True).click()
    page.wait_for_url("**/leagues/rated?sort=-rank")
    assert names.all_inner_texts() == before[::-1]
    assert page.evaluate("document.activeElement.textContent") == "#"
    assert page.evaluate("window.loadedOnce")
    page.context.close()


def test_every_page_is_whole_without_javascript_and_asks_no_other_site(browser: "Browser", site: str) -> None:
    page = page_of(browser, scripts=False)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for path in PAGES:
        page.goto(site + path)
        assert page.inner_text("h1").strip()
    assert all(url.startswith(site) for url in asked)
    page.context.close()


def test_a_league_is_watched_live_from_open_to_finished_without_a_reload(browser: "Browser", tmp_path: Path) -> None:
    file = league_file(tmp_path, ["house:random", "house:greedy"], rounds=3, boards=2)
    done("league", "open", file, cwd=tmp_path)
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        address = f"http://127.0.0.1:{pages_port(node)}"
        node.wait_for("listening on")
        page = page_of(browser)
        page.goto(f"{address}/leagues/spring")
        page.evaluate("window.loadedOnce = true")
        page.wait_for_selector("#live-link:text-is('live')")
        assert "Open" in page.inner_text("#live-state")
        done("league", "start", "spring", cwd=tmp_path)
        page.wait_for_selector("#live-state:has-text('Finished')")
        page.wait_for_selector("table.standings caption:has-text('After 3 rounds')")
        assert page.evaluate("window.loadedOnce")
        assert "12 matches played" in page.inner_text("#live-state")
        page.context.close()


def test_a_page_whose_node_goes_away_says_so_and_goes_on_when_it_is_back(browser: "Browser", tmp_path: Path) -> None:
    done("league", "open", league_file(tmp_path, ["house:random"] * 2, rounds=1, boards=1), cwd=tmp_path)
    with running("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", cwd=tmp_path) as node:
        address = f"http://127.0.0.1:{pages_port(node)}"
        node.wait_for("listening on")
        page = page_of(browser)
        page.goto(f"{address}/leagues/spring")
        page.wait_for_selector("#live-link:text-is('live')")
        node.process.kill()
        node.end()
    page.wait_for_selector("#live-link:has-text('trying again')")
    port = re.search(r"\d+$", address)
    with running("serve", "--listen", "127.0.0.1:0", "--web", f"127.0.0.1:{port[0]}", cwd=tmp_path) as node:
        node.wait_for("listening on")
        done("league", "start", "spring", cwd=tmp_path)
        page.wait_for_selector("#live-state:has-text('Finished')")
    page.context.close()
