"""What tests of pages share: a site over a finished league, and Chromium, which is Debian's."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from arena_command import done, league_of_two_divisions, pages_port, running
from prerequisites import not_run
from site_client import SiteUnderTest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> "Iterator[Browser]":
    """Chromium, for all tests of a module."""
    from arena.bench.chromium import chromium, chromium_path

    if chromium_path() is None:
        not_run("Chromium is not installed: apt-get install chromium-headless-shell fonts-noto-cjk")
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an arena with a finished league of two divisions."""
    folder = tmp_path_factory.mktemp("site")
    done("league", "run", league_of_two_divisions(folder), cwd=folder)
    return folder


@pytest.fixture(scope="session")
def site(played: Path) -> Iterator[SiteUnderTest]:
    """The site over that folder."""
    with running("web", "--listen", "127.0.0.1:0", cwd=played) as run:
        yield SiteUnderTest(pages_port(run))
