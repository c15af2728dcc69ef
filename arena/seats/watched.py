"""What a check of a bot sees: the decision at which it failed, and boards that ask what few boards ask."""

import asyncio
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Generic, TypeVar

from msgspec import Struct

from arena.match.model import End, MatchResult, MatchSpec, Rejection
from arena.match.question import Answer, Question
from arena.match.seat import Seat
from core_ext import Event, Observation, State, variant_info
from core_ext.cards import cards_text

NOTICE_AFTER_S = 5.0
"""What a decision has to take to be shown while it is waited for."""
_SEEDS = 20_000

AnySeat = TypeVar("AnySeat", bound=Seat)


class Step(Struct, frozen=True):
    """One step of a check: what it was, and what was wrong ("" when nothing was)."""

    name: str
    fault: str = ""
    decision: str = ""
    """The decision at which the bot failed, for people."""
    how: str = ""
    """How it failed: the value of an End, or a word of who made the step; "" for something else."""


class StepFailedError(Exception):
    """The bot failed in a step of its check, at this decision."""

    def __init__(self, fault: str, decision: str = "", end: End | None = None) -> None:
        super().__init__(fault)
        self.decision = decision
        self.end = end


def short_options(variant: str, months: int | None) -> dict[str, object]:
    """Return the options of a match of so many months, where the variant leaves that open; without `months` none."""
    has_months = any(option.name == "months" for option in variant_info(variant).options)
    return {"months": months} if months is not None and has_months else {}


def known_seeds() -> Iterator[bytes]:
    """Always the same seeds, without end."""
    return (number.to_bytes(32, "big") for number in count())


def seed_with_a_dealt_hand(variant: str, seeds: Iterator[bytes]) -> tuple[bytes, int] | None:
    """A seed whose first question is about a dealt hand, and the seat that is asked; None where none is found."""
    for seed in islice(seeds, _SEEDS):
        state = State.new(variant, short_options(variant, 1), seed)
        if state.observation(state.current_player).phase == "dealt_hand":
            return seed, state.current_player
    return None


class WatchedSeat(Seat, Generic[AnySeat]):
    """The bot's seat; keeps the last question and what came of it.

    `before` is called with each question that is asked, `long` with one that is not answered within `NOTICE_AFTER_S`.
    """

    def __init__(
        self,
        inner: AnySeat,
        before: Callable[[Question], None] | None = None,
        long: Callable[[Question], None] = lambda _: None,
    ) -> None:
        super().__init__()
        self.inner = inner
        self.tally = inner.tally
        self.wants_updates = inner.wants_updates
        self._before = before
        self._long = long
        self._seat = -1
        self._last: tuple[Question, Observation] | None = None
        self._answered: int | None = None

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """As of every seat."""
        self._seat = seat
        await self.inner.start(spec, seat)

    async def decide(self, question: Question) -> Answer:
        """As of every seat."""
        self._last = question, question.observation
        self._answered = None
        loop = asyncio.get_running_loop()
        if self._before is not None:
            loop.call_soon(self._before, question)
        waiting = loop.call_later(NOTICE_AFTER_S, self._long, question)
        try:
            answer = await self.inner.decide(question)
        finally:
            waiting.cancel()
        self._answered = answer.code
        return answer

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """As of every seat."""
        await self.inner.reject(question, code, reason, count, default_code)

    async def update(self, events: tuple[Event, ...]) -> None:
        """As of every seat."""
        await self.inner.update(events)

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """As of every seat."""
        await self.inner.end(result, events)

    def check(self, result: MatchResult) -> None:
        """Raises StepFailedError when the bot forfeited the match, or sent moves that nothing had asked for."""
        if result.offender == self._seat:
            raise self.failed(result.end, result.text)
        if count := result.rejections[self._seat]:
            raise StepFailedError(f"{count} of its moves answered nothing that was asked")

    def failed(self, end: End, text: str) -> StepFailedError:
        """Return the error of a bot that forfeited in this way, at the last decision that it was asked for."""
        if self._last is None:
            return StepFailedError(f"{end}: {text}", end=end)
        asked, view = self._last
        lines = (
            f"decision {asked.number} of match {asked.spec.match_id}, seat {asked.seat}: {end}",
            *_lines(view),
            f"legal: {', '.join(f'{code} {action}' for code, action in zip(asked.legal, asked.texts, strict=True))}",
            f"the bot answered {'nothing' if self._answered is None else self._answered}",
        )
        return StepFailedError(f"{end}: {text}", "\n  ".join(lines), end)


def _lines(view: Observation) -> list[str]:
    """Return a view for people."""
    lines = [f"{view.variant}, month {view.month}, dealer {view.dealer}, phase {view.phase}"]
    for zone in view.zones:
        whose = f" {zone.seat}" if zone.seat >= 0 else ""
        hidden = zone.count - len(zone.cards)
        cards = [cards_text(zone.cards)] if zone.cards else []
        lines.append(f"{zone.kind}{whose}: {' and '.join([*cards, f'{hidden} hidden'] if hidden else cards)}")
    numbers = (
        f"{counter.name}{f'[{counter.seat}]' if counter.seat >= 0 else ''}={counter.value}" for counter in view.counters
    )
    return [*lines, " ".join(numbers)]
