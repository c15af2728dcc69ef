"""Debian's Chromium, driven by Playwright: for measurements, screenshots and tests."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from arena.bench import MissingProgramError

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-dev-shm-usage",
)
"""The pages are the arena's own, and root, as whom CI runs, has no sandbox of Chromium's."""


_COMMANDS = ("chromium-headless-shell", "chromium", "chromium-browser")
"""The first is Chromium without what surrounds a page: a whole one loads pages of its own with each new window."""


def chromium_path() -> str | None:
    """Where Chromium is, None where it is not installed."""
    return next(filter(None, map(shutil.which, _COMMANDS)), None)


def required_chromium() -> str:
    """Where Chromium is. MissingProgramError where it is not installed."""
    path = chromium_path()
    if path is None:
        raise MissingProgramError("Chromium is not installed: apt-get install chromium-headless-shell fonts-noto-cjk")
    return path


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window. MissingProgramError where there is none."""
    path = required_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()
