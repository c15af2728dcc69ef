"""Whether a version qualifies: it has to play every variant of its manifest to the end, started afresh each time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import msgspec

from arena.conformance.watching import BrokenDecision, WatchedSeat, seed_with_a_dealt_hand, short_options
from arena.launcher.errors import BotStartError
from arena.match.model import MatchResult, MatchSpec
from arena.match.play import play
from arena.match.seat import Seat
from arena.seats.in_process import InProcessSeat
from bots import house
from core_ext import VARIANTS, variant_info

if TYPE_CHECKING:
    from arena.submissions.manifest import Manifest

Start = Callable[[], AbstractAsyncContextManager[Seat]]
"""Starts the version for one match: a context with its seat, which leaves nothing of it. Raises BotStartError."""

_MONTHS = 3
"""Of a match: enough for each phase, and over soon."""


class Step(msgspec.Struct, frozen=True):
    """One step of a qualification: what it was, and what was wrong ("" when nothing was)."""

    name: str
    fault: str = ""
    decision: str = ""
    """The decision at which the version failed, for people."""


class Report(msgspec.Struct, frozen=True):
    """What came of a qualification; a failed step is the last."""

    steps: tuple[Step, ...]
    reproducible: bool | None = None
    """Whether it plays the same when a match is run again with the same cards; None when it did not come to that."""

    @property
    def qualified(self) -> bool:
        """Whether nothing was wrong."""
        return not any(step.fault for step in self.steps)


class _StepFailedError(Exception):
    def __init__(self, fault: str, decision: BrokenDecision | None = None) -> None:
        super().__init__(fault)
        self.decision = decision


async def qualify(start: Start, manifest: Manifest, progress: Callable[[Step], None] = lambda _: None) -> Report:
    """Play a version through its qualification; `progress` hears of each step. Nothing that the version does raises."""
    steps: list[Step] = []
    reproducible: bool | None = None

    def done(step: Step) -> None:
        steps.append(step)
        progress(step)

    for variant in manifest.variants or VARIANTS:
        name = f"plays {variant}"
        try:
            first = await _match(start, variant, b"\1" * 32, seat=0)
            again = await _match(start, variant, b"\1" * 32, seat=0)
            reproducible = reproducible is not False and first.choices == again.choices
            done(Step(name))
            hand = await asyncio.to_thread(seed_with_a_dealt_hand, variant)
            if hand is not None:
                name = f"answers a dealt hand of {variant}"
                await _match(start, variant, hand[0], seat=hand[1])
                done(Step(name))
        except BotStartError as error:
            done(Step(name, str(error)))
            break
        except _StepFailedError as failure:
            done(Step(name, str(failure), str(failure.decision or "")))
            break
    return Report(tuple(steps), reproducible)


async def _match(start: Start, variant: str, seed: bytes, seat: int) -> MatchResult:
    """A match against `house:random`. Raises BotStartError, and _StepFailedError when the version forfeits."""
    seats = variant_info(variant).seats[2]
    names = tuple("the bot" if place == seat else "house:random" for place in range(seats))
    spec = MatchSpec(f"qualification-{variant}", variant, seed, names, options=short_options(variant, _MONTHS))
    async with start() as inner:
        watched = WatchedSeat(inner)
        players: Sequence[Seat] = [
            watched if place == seat else InProcessSeat(house("random")) for place in range(seats)
        ]
        result = await play(spec, players)
    if result.offender == seat:
        raise _StepFailedError(f"{result.end}: {result.text}", watched.broken(spec, result))
    if result.rejections[seat]:
        raise _StepFailedError(f"{result.rejections[seat]} of its moves answered nothing that was asked")
    return result
