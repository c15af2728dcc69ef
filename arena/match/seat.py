"""A seat is something that is asked for a decision and answers a code. The referee knows nothing else of who plays."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable
from functools import cached_property

from msgspec import Struct

from arena.match.model import End, MatchResult, MatchSpec, Rejection
from core_ext import Event, Observation, State, variant_info
from core_ext.errors import CoreError


class SeatFailure(Exception):  # noqa: N818 - it ends a match, it is no fault of this program
    """A seat cannot go on: it disconnected for good, or its bot failed."""

    def __init__(self, end: End, text: str) -> None:
        super().__init__(text)
        self.end = end


class StaleQuestionError(RuntimeError):
    """A question's view was looked at for the first time after the match had gone on."""


class QuestionError(RuntimeError):
    """The core cannot say what a question holds: no fault of the seat that is asked."""


class Question(Struct, frozen=True, dict=True, eq=False):
    """One decision of one seat, as it is asked.

    `number` counts the seat's own questions from 1: a number over all seats would tell that others were asked.
    `legal` is ascending and never empty. `random` is the seat's own number for this decision (64 bits), the same in
    every play of the match. The events from `events_since` up to `events_until` are new to the seat. What costs time to
    build is built when it is first looked at.
    """

    spec: MatchSpec
    seat: int
    number: int
    legal: tuple[int, ...]
    random: int
    decision_ms: int
    bank_ms: int
    events_since: int
    events_until: int
    state: State

    @property
    def limit_ms(self) -> int:
        """How long the seat may think."""
        return self.decision_ms + self.bank_ms

    @cached_property
    def observation(self) -> Observation:
        """All that the seat may know now.

        Its events are the deal's where they are part of what the seat knows, else those since its last question.
        """
        since = 0 if variant_info(self.spec.variant).recalls else self.events_since
        try:
            return self.live_state().observation(self.seat, since)
        except CoreError as error:
            raise QuestionError(str(error)) from error

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What happened since the seat's last question, as the seat may see it."""
        try:
            return self.live_state().events(self.seat, self.events_since)
        except CoreError as error:
            raise QuestionError(str(error)) from error

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the legal actions."""
        return tuple(map(self.state.action_text, self.legal))

    def live_state(self) -> State:
        """The state that the question is about. StaleQuestionError when it has gone on: every action is an event."""
        if self.state.event_count != self.events_until:
            raise StaleQuestionError(f"question {self.number} of seat {self.seat} is answered, the match has gone on")
        return self.state


class Answer(Struct, frozen=True, gc=False):
    """What a seat answers: the action's code, None when the time was over before one came, and the thinking time.

    The seat measures the time, and it alone: only it knows when the question left and when the answer arrived, so that
    no bot pays for the delays of the arena. It counts by the arena's clock (`arena.match.clock`), and ends its wait
    when the question's `limit_ms` are over. What is charged, and what is too late, the referee judges.
    """

    code: int | None
    thinking_s: float


class Tally:
    """How many moves of one seat in a match were not taken."""

    def __init__(self) -> None:
        self.rejections = 0


class Seat(ABC):
    """Something that the referee can ask for decisions in one match.

    A seat that can no longer answer raises `SeatFailure` from `start` or `decide`. Any other exception out of those two
    is a fault of the arena: it leaves `play`, and nobody forfeits. The other methods are notices, which do nothing
    where a seat has no use for them. Where one of them fails or takes long, the seat gets no more of them, and the
    match goes on.
    """

    def __init__(self) -> None:
        self.tally = Tally()
        """The referee counts the answers that it rejects; the seat adds the moves that never reach the referee."""

    @property
    def wants_updates(self) -> bool:
        """Whether `update` is to be called; read once, after `start`."""
        return False

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """The match begins, with this seat at index `seat`."""

    @abstractmethod
    def decide(self, question: Question) -> Awaitable[Answer]:
        """The seat's answer, mostly by a coroutine."""

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """The code was not taken (None: the time was over before one came).

        `count` is the number of this seat's rejected moves, `default_code` what was played instead.
        """

    async def update(self, events: tuple[Event, ...]) -> None:
        """What happened, as this seat may see it, as it happens."""

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """The match is over; `events` is what happened since the seat's last question."""
