"""Programs in Rust and Go play in a cage: the starters, and those of the folder `languages` that do much beside."""

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
from core_ext import VARIANTS

SOURCES = Path(__file__).parent / "languages"
STARTERS = {
    "rs": Path(__file__).parents[2] / "bots/starters/rust/bot.rs",
    "go": Path(__file__).parents[2] / "bots/starters/go/bot.go",
}
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


def built(language: str, source: Path, folder: Path) -> Path:
    """What the compiler makes of a program."""
    name, version, *options = BUILD[language]
    env = {**os.environ, "CGO_ENABLED": "0", "GO111MODULE": "off", "GOCACHE": str(folder / "cache")}
    made = folder / f"made-{source.parent.name}"
    subprocess.run([compiler(name, version), *options, made, source], check=True, env=env)
    return made


async def play_with(cages: Cages, made: Path, variant: str) -> None:
    """Play a match with a program in a cage, in which nothing may go wrong."""
    names = ("made", "one", "two")[: 3 if variant == "hachihachi" else 2]
    async with caged(cages, Hub(), program_at(made), "made") as bot:
        others = [InProcessSeat(house("random")) for _ in names[1:]]
        result = await play(MatchSpec("m0", variant, bytes(32), names), [bot.seat(), *others])
        assert result.end is End.COMPLETED, (variant, result.text)
        assert result.rejections[0] == 0
        assert bot.process.last_output() == ""


@pytest.mark.parametrize("language", BUILD)
async def test_static_programs_of_a_language_play_in_a_cage_with_threads_and_a_runtime_and_as_the_starter_does(
    cages: Cages, tmp_path: Path, language: str
) -> None:
    await play_with(cages, built(language, SOURCES / f"bot.{language}", tmp_path), "koikoi")
    starter = built(language, STARTERS[language], tmp_path)
    for variant in VARIANTS:
        await play_with(cages, starter, variant)
