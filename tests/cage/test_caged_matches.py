"""Bots in cages play whole matches."""

import asyncio
import os
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import Program
from arena.launcher.errors import BotStartError
from arena.match.model import End, MatchSpec
from arena.match.play import play
from arena.seats.in_process import InProcessSeat
from arena.stream.hub import Hub
from bots import house

PythonBot = Callable[[str], Program]
FIRST = """\
from arena.sdk import Bot, run

class First(Bot):
    def choose(self, decision):
        print("my own words", decision.number)
        return decision.legal[0]

run(First())
"""


def spec(names: tuple[str, ...] = ("caged", "random")) -> MatchSpec:
    return MatchSpec("m0", "koikoi", bytes(32), names)


async def test_a_python_bot_plays_a_whole_match_in_its_cage(cages: Cages, python_bot: PythonBot) -> None:
    hub = Hub()
    async with caged(cages, hub, python_bot(FIRST), "caged") as bot:
        result = await play(spec(), [bot.seat(), InProcessSeat(house("random"))])
        assert result.end is End.COMPLETED
        assert sum(result.rejections) == 0
    assert hub.names() == []
    assert bot.process.ended.done()


async def test_a_cage_is_freed_also_by_who_is_cancelled_while_it_ends(cages: Cages, python_bot: PythonBot) -> None:
    process = await cages.start(python_bot(FIRST))
    process.go()
    closing = asyncio.create_task(process.close())
    await asyncio.sleep(0)
    assert not process.ended.done()
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert process.ended.done()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(process.stdin)


async def test_what_a_bot_prints_is_not_taken_for_the_protocol_and_is_kept_as_its_last_output(
    cages: Cages, python_bot: PythonBot
) -> None:
    async with caged(cages, Hub(), python_bot(FIRST), "caged") as bot:
        await play(spec(), [bot.seat(), InProcessSeat(house("random"))])
    assert "my own words" in bot.process.ended.result().last_output


async def test_an_async_bot_plays_in_its_cage(cages: Cages, python_bot: PythonBot) -> None:
    source = FIRST.replace("    def choose", "    async def choose")
    async with caged(cages, Hub(), python_bot(source), "caged") as bot:
        result = await play(spec(), [bot.seat(), InProcessSeat(house("random"))])
    assert result.end is End.COMPLETED


async def test_a_bot_that_raises_forfeits_by_its_own_words(cages: Cages, python_bot: PythonBot) -> None:
    source = FIRST.replace("        return", "        raise ValueError('no idea')\n        return")
    async with caged(cages, Hub(), python_bot(source), "caged") as bot:
        result = await play(spec(), [bot.seat(), InProcessSeat(house("random"))])
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert "no idea" in result.text


async def test_a_caged_bot_declines_a_challenge_and_is_not_asked_in_other_matches(
    cages: Cages, python_bot: PythonBot
) -> None:
    program = python_bot(
        FIRST.replace("    def choose", "    def accepts(self, match):\n        return False\n\n    def choose")
    )
    for declinable, end in ((True, End.ABANDONED), (False, End.COMPLETED)):
        async with caged(cages, Hub(), program, "caged") as bot:
            seats = [bot.seat(), InProcessSeat(house("random"))]
            assert (await play(replace(spec(), declinable=declinable), seats)).end is end


async def test_a_bot_that_cannot_start_says_why(cages: Cages, python_bot: PythonBot) -> None:
    with pytest.raises(BotStartError, match=r"(?s)caged ended with status 1.*No module named 'grpc'"):
        async with caged(cages, Hub(), python_bot("import grpc"), "caged"):
            pass


async def test_two_caged_bots_play_with_one_processor_between_them(cages: Cages, python_bot: PythonBot) -> None:
    program, hub = python_bot(FIRST), Hub()
    async with caged(cages, hub, program, "one") as one, caged(cages, hub, program, "two") as two:
        result = await play(spec(("one", "two")), [one.seat(), two.seat()])
    assert result.end is End.COMPLETED
