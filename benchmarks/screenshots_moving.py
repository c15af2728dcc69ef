"""Screenshots of what moves: a league under way with its matches, and games by hand."""

from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.shots import LARGE_PHONE, PHONE, TABLET, WIDE, Shot, opened, shoot
from core_ext import VARIANTS

_MOVES = 4
_TO_DO = "#game[data-waits=true], #go-on, #moves a"
_SIZES = {"": WIDE, "-tablet": TABLET, "-large-phone": LARGE_PHONE, "-phone": PHONE}


def live(browser: Browser, folder: Path, address: str, league: str) -> None:
    """A league whose matches are being played: its page, the home page, the boards, and a board of each variant."""
    pages = {
        "live-league": (f"/leagues/{league}", "[data-running]"),
        "live-home": ("/", "#boards-title"),
        "live-boards": ("/live", "#boards li"),
    }
    for suffix, size in _SIZES.items():
        for name, (path, sign) in pages.items():
            page = opened(browser, Shot(name, path, size, is_dark=size == LARGE_PHONE))
            page.goto(address + path)
            page.wait_for_selector(sign)
            shoot(page, folder, f"{name}{suffix}")
            page.context.close()
    for variant in VARIANTS:
        for suffix, size in (("", WIDE), ("-phone", PHONE)):
            page = opened(browser, Shot(variant, "/live", size))
            while not page.query_selector(
                "#board[data-ready]"
            ):  # a match that is over meanwhile is shown as its replay
                page.goto(f"{address}/live")
                page.locator(f"#boards a:has-text('{variant},')").last.click()
                page.wait_for_selector("#board[data-ready], #viewer[data-ready], h1:text('Not found')")
            page.get_by_label("Pace").select_option("at once")
            shoot(page, folder, f"live-{variant}{suffix}")
            page.context.close()


def games(browser: Browser, folder: Path, address: str) -> None:
    """A few moves of a game in every variant, a choice with the focus on it, and a game's end."""
    for variant in VARIANTS:
        for shot in (Shot(f"game-{variant}", "/play"), Shot(f"game-{variant}-phone", "/play", PHONE, is_dark=True)):
            page = _begun(browser, address, shot, variant)
            for _ in range(_MOVES):
                _move(page)
            if page.query_selector(".moves .legal button"):
                page.keyboard.press("ArrowRight")
            shoot(page, folder, shot.name)
            _leave(page)
    for shot in (
        Shot("game-over", "/play"),
        Shot("game-over-phone", "/play", PHONE, is_dark=True),
        Shot("game-contrast", "/play", has_forced_colors=True),
    ):
        page = _begun(browser, address, shot, "koikoi", months="1")
        while shot.name.startswith("game-over") and not page.query_selector("#moves a[href^='/replays/']"):
            _move(page)
        shoot(page, folder, shot.name)
        _leave(page)
    page = opened(browser, Shot("game-no-scripts", "/play", has_scripts=False))
    page.goto(f"{address}/play")
    page.click("section[aria-labelledby=play-koikoi] button")
    shoot(page, folder, "game-no-scripts")
    _leave(page)


def _begun(browser: Browser, address: str, shot: Shot, variant: str, months: str = "3") -> Page:
    page = opened(browser, shot)
    page.goto(address + shot.path)
    choice = page.locator(f"section[aria-labelledby=play-{variant}]")
    if variant == "koikoi":
        choice.get_by_label("months").select_option(months)
    choice.get_by_role("button").click()
    page.wait_for_selector("#game[data-ready]")
    page.get_by_label("Pace").select_option("at once")
    page.wait_for_selector(_TO_DO)
    return page


def _move(page: Page) -> None:
    if button := page.query_selector("#game[data-waits=true] .legal button:enabled, #go-on"):
        button.click()
    page.wait_for_selector(_TO_DO)


def _leave(page: Page) -> None:
    """One reader may not play more than a few games at once."""
    if leaving := page.query_selector("form[action$='/leave'] button"):
        leaving.click()
        page.wait_for_load_state()
    page.context.close()
