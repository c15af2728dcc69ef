"""A seat is something that is asked for a decision and answers a code. The referee knows nothing else of who plays."""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from arena.referee.model import End, MatchResult, MatchSpec, Rejection
from core_ext import Event, Observation, State


class SeatFailure(Exception):
    """A seat cannot go on: it disconnected for good, or its bot failed."""

    def __init__(self, end: End, text: str) -> None:
        super().__init__(text)
        self.end = end


@dataclass(frozen=True)
class Question:
    """One open decision of one seat.

    `number` counts the seat's own questions from 1: a number over all seats would tell that others were asked.
    `legal` is ascending and never empty. `random` is the seat's own number for this decision (64 bits), the same in
    every play of the match. What costs time to build is built when it is first looked at.
    """

    spec: MatchSpec
    seat: int
    number: int
    legal: tuple[int, ...]
    random: int
    decision_ms: int
    bank_ms: int
    events_since: int
    state: State

    @cached_property
    def observation(self) -> Observation:
        """All that the seat may know now."""
        return self.state.observation(self.seat)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened since the seat's last question, as the seat may see it."""
        return self.state.events(self.seat, self.events_since)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts of the legal actions."""
        return tuple(self.state.action_text(code) for code in self.legal)


class Seat(Protocol):
    """What the referee asks of a seat. A seat that can no longer answer raises `SeatFailure`."""

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """The match begins, with this seat at index `seat`."""

    async def decide(self, question: Question) -> int:
        """The code the seat answers. Cancelled when the time is over: an answer after that is late."""

    async def reject(self, question: Question, code: int, reason: Rejection, count: int, default_code: int | None) -> None:
        """The code was not taken; `count` is the number of this seat's rejected moves, `default_code` what was played instead."""

    async def update(self, events: tuple[Event, ...]) -> None:
        """What happened, as this seat may see it, as it happens."""

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """The match is over; `events` is what happened since the seat's last question."""
