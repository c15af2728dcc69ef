"""Whether a version qualifies: it has to play every variant of its manifest to the end, started afresh each time.

Its matches look to it as short challenges do: a name by chance, cards by chance, opponents by their own names.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import msgspec
from msgspec import structs

from arena.launcher.cage.bot import CagedBot
from arena.launcher.errors import BotStartError
from arena.launcher.sources import HOUSE
from arena.match.model import MatchResult, MatchSpec
from arena.match.play import play
from arena.match.rerun import Difference, play_again
from arena.match.seat import Seat
from arena.packs.manifest import Manifest
from arena.seats.in_process import InProcessSeat
from arena.seats.watched import Step, StepFailedError, WatchedSeat, seed_with_a_dealt_hand, short_options
from arena.submissions.record import ANSWERS, PLAYS, START
from bots import house
from core_ext import VARIANTS, variant_info

Start = Callable[[], AbstractAsyncContextManager[CagedBot]]
"""Starts the version for one match: a context that leaves nothing of it. Raises BotStartError."""

_MONTHS = 3
"""Of a match: enough for each phase, and over soon."""
_OPPONENTS = ("random", "greedy")
"""House bots: the first plays where there are two seats, both where there are three."""


class Report(msgspec.Struct, frozen=True):
    """What came of a qualification; a failed step is the last."""

    steps: tuple[Step, ...]
    reproducible: bool | None = None
    """Whether it plays the same when a match is run again with the same cards; None of a version that failed."""
    difference: str = ""
    """Where it played otherwise, for people."""

    @property
    def qualified(self) -> bool:
        """Whether nothing was wrong."""
        return not any(step.fault for step in self.steps)


Progress = Callable[[Step], Awaitable[None]]
"""Hears of each step when it is done."""


async def qualify(start: Start, manifest: Manifest, progress: Progress) -> Report:
    """Play a version through its qualification. Nothing that the version does raises."""
    steps: list[Step] = []
    reproducible: bool | None = None
    difference = ""

    async def done(step: Step) -> None:
        steps.append(step)
        await progress(step)

    for variant in manifest.variants or VARIANTS:
        name = PLAYS.format(variant=variant)
        try:
            spec = _spec(variant, manifest.name, secrets.token_bytes(32), seat=0)
            first = await _match(start, spec)
            again = structs.replace(spec, match_id=_match_id())
            repeated = await _match_again(start, again, choices=first.choices)
            reproducible = reproducible is not False and repeated is None
            difference = difference or ("" if repeated is None else f"{variant}, {repeated}")
            await done(Step(name))
            hand = await asyncio.to_thread(seed_with_a_dealt_hand, variant, _seeds())
            if hand is not None:
                name = ANSWERS.format(variant=variant)
                await _match(start, _spec(variant, manifest.name, hand[0], seat=hand[1]))
                await done(Step(name))
        except BotStartError as error:
            await done(Step(name, str(error), how=START))
            break
        except StepFailedError as failure:
            await done(Step(name, str(failure), failure.decision, failure.end or ""))
            break
    return Report(tuple(steps), None if steps[-1].fault else reproducible, difference)


def _match_id() -> str:
    """A name for a match, as those of challenges are."""
    return secrets.token_hex(8)


def _seeds() -> Iterator[bytes]:
    """Seeds by chance, without end."""
    while True:
        yield secrets.token_bytes(32)


def _spec(variant: str, bot: str, seed: bytes, seat: int) -> MatchSpec:
    """A match of this bot, in this seat, against house bots."""
    opponents = _OPPONENTS[: variant_info(variant).seats[2] - 1]
    names = [f"{HOUSE}{opponent}" for opponent in opponents]
    names.insert(seat, bot)
    return MatchSpec(_match_id(), variant, seed, tuple(names), options=short_options(variant, _MONTHS))


async def _match(start: Start, spec: MatchSpec) -> MatchResult:
    """Play a match. Raises BotStartError, and StepFailedError when the version forfeits."""
    async with _table(start, spec) as (watched, players):
        result = await play(spec, players)
        watched.check(result)
    return result


async def _match_again(start: Start, spec: MatchSpec, choices: bytes) -> Difference | None:
    """The same match again, held against what was played. Raises what `_match` raises."""
    async with _table(start, spec) as (watched, players):
        difference = await play_again(spec, players, choices)
        if difference is not None and difference.end is not None:
            raise watched.failed(difference.end, difference.now)
    return difference


@asynccontextmanager
async def _table(start: Start, spec: MatchSpec) -> AsyncIterator[tuple[WatchedSeat[Seat], list[Seat]]]:
    """Give the seats of a match, the version started for it in its own.

    A StepFailedError that the body raises gets the last lines of the version's standard error.
    """
    try:
        async with start() as bot:
            watched = WatchedSeat[Seat](bot.seat())
            houses = (name.removeprefix(HOUSE) if name.startswith(HOUSE) else "" for name in spec.names)
            yield watched, [InProcessSeat(house(name)) if name else watched for name in houses]
    except StepFailedError as failure:
        output = bot.process.ended.result().last_output
        if not output or output in str(failure):  # a process that ended by itself is reported with it
            raise
        raise StepFailedError(f"{failure}\nit wrote:\n{output}", failure.decision, failure.end) from failure
