"""Nothing that a bot can read in its cage is moved by what another did in a cage before it."""

import asyncio
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.moving import BATCH, move
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime

HOSTILE = Path(__file__).parent / "hostile"
MOVES = 200
ASKS_ANOTHER_PROCESS = """\
import asyncio, sys
async def main():
    command = (sys.executable, "-c", "print('answer')")
    for _ in range(2):
        other = await asyncio.create_subprocess_exec(*command, stdin=-1, stdout=-1, stderr=-1)
        said = (await other.communicate(b""))[0]
    sys.stderr.write(repr(said))
asyncio.run(main())
"""


@pytest.fixture(params=["forked", "started afresh"])
def cages(cages: Cages, request: pytest.FixtureRequest) -> Cages:
    """Cages by both ways of starting a Python bot."""
    if request.param == "started afresh":
        cages.fork_servers.close()
    else:
        request.getfixturevalue("fork_servers")
    cages.limits = replace(cages.limits, processes=64, output_bytes=8 << 20, memory_bytes=256 << 20)
    return cages


async def read_everything(cages: Cages, log: Path, moves: int) -> dict[str, object]:
    """All that a bot can read, which before that moves what the kernel counts as often as is said."""
    command = ("/usr/bin/python", f"{BOT}/reads_everything.py", str(moves))
    process = await cages.start(Program(command, runtime("python"), HOSTILE, frozen=True), log=log)
    process.go()
    ending = await asyncio.shield(process.ended)
    await process.close()
    assert ending.status == 0, ending
    told: dict[str, object] = json.loads(await asyncio.to_thread(lambda: log.read_text().splitlines()[-1]))
    return told


async def test_what_one_bot_does_moves_nothing_that_the_next_can_read(cages: Cages, tmp_path: Path) -> None:
    before = await read_everything(cages, tmp_path / "before", 0)
    await read_everything(cages, tmp_path / "moves", MOVES)
    after = await read_everything(cages, tmp_path / "after", 0)
    assert before.keys() == after.keys()
    assert {name: (before[name], after[name]) for name in before if before[name] != after[name]} == {}
    assert before["proc"] == before["sys"] == "FileNotFoundError 2"
    assert before["pidfd"] == "OSError 38"
    refused = [number for number in range(1, 100) if str(before[f"socket option {number}"]).startswith("OSError")]
    assert {57, 71} <= {*refused}, "the cookies of sockets, and of their network namespaces"


@pytest.mark.parametrize("calls", [16, 3])
async def test_a_bot_makes_a_few_pipes_and_pairs_of_sockets_and_no_more_however_it_tries(
    cages: Cages, tmp_path: Path, calls: int
) -> None:
    assert CageLimits().counted_calls == 16
    cages.limits = replace(cages.limits, counted_calls=calls)
    command = ("/usr/bin/python", f"{BOT}/makes_pipes.py")
    process = await cages.start(Program(command, runtime("python"), HOSTILE, frozen=True))
    process.go()
    ending = await process.ended
    await process.close()
    assert ending.status == 0, ending
    told = json.loads(ending.last_output)
    assert 0 < told["made"] == told["later"] <= calls
    assert told["listeners"] == []
    assert told["x32"] == told["i386"] == signal.SIGSYS, "by the numbers of other machines nothing is called"


def number_of_a_new_pipe(processor: int) -> int:
    """Which the kernel gives it on this processor."""
    os.sched_setaffinity(0, {processor})
    ends = os.pipe()
    number = os.fstat(ends[0]).st_ino
    for end in ends:
        os.close(end)
    return number


def test_each_processors_numbers_are_moved_by_chance() -> None:
    processors = os.sched_getaffinity(0)
    try:
        found = []
        for _ in range(24):
            before = {processor: number_of_a_new_pipe(processor) for processor in processors}
            os.sched_setaffinity(0, processors)
            move()
            assert os.sched_getaffinity(0) == processors
            # All of the batch that a processor had is used up.
            after = {processor: number_of_a_new_pipe(processor) for processor in processors}
            assert all(after[processor] // BATCH != before[processor] // BATCH for processor in processors)
            found += [(after[processor] - before[processor]) % BATCH // (BATCH // 4) for processor in processors]
    finally:
        os.sched_setaffinity(0, processors)
    assert {*found} == {0, 1, 2, 3}, "every quarter of a batch comes"


async def test_an_event_loop_with_a_process_of_its_own_has_the_pipes_that_it_needs(
    cages: Cages, python_bot: Callable[[str], Program]
) -> None:
    process = await cages.start(python_bot(ASKS_ANOTHER_PROCESS))
    process.go()
    ending = await process.ended
    await process.close()
    assert (ending.status, ending.last_output) == (0, "b'answer\\n'")
