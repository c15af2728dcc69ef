"""A bot that misbehaves loses its own match and costs nobody else one."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from play_arena import Arena, soon

from arena.match.model import End, TimeControl

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("misbehaving_bot.py")


@asynccontextmanager
async def process(arena: Arena, name: str, *command: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A bot's program, once it is connected."""
    env = {**os.environ, "ARENA_ADDRESS": arena.address, "ARENA_TOKEN": arena.token(name), "PYTHONPATH": str(ROOT)}
    child = await asyncio.create_subprocess_exec(sys.executable, *command, env=env, stderr=asyncio.subprocess.DEVNULL)
    try:
        await arena.connected(name)
        yield child
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


HOW_IT_ENDS = {
    "hangs": End.TIMEOUT,
    "dies": End.DISCONNECTED,
    "talks_nonsense": End.ILLEGAL_ACTION,
    "answers_late": End.TIMEOUT,
    "answers_twice": End.COMPLETED,
    "floods": End.BOT_ERROR,
    "disconnects": End.DISCONNECTED,
    "sends_too_much": End.DISCONNECTED,
}


@pytest.mark.parametrize("how", HOW_IT_ENDS)
async def test_a_bot_that_misbehaves_costs_nobody_but_itself_a_match(arena: Arena, how: str) -> None:
    # Only who is to run out of time has little of it: a busy machine may keep anybody waiting.
    time = TimeControl(per_decision_ms=400 if HOW_IT_ENDS[how] is End.TIMEOUT else 60_000, bank_ms=0)
    async with process(arena, "bad", str(PROGRAM), how):
        good = {name: await arena.connect(name) for name in ("alice", "bob", "carol")}
        players = [asyncio.create_task(bot.play_on()) for bot in good.values()]
        beside = arena.match("alice", "bob", options={})
        result = await soon(arena.match("bad", "carol", time=time, reconnect_ms=200))
        assert result.end is HOW_IT_ENDS[how]
        assert result.offender == (-1 if how == "answers_twice" else 0)
        if how == "answers_twice":
            assert result.rejections[0] > 0
        untouched = await soon(beside)
        assert (untouched.end, untouched.rejections) == (End.COMPLETED, (0, 0))
        assert arena.hub.places("carol") == 1
        again = await soon(arena.match("alice", "carol"))
        assert again.end is End.COMPLETED
        for player in players:
            player.cancel()
