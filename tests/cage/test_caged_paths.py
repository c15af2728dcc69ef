"""Bots by path run in cages where a node has them."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.shared import SharedCages
from arena.launcher.path_bots import Confinement
from arena.launcher.sources import HouseBot, PathBot
from arena.match.model import End, MatchResult, MatchSpec
from arena.match.play import play
from arena.node.seat_provider import SeatProvider
from arena.node.serving import BotOptions, serving
from arena.node.tokens import NodeTokens
from arena.stream.hub import Hub

SPEC = MatchSpec("m0", "koikoi", bytes(32), ("mine", "random"))
LOOKS_ROUND = """\
import os
from arena.sdk import Bot, run

class Bot(Bot):
    def choose(self, decision):
        assert sorted(os.listdir("/bot")) == ["bot.py"], os.listdir("/bot")
        assert "ARENA_TOKEN" not in os.environ
        return decision.legal[0]

run(Bot())
"""

TIMES = """\
import time
from arena.sdk import Bot, run

class Bot(Bot):
    def choose(self, decision):
        return decision.legal[0]

print(time.monotonic())
run(Bot())
"""

TELLS = """\
from arena.sdk import Bot, run

class Bot(Bot):
    def started(self, match):
        print("started")

    def choose(self, decision):
        print("asked")
        return decision.legal[0]

    def ended(self, match, end):
        print("ended")

run(Bot())
"""


@pytest.fixture
async def provider(cages: Cages, tmp_path: Path) -> AsyncIterator[SeatProvider]:
    bots = BotOptions(confinement=Confinement.CAGED)
    async with serving(Hub(), NodeTokens(), tmp_path / "logs", bots, cages=SharedCages(cages)) as (_, provider):
        yield provider


async def played(provider: SeatProvider, path: Path) -> MatchResult:
    players = [("mine", PathBot(path)), ("random", HouseBot("random"))]
    async with provider.seats("match", players, SPEC) as seats:
        return await play(SPEC, seats)


async def test_a_bot_by_path_plays_in_a_cage_and_sees_its_file_alone(provider: SeatProvider, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(LOOKS_ROUND)
    (tmp_path / "secret").write_text("cards")
    result = await played(provider, path)
    assert result.end is End.COMPLETED, result.text


async def test_a_caged_bot_hears_of_its_match_with_its_first_decision_and_of_the_end(
    provider: SeatProvider, tmp_path: Path
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(TELLS)
    assert (await played(provider, path)).end is End.COMPLETED
    told = (tmp_path / "logs" / "match" / "mine.log").read_text().split()
    assert (told[:2], set(told[2:-1]), told[-1]) == (["started", "asked"], {"asked"}, "ended")


async def test_a_bot_that_no_runtime_can_start_forfeits_and_says_so(provider: SeatProvider, tmp_path: Path) -> None:
    path = tmp_path / "bot.sh"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    result = await played(provider, path)
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert "no runtime of the cage can start it" in result.text


async def test_a_bot_that_cannot_start_forfeits_with_its_last_output(provider: SeatProvider, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("raise SystemExit('not today')")
    result = await played(provider, path)
    assert (result.end, result.offender) == (End.BOT_ERROR, 0)
    assert "ended with status 1" in result.text
    assert "not today" in result.text


async def test_a_bot_plays_its_matches_on_a_board_one_after_the_other_and_so_hears_nothing_from_itself(
    provider: SeatProvider, tmp_path: Path
) -> None:
    path = tmp_path / "bot.py"
    path.write_text(TIMES)

    @asynccontextmanager
    async def started(match: str, seed: int, *names: str) -> AsyncIterator[None]:
        spec = replace(SPEC, seed=bytes([seed] * 32), names=names)
        bots = [(name, PathBot(path) if name == "mine" else HouseBot("random")) for name in names]
        async with provider.seats(match, bots, spec) as seats:
            assert (await play(spec, seats)).end is End.COMPLETED
            yield

    async def plays(match: str, seed: int, *names: str) -> None:
        async with started(match, seed, *names):
            pass

    async with started("first", 1, "mine", "random"):
        twin = asyncio.create_task(plays("twin", 1, "random", "mine"))
        await plays("other", 2, "random", "mine")
        assert not twin.done()
    over = time.monotonic()
    await twin
    began = {match: _began(tmp_path / "logs" / match / "mine.log") for match in ("first", "other", "twin")}
    assert began["first"] < began["other"] < over < began["twin"]


def _began(log: Path) -> float:
    return float(log.read_text().split()[0])
