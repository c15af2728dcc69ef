"""Matches of a league watched in Chromium to their ends: on a slow line, on one that is cut, while pages restart."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from arena_command import done, league_file, pages_port, running, until
from site_client import SiteUnderTest
from walked_arena import submit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PATIENCE_MS = 200_000
SLOW_LINE = {"offline": False, "latency": 300, "downloadThroughput": 20_000, "uploadThroughput": 20_000}
"""Milliseconds for each answer's first byte, and bytes a second."""
# Takes its time in a league, and none where it qualifies: once so long that browsers are opened, lines cut and pages
# killed meanwhile.
SLOW = """(
    time.sleep(("bot-1" in decision.match.bots) * (12.0 if decision.number in (3, 4) else 0.5)), decision.legal[0]
)[1]"""
OPENED = "#board[data-ready], #viewer[data-ready]"


class Arena:
    """An arena whose pages are a process of its own, which can be killed and started again at its address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open = ExitStack()
        node = running("serve", "--listen", "127.0.0.1:0", "--processors", "6", cwd=folder)
        self._open.enter_context(node).wait_for("listening on")
        self._pages = self._open.enter_context(running("web", "--listen", "127.0.0.1:0", cwd=folder))
        self.port = pages_port(self._pages)
        self.site = SiteUnderTest(self.port)

    def live(self, league: str) -> list[str]:
        """The addresses of the league's matches that can be watched now."""
        return sorted(set(re.findall(r'href="(/live/[^"]+)"', self.site.get(f"/live?league={league}").text)))

    def close(self) -> None:
        """End all of it."""
        self._open.close()

    def kill_pages(self) -> None:
        """Kill the process of the pages."""
        self._pages.process.kill()
        self._pages.end()

    def start_pages(self) -> None:
        """Start it again where it was."""
        self._pages = self._open.enter_context(running("web", "--listen", f"127.0.0.1:{self.port}", cwd=self.folder))
        pages_port(self._pages)

    def is_over(self, match: str) -> bool:
        """Whether a match has its replay."""
        return self.site.get(f"/replays/{match}").status == 200


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory, bubblewrap: None) -> Iterator[Arena]:
    found = Arena(tmp_path_factory.mktemp("watched"))
    yield found
    found.close()


def watching(browser: "Browser", arena: Arena, address: str) -> "Page":
    """A page at this address, that shows at once what it is told."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{arena.port}{address}")
    page.wait_for_selector(OPENED)
    page.evaluate("window.loadedOnce = true")
    hurry(page)
    return page


def hurry(page: "Page") -> None:
    """Have a page show at once what it is told, if it shows a match that is played."""
    if page.locator("#pace").count():
        page.locator("#pace").select_option("0")


def play(arena: Arena, file: Path) -> None:
    """Have the node play a league."""
    done("league", "open", file, cwd=arena.folder)
    done("league", "start", file.stem, cwd=arena.folder)


def match_of(page: "Page") -> str:
    """The match that a page shows."""
    return str(page.locator("#board, #viewer").evaluate("(one) => one.dataset.match ?? one.dataset.replay"))


def check_end(page: "Page", arena: Arena) -> None:
    """That a page shows the last card, the result, and the ways on, and has never been loaded anew."""
    page.wait_for_selector("#board[data-over]")
    assert page.evaluate("window.loadedOnce")
    match = match_of(page)
    shown = re.sub(r"\s+", " ", page.inner_text("#table"))
    result = page.locator("#end .placing li").all_inner_texts()
    assert page.locator(f"#end a[href='/replays/{match}']").is_visible()
    assert page.locator("#end a[href^='/live']").is_visible(), "the way to the next match"
    page.goto(f"http://127.0.0.1:{arena.port}/replays/{match}?at=99999")
    page.wait_for_selector("#viewer[data-ready]")
    assert re.sub(r"\s+", " ", page.inner_text("#table")) == shown
    assert page.locator("#decision .placing li").all_inner_texts() == result
    assert len(result) == 2


def test_a_slow_match_is_seen_to_its_end_on_a_slow_line_on_a_cut_one_and_across_a_restart_of_the_pages(
    browser: "Browser", arena: Arena
) -> None:
    submit(arena.folder, "slow", "Thinks.", SLOW)
    file = league_file(arena.folder, ["slow", "house:random"], name="slow", boards=3, more="options = { months = 1 }\n")
    play(arena, file)
    until(lambda: len(arena.live("slow")) >= 3, "three matches are played")
    matches = arena.live("slow")[:3]
    on_a_slow_line, cut, across_a_restart = (watching(browser, arena, match) for match in matches)
    lines = on_a_slow_line.context.new_cdp_session(on_a_slow_line)
    lines.send("Network.enable")
    lines.send("Network.emulateNetworkConditions", SLOW_LINE)
    cut.wait_for_selector("#board:not([data-at='0'])")
    cut.context.set_offline(True)
    cut.wait_for_selector("#live-link:has-text('trying again')")
    arena.kill_pages()
    across_a_restart.wait_for_selector("#live-link:has-text('trying again')")
    arena.start_pages()
    for match in matches:
        until(lambda match=match: arena.is_over(match.removeprefix("/live/")), "the match is over")  # type: ignore[misc]
    check_end(across_a_restart, arena)
    check_end(on_a_slow_line, arena)
    assert not cut.query_selector("#board[data-over]")
    cut.context.set_offline(False)
    check_end(cut, arena)
    late = watching(browser, arena, matches[0])
    assert late.url.endswith(matches[0].replace("/live/", "/replays/")), "who comes late is led to the replay"
    assert late.locator("h1 b").count() == 2, "with the scores"
    for page in (on_a_slow_line, cut, across_a_restart, late):
        page.context.close()


def test_matches_of_a_fast_league_are_seen_to_their_ends_one_after_the_other(browser: "Browser", arena: Arena) -> None:
    file = league_file(arena.folder, ["house:random"] * 4, name="fast", rounds=900, boards=1)
    found: list[str] = []
    play(arena, file)
    until(lambda: found.extend(arena.live("fast")) or found, "a match is played")
    check_one_after_the_other(watching(browser, arena, found[0]), arena)


def check_one_after_the_other(page: "Page", arena: Arena) -> None:
    seen: set[str] = set()
    while len(seen) < 3:  # the list may still have a match that was just seen
        seen.add(match_of(page))
        if page.query_selector("#board"):
            page.wait_for_selector("#board[data-over]")
            assert len(page.locator("#end .placing li").all_inner_texts()) == 2
            with page.expect_navigation():  # to the next match, or to its replay where that is over by then
                page.locator("#end a[href^='/live']").click()
        else:
            assert page.locator("h1 b").count() == 2
            page.goto(f"http://127.0.0.1:{arena.port}/live")
        if page.query_selector("#boards"):
            page.locator("#boards a[href*='/live/']").first.click()
        page.wait_for_selector(OPENED)
        hurry(page)
    page.context.close()
