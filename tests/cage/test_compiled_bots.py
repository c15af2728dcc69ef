"""Programs in Rust and Go do in a cage what such programs do, beside playing: the bots of the folder `languages`."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from prerequisites import not_run

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.paths import program_at
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.seats.in_process import InProcessSeat
from arena.stream.hub import Hub
from bots import house

SOURCES = Path(__file__).parent / "languages"
BUILD = {
    "rs": ("rustc", "--version", "-O", "--edition", "2021", "-C", "target-feature=+crt-static", "-o"),
    "go": ("go", "version", "build", "-o"),
}
"""The compiler of each language, how it tells its version, and how it is called."""


def compiler(name: str, version: str) -> str:
    """A compiler that works: rustup's, which may come first, does not without its user's home."""
    places = filter(None, (shutil.which(name), shutil.which(name, path="/usr/bin")))
    found = next((place for place in places if not subprocess.run([place, version], check=False).returncode), None)
    if found is None:
        not_run(f"{name} is not installed: bots in its language cannot be built")
    return found


@pytest.mark.parametrize("language", BUILD)
async def test_a_static_program_of_a_language_with_threads_and_a_runtime_plays_a_match(
    cages: Cages, tmp_path: Path, language: str
) -> None:
    name, version, *options = BUILD[language]
    made = tmp_path / "made"
    env = {**os.environ, "CGO_ENABLED": "0", "GO111MODULE": "off", "GOCACHE": str(tmp_path / "cache")}
    subprocess.run([compiler(name, version), *options, made, SOURCES / f"bot.{language}"], check=True, env=env)
    async with caged(cages, Hub(), program_at(made), "made") as bot:
        seats = [bot.seat(), InProcessSeat(house("random"))]
        result = await play(MatchSpec("m0", "koikoi", bytes(32), ("made", "random")), seats)
        assert result.end is End.COMPLETED, result.text
        assert result.rejections[0] == 0
        assert bot.process.last_output() == ""
