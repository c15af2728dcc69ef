"""Cages for tests."""

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from prerequisites import not_run

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime

MEMORY = 64 << 20
LIMITS = CageLimits(
    memory_bytes=MEMORY,
    processes=24,
    processor_s=20,
    file_bytes=1 << 20,
    folder_bytes=2 << 20,
    output_bytes=64 << 10,
    start_s=60,
)
"""Small, so that what uses them up does it fast; a busy machine may take long to start a bot."""


@pytest.fixture(autouse=True, scope="session")
def _caged(bubblewrap: None) -> None:
    """Without bubblewrap nothing here can be tested."""


@pytest.fixture
async def cages() -> AsyncIterator[Cages]:
    """Cages with small limits."""
    cages = Cages(LIMITS)
    yield cages
    cages.close()


@pytest.fixture
def as_root() -> None:
    """For tests of what only root can do."""
    if os.geteuid():
        not_run("only root can do this")


@pytest.fixture
def fork_servers(as_root: None) -> None:
    """For tests of fork servers, which only root can have."""


@pytest.fixture
def controlled(cages: Cages) -> Callable[[str], None]:
    """Checks that control groups have a controller."""

    def check(controller: str) -> None:
        if controller not in cages.cgroups.controllers:
            not_run(f"this process may not make control groups of the controller {controller!r}")

    return check


@pytest.fixture
def python_bot(tmp_path: Path) -> Callable[[str], Program]:
    """Makes a program of the runtime python from its source."""

    def make(source: str) -> Program:
        path = tmp_path / "bot.py"
        path.write_text(source)
        return Program(("/usr/bin/python", f"{BOT}/bot.py"), runtime("python"), path)

    return make
