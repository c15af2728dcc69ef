"""Python bots are forked from a process that has loaded the interpreter, the SDK and NumPy already."""

import asyncio
import os
import re
import select
import signal
from collections.abc import Callable
from dataclasses import replace

import psutil
import pytest
from bots_in_tests import FIRST

from arena.launcher.cage import forking, process
from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import CageError, CageStartError
from arena.launcher.cage.process import Ending
from arena.launcher.cage.program import Program
from arena.match.model import End, MatchSpec, TimeControl
from arena.match.play import play
from arena.seats.in_process import InProcessSeat
from arena.stream.hub import Hub
from bots import house

# What a program may expect of its interpreter, and every way to end.
PROGRAMS = {
    "surroundings": """\
import atexit, os, sys, threading
atexit.register(lambda: print("at exit", file=sys.stderr))
threading.Thread(target=lambda: print("in a thread", file=sys.stderr)).start()
print(__name__, __file__, __spec__, type(__builtins__), sorted(globals()), file=sys.stderr)
print(sys.argv, sys.path, sys.flags, sorted(os.environ.items()), os.getcwd(), file=sys.stderr)
print(os.getuid(), os.getgid(), os.umask(0), os.getgroups(), os.getsid(0) == os.getpid(), file=sys.stderr)
print(sys.stdin.seekable(), sys.stdout.seekable(), sys.stdout.line_buffering, sys.stdin.encoding, file=sys.stderr)
""",
    "status": "import sys; sys.exit(3)",
    "words": "import sys; sys.exit('no luck')",
    "error": "def fail():\n    raise ValueError('so it is')\n\nfail()",
    "syntax": "this is\nno Python",
    "encoding": "# coding: latin-1\nimport sys; print('\u00e4', file=sys.stderr)",
}


pytestmark = pytest.mark.usefixtures("fork_servers")


def servers() -> list[psutil.Process]:
    """The fork servers of this process: children of bubblewrap, not forks of their own."""
    below = psutil.Process().children(recursive=True)
    return [one for one in below if one.name().startswith("python") and one.parent().name() == "bwrap"]


async def ending(cages: Cages, program: Program) -> Ending:
    process = await cages.start(program)
    process.go()
    try:
        return await asyncio.shield(process.ended)
    finally:
        await process.close()


@pytest.mark.parametrize("name", PROGRAMS)
async def test_a_forked_program_finds_and_does_what_one_does_that_is_started_afresh(
    cages: Cages, python_bot: Callable[[str], Program], name: str
) -> None:
    program = python_bot(PROGRAMS[name])
    program = replace(program, command=(*program.command, "one", "two words"))
    forked = await ending(cages, program)
    assert len(servers()) == 1
    cages.fork_servers.close()
    assert servers() == []
    afresh = await ending(cages, program)
    assert forked.last_output.splitlines() == afresh.last_output.splitlines()
    assert forked == afresh
    assert afresh.status != 0 or afresh.last_output


async def test_the_signal_is_told_that_ended_a_forked_program(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    ended = await ending(cages, python_bot("import os; os.kill(os.getpid(), 11)"))
    assert ended.status == -signal.SIGSEGV
    assert ended.detail == "was killed by signal 11 (Segmentation fault)"


async def test_one_fork_server_serves_every_bot(cages: Cages, python_bot: Callable[[str], Program]) -> None:
    hub, program = Hub(), python_bot(FIRST)
    async with caged(cages, hub, program, "one"), caged(cages, hub, program, "two"):
        assert len(servers()) == 1


@pytest.mark.parametrize("name", ["random.py", "arena/__init__.py"])
async def test_a_bot_that_brings_a_module_that_the_fork_server_may_have_loaded_gets_its_own(
    cages: Cages, python_bot: Callable[[str], Program], name: str
) -> None:
    module = name.split("/")[0].removesuffix(".py")
    program = python_bot(f"import {module}; raise SystemExit({module}.WORDS)")
    own = program.bot.parent / name
    own.parent.mkdir(exist_ok=True)
    own.write_text("WORDS = 'of its own'")
    ended = await ending(cages, replace(program, bot=program.bot.parent))
    assert ended.last_output == "of its own"
    assert servers() == []


@pytest.mark.parametrize("given_up", [False, True])
async def test_a_cage_that_ends_before_its_program_enters_it_does_not_end_the_fork_server_and_others_bots(
    cages: Cages, python_bot: Callable[[str], Program], monkeypatch: pytest.MonkeyPatch, given_up: bool
) -> None:
    def opened_and_ended(pid: int) -> int:
        process = opened(pid)
        os.kill(pid, signal.SIGKILL)
        select.select([process], [], [])
        if given_up:
            server.suspend()  # it hears of the order when nobody waits for an answer
            asyncio.get_running_loop().call_soon(starting.cancel)
        return process

    opened = os.pidfd_open
    program = python_bot(FIRST)
    async with caged(cages, Hub(), program, "other") as other:
        (server,) = servers()
        monkeypatch.setattr(forking.os, "pidfd_open", opened_and_ended)
        starting = asyncio.create_task(cages.start(program))
        await asyncio.wait([starting])
        monkeypatch.undo()
        if given_up:
            server.resume()
            assert starting.cancelled()
        else:
            assert "could not enter its cage: ProcessLookupError" in str(starting.exception())
        async with caged(cages, Hub(), program, "next"):
            assert servers() == [server]
        spec = MatchSpec("m0", "koikoi", bytes(32), ("caged", "random"))
        assert (await play(spec, [other.seat(), InProcessSeat(house("random"))])).end is End.COMPLETED


async def test_nobody_forfeits_when_the_fork_server_is_lost_and_the_next_bot_gets_a_new_one(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    hub, program = Hub(), python_bot(FIRST)
    spec = MatchSpec("m0", "koikoi", bytes(32), ("caged", "random"))
    async with caged(cages, hub, program, "lost") as lost:
        seat = lost.seat()
        (server,) = servers()
        server.kill()
        assert (await asyncio.shield(lost.process.ended)).is_lost
        with pytest.raises(CageError, match="was lost with its cage"):
            await play(spec, [seat, InProcessSeat(house("random"))])
    async with caged(cages, hub, program, "next") as bot:
        assert (await play(spec, [bot.seat(), InProcessSeat(house("random"))])).end is End.COMPLETED
    assert server not in servers()


async def test_a_fork_server_that_takes_no_orders_is_replaced_and_what_it_forked_plays_on(
    cages: Cages,
    python_bot: Callable[[str], Program],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    program = python_bot(FIRST)
    spec = MatchSpec("m0", "koikoi", bytes(32), ("caged", "random"))
    async with caged(cages, Hub(), program, "first") as first:
        (stopped,) = servers()
        stopped.suspend()
        monkeypatch.setattr(forking, "ENTER_S", 0.2)
        with pytest.raises(CageStartError, match=r"was not in its cage within 0\.2 s"):
            await cages.start(program)
        monkeypatch.undo()
        async with caged(cages, Hub(), program, "next") as following:
            assert "the fork server of python took no order for" in caplog.text
            for bot in (first, following):
                assert (await play(spec, [bot.seat(), InProcessSeat(house("random"))])).end is End.COMPLETED
        stopped.resume()  # and so tells how the first ends
    server = next(server for server in servers() if server != stopped)
    server.kill()
    server.wait()
    async with caged(cages, Hub(), program, "last"):
        assert len(servers()) == 1  # the one that was silent has nothing left to tell of


async def test_the_node_goes_on_when_what_was_killed_does_not_end(
    cages: Cages,
    python_bot: Callable[[str], Program],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(process, "DYING_S", 0.2)
    spec = MatchSpec("m0", "koikoi", bytes(32), ("caged", "random"), time=TimeControl(100, 0))
    async with caged(cages, Hub(), python_bot(FIRST), "kept") as bot:
        (server,) = servers()
        server.suspend()  # while it does not wait for what it has forked, the kernel keeps that
        bot.process.kill("was killed")
        ending = await asyncio.shield(bot.process.ended)
        assert (ending.detail, ending.is_lost) == ("was killed", False)
        result = await play(spec, [bot.seat(), InProcessSeat(house("random"))])
        assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert re.search(r"has not ended 0\.2 s after it was killed, and is left: \d+, in state Z", caplog.text)
    server.resume()


async def test_nobody_forfeits_when_bubblewrap_itself_is_killed_which_no_bot_can(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    spec = MatchSpec("m0", "koikoi", bytes(32), ("caged", "random"))
    async with caged(cages, Hub(), python_bot(FIRST), "lost") as lost:
        seat = lost.seat()
        psutil.Process(lost.process._monitor.pid).kill()
        assert (await asyncio.shield(lost.process.ended)).is_lost
        with pytest.raises(CageError, match="was lost with its cage"):
            await play(spec, [seat, InProcessSeat(house("random"))])
