"""A match while it is played, in Chromium: what is shown, as it happens, and the replay when it is over."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from shown_matches import RECORDS, SHOWN_FIRST, showing_site

from arena.match.live import LiveMatches
from arena.match.model import MatchSpec
from arena.web.site.boards import of_each_variant
from arena.web.viewer.document import document
from arena.web.viewer.scene import last_step
from core_ext import variant_info

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 200_000


@pytest.fixture
def address() -> Iterator[str]:
    with showing_site() as address:
        yield address


def watched(browser: "Browser", address: str, match: str) -> "Page":
    context = browser.new_context(viewport={"width": 320, "height": 800})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.request.post(f"{address}/play-on/{match}/{SHOWN_FIRST}")
    page.goto(f"{address}/live")
    assert page.title().startswith("Live matches (1)")
    assert page.locator("#boards .small-field .card").count() >= 1
    page.click(f"#boards a[href$='/live/{match}']")
    page.wait_for_selector("#board[data-ready]")
    page.get_by_label("Pace").select_option("at once")
    return page


def test_the_matches_that_are_shown_first_are_of_different_variants() -> None:
    live = LiveMatches()
    with ExitStack() as stack:
        for number, variant in enumerate(("koikoi", "koikoi", "kyogi", "koikoi", "kyogi", "sangohana")):
            names = ("ann", "bo", "cy")[: variant_info(variant).seats[0]]
            spec = MatchSpec(str(number), variant, RECORDS["open"].seed, names, {})
            stack.enter_context(live.playing(spec, None, (), whole=True))
        assert [one.spec.match_id for one in of_each_variant(live)] == ["0", "2", "5", "1", "3", "4"]


def test_an_open_board_is_watched_with_all_hands_to_its_last_card_its_result_and_its_replay(
    browser: "Browser", address: str
) -> None:
    page = watched(browser, address, "open")
    page.evaluate("window.loadedOnce = true")
    assert not page.query_selector(".hand .card-back")
    assert page.get_attribute("#board", "data-at") == str(SHOWN_FIRST)
    page.request.post(f"{address}/play-on/open/3")
    page.wait_for_selector(f"#board[data-at='{SHOWN_FIRST + 3}']")
    assert page.evaluate("window.loadedOnce")
    found = Axe().run(page)
    assert not found.violations_count, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.request.post(f"{address}/play-on/open/1000")
    page.wait_for_selector("#board[data-over]")
    assert page.get_attribute("#board", "data-at") == str(last_step(document(RECORDS["open"])))
    names = [name for _, name in sorted(zip(document(RECORDS["open"])["placing"], RECORDS["open"].names, strict=True))]
    assert [line.split()[0] for line in page.locator("#end .placing li").all_inner_texts()] == names
    assert page.evaluate("window.loadedOnce")
    results = document(RECORDS["open"])["results"]
    scores = " – ".join(f"{name} {result}" for name, result in zip(RECORDS["open"].names, results, strict=True))
    assert page.title() == f"{scores}, こいこい live · Hanafuda arena"
    page.get_by_role("link", name="See the replay").click()
    page.wait_for_selector("#viewer[data-ready]")
    page.context.close()


def test_of_a_match_between_connected_bots_no_hand_is_shown(browser: "Browser", address: str) -> None:
    page = watched(browser, address, "public")
    assert page.query_selector(".hand .card-back")
    assert page.query_selector_all(".hand .card:not(.card-back):not(.shown)") == []
    found = page.request.get(f"{address}/api/v1/live/public").json()["document"]
    assert {tuple(zone[2]) for zone in found["zones"] if zone[0] == "hand"} <= {(), *shown_hands(found)}
    assert all(one is None for step in found["steps"] for one in step["views"][:-1])
    assert all(not step["legal"] for step in found["steps"])
    page.context.close()


def shown_hands(found: dict[str, list[list[tuple[int, ...]]]]) -> set[tuple[int, ...]]:
    return {tuple(zone[2]) for zone in found["zones"] if zone[0] == "shown"}
