"""Nothing that a bot can read in its cage is moved by what another did in a cage before it."""

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime

HOSTILE = Path(__file__).parent / "hostile"
MOVES = 200


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
