"""Pictures of pages as a browser shows them."""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, BrowserContext, Page

WIDE, TABLET, LARGE_PHONE, PHONE = (1280, 900), (768, 1024), (390, 844), (320, 640)
ZOOMED = (640, 450)
"""As a wide window is at 200 % zoom."""
_PATIENCE_MS = 120_000
_DRAW_ALL = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("#knowledge, #log { content-visibility: visible }");
  document.adoptedStyleSheets = [sheet];
}"""
"""What is drawn only when it comes into view is drawn at once."""


class Shot(NamedTuple):
    """A page, how it is looked at, which keys are pressed, and what the picture is called."""

    name: str
    path: str
    size: tuple[int, int] = WIDE
    is_dark: bool = False
    has_scripts: bool = True
    has_forced_colors: bool = False
    medium: Literal["screen", "print"] = "screen"
    keys: tuple[str, ...] = ()


def take(browser: Browser, folder: Path, address: str, shots: Iterable[Shot]) -> None:
    """Pictures of pages that stand still."""
    for shot in shots:
        page = opened(browser, shot)
        page.goto(address + shot.path, wait_until="load")
        if shot.has_scripts and page.query_selector("#viewer"):
            page.wait_for_selector("#viewer[data-ready]")
        for key in shot.keys:
            page.keyboard.press(key)
        shoot(page, folder, shot.name)
        page.context.close()


def opened(browser: Browser, shot: Shot) -> Page:
    """An empty page of a reader's own, as the shot wants it."""
    width, height = shot.size
    context: BrowserContext = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if shot.is_dark else "light",
        forced_colors="active" if shot.has_forced_colors else "none",
        java_script_enabled=shot.has_scripts,
    )
    context.set_default_timeout(_PATIENCE_MS)
    page = context.new_page()
    page.emulate_media(media=shot.medium)
    return page


def shoot(page: Page, folder: Path, name: str) -> None:
    """A picture of the whole page; says when it is wider than its window."""
    page.evaluate(_DRAW_ALL)
    wide = page.evaluate("document.documentElement.scrollWidth")
    size = page.viewport_size
    page.screenshot(path=folder / f"{name}.png", full_page=page.query_selector("body") is not None)
    over = f", {wide} pixels wide" if size and wide > size["width"] else ""
    print(f"{folder / name}.png{over}")
