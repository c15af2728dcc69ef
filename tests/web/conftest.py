"""Chromium is Debian's."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from prerequisites import not_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Chromium, for all tests of a module."""
    from arena.bench.chromium import chromium, chromium_path

    if chromium_path() is None:
        not_run("Chromium is not installed: apt-get install chromium fonts-noto-cjk")
    with chromium() as found:
        yield found
