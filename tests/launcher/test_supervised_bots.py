"""House bots are kept running: one that is killed costs its matches nothing."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import psutil
import pytest

from arena.launcher import processes, supervised
from arena.launcher.errors import BotStartError
from arena.launcher.sources import HouseBot
from arena.match.model import End, MatchSpec, TimeControl
from arena.match.play import play
from arena.match.question import Answer, Question
from arena.node.seat_provider import SeatProvider
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.processes import status_words
from arena.stream.hub import Hub

PLAYERS = [("ann", HouseBot("random")), ("bo", HouseBot("random"))]


@pytest.fixture
async def players(tmp_path: Path) -> AsyncIterator[SeatProvider]:
    async with serving(Hub(), NodeTokens(), tmp_path / "logs", BotOptions(house_programs=True)) as (_, players):
        yield players


def spec(**changed: object) -> MatchSpec:
    fields: dict[str, object] = {"time": TimeControl(per_decision_ms=60_000, bank_ms=0), "reconnect_ms": 50}
    return MatchSpec("m", "koikoi", bytes(32), ("ann", "bo"), options={"months": 2}, **{**fields, **changed})


def house_bots() -> list[psutil.Process]:
    """The processes of this one's house bots."""
    return [child for child in psutil.Process().children() if "bots.random_bot" in " ".join(child.cmdline())]


class Killing:
    """A seat before whose bot's questions the bots' processes are killed, at some of them."""

    def __init__(self, seat, numbers: frozenset[int]) -> None:
        self._seat = seat
        self._numbers = numbers
        self.killed = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._seat, name)

    async def decide(self, question: Question) -> Answer:
        if question.number in self._numbers:
            for bot in house_bots():
                os.kill(bot.pid, signal.SIGKILL)
                self.killed += 1
        return await self._seat.decide(question)


AWAY_S = 3.0
"""How long a killed bot is away in tests: longer than it may think."""


async def test_a_house_bot_that_is_killed_in_the_middle_forfeits_nothing_however_long_it_is_away(players, monkeypatch):
    monkeypatch.setattr(supervised, "_SHORT_LIFE_S", 0.0)
    monkeypatch.setattr(supervised, "_FIRST_PAUSE_S", AWAY_S)
    async with players.seats("league", PLAYERS) as seats:
        unbroken = await play(spec(), seats)
    async with players.seats("league", PLAYERS) as seats:
        killing = Killing(seats[0], frozenset({3, 8}))
        result = await play(spec(time=TimeControl(per_decision_ms=2_500, bank_ms=0)), [killing, seats[1]])
    assert killing.killed >= 3
    assert result.end is End.COMPLETED
    assert (result.choices, result.results) == (unbroken.choices, unbroken.results)
    assert max(result.clock_ms) < 2_500


async def test_a_house_bot_that_cannot_be_started_again_fails_the_job_and_nobody_forfeits(players, monkeypatch):
    monkeypatch.setattr(supervised, "_SHORT_LIVES", 1)
    async with players.seats("league", PLAYERS) as seats:
        killing = Killing(seats[0], frozenset({3}))

        async def refuse(*_: object, **__: object) -> object:
            raise BotStartError("there is no memory")

        monkeypatch.setattr(processes.Launcher, "start", refuse)
        with pytest.raises(BotStartError, match="no memory"):
            await asyncio.wait_for(play(spec(), [killing, seats[1]]), 60)
    with pytest.raises(BotStartError):
        async with players.seats("league", PLAYERS):
            pass


def test_a_bot_that_ends_again_and_again_is_started_again_every_half_minute():
    assert [supervised.pause_s(short_lives) for short_lives in (0, 1, 5, 6, 10_000)] == [0.1, 0.2, 3.2, 30, 30]


@pytest.mark.parametrize(
    ("status", "words"),
    [(3, "ended with status 3"), (-9, "was killed by signal 9 (Killed)"), (-200, "ended with status -200")],
)
def test_how_a_bot_ended_is_told_whatever_the_system_says(status, words):
    assert status_words(status) == words
