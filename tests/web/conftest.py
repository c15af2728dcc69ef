"""Chromium is Debian's: where it is missing the tests say so, and in CI they fail."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Chromium, for all tests of a module."""
    from benchmarks.chromium import chromium, chromium_path

    if chromium_path() is None:
        told = "Chromium is not installed, so the pages were not tested in it: apt-get install chromium fonts-noto-cjk"
        if os.environ.get("CI") == "true":
            pytest.fail(told)
        pytest.skip(told)
    with chromium() as found:
        yield found
