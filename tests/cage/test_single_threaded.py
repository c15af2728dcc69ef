"""Bots that say that they are single-threaded play like any other, and get a second thread or process as an error."""

import subprocess
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import Program
from arena.launcher.errors import BotStartError
from arena.match.model import End, MatchResult, MatchSpec
from arena.match.play import play
from arena.node.node import running_node
from arena.packs.packing import pack
from arena.seats.in_process import InProcessSeat
from arena.store import BotVersion, Store
from arena.stream.hub import Hub
from arena.submissions.following import follow
from arena.submissions.submit import submit
from bots import house

ROOT = Path(__file__).parents[2]
MULTIPLIES = """\
import asyncio
import sys
import numpy
from arena.sdk import Bot, run

class First(Bot):
    async def choose(self, decision):
        await asyncio.sleep(0)
        numpy.linalg.inv(numpy.eye(200))
        assert sys.stdin.read() == ""
        return decision.legal[0]

run(First())
"""
STARTS_A_THREAD = """\
import threading
from arena.sdk import Bot, run

class First(Bot):
    def choose(self, decision):
        threading.Thread(target=print).start()
        return decision.legal[0]

run(First())
"""
DECLINES = """\
from arena.sdk import Bot, run

class Declines(Bot):
    def accepts(self, match):
        return False

    def choose(self, decision):
        return decision.legal[0]

run(Declines())
"""
# These see for themselves that they are single-threaded.
FORKS = """\
import os
from arena.sdk import Bot, run

try:
    os._exit(os.fork())
except BlockingIOError:
    pass

class First(Bot):
    def choose(self, decision):
        return decision.legal[0]

run(First())
"""
FORKS_IN_C = """\
#include <errno.h>
#include <unistd.h>

__attribute__((constructor)) static void forks(void) {
    if (fork() >= 0 || errno != EAGAIN) _exit(1);
}
"""
MANIFEST = """\
[bot]
name = "{name}"
command = ["{command}"]
runtime = "{runtime}"
variants = ["koikoi"]
single_threaded = true
"""


async def played(cages: Cages, program: Program, *, declinable: bool = False) -> MatchResult:
    async with caged(cages, Hub(), replace(program, single_threaded=True), "alone") as bot:
        assert bot.process.program.single_threaded
        spec = MatchSpec("m0", "koikoi", bytes(32), ("alone", "random"), declinable=declinable)
        return await play(spec, [bot.seat(), InProcessSeat(house("random"))])


@pytest.mark.parametrize("forked", [True, False])
async def test_a_single_threaded_bot_plays_with_the_sdk_and_numpy_and_finds_its_own_input_empty(
    cages: Cages, python_bot: Callable[[str], Program], forked: bool
) -> None:
    cages.limits = structs.replace(cages.limits, memory_bytes=512 << 20)  # without cgroups its addresses are counted
    if not forked:
        cages.fork_servers.close()
    result = await played(cages, python_bot(MULTIPLIES))
    assert result.end is End.COMPLETED, result.text


async def test_a_single_threaded_bot_that_starts_a_thread_forfeits_by_its_own_error(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    result = await played(cages, python_bot(STARTS_A_THREAD))
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert "can't start new thread" in result.text
    assert result.text.endswith("\nits bot.toml says single_threaded, so it can start no thread and no process")


async def test_a_single_threaded_bot_that_starts_a_thread_before_its_hello_is_told_so(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    with pytest.raises(BotStartError, match=r"its bot\.toml says single_threaded, so it can start no thread"):
        await played(cages, python_bot("import threading\n\nthreading.Thread(target=print).start()\n"))


async def test_a_single_threaded_bot_that_declines_has_made_no_error(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    result = await played(cages, python_bot(DECLINES), declinable=True)
    assert result.end is End.ABANDONED
    assert result.text == "alone declined the match"


async def test_submitted_single_threaded_bots_qualify(tmp_path: Path) -> None:
    commands = {"python": ("python", "bot.py"), "native": ("./bot",)}
    folders = {name: tmp_path / name for name in commands}
    for name, command in commands.items():
        folders[name].mkdir()
        manifest = MANIFEST.format(name=name, command='", "'.join(command), runtime=name)
        (folders[name] / "bot.toml").write_text(manifest)
    (folders["python"] / "bot.py").write_text(FORKS)
    (tmp_path / "forks.c").write_text(FORKS_IN_C)
    sources = ROOT / "bots/starters/c/bot.c", tmp_path / "forks.c"
    subprocess.run(["gcc", "-O2", "-static", "-o", folders["native"] / "bot", *sources], check=True)
    data = tmp_path / "data"
    async with await Store.open(data) as store:
        for folder in folders.values():
            await submit(store, pack(folder))
        async with running_node(store, data):
            for name in folders:
                [version] = await store.versions.list(name)
                async with aclosing(follow(store, name, version.version)) as news:
                    ended = [one async for one in news if isinstance(one, BotVersion)]
                assert [one.status for one in ended] == ["qualified"], (name, [one.report for one in ended])
