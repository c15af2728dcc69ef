"""A seat is something that is asked for a decision and answers a code. The referee knows nothing else of who plays."""

from typing import Protocol

from arena.match.model import End, MatchResult, MatchSpec, Rejection
from core_ext import Event, Observation, State, variant_info
from core_ext.errors import CoreError


class SeatFailure(Exception):  # noqa: N818 - it ends a match, it is no fault of this program
    """A seat cannot go on: it disconnected for good, or its bot failed."""

    def __init__(self, end: End, text: str) -> None:
        super().__init__(text)
        self.end = end


class StaleQuestionError(RuntimeError):
    """A question's view was looked at for the first time after its answer."""


class QuestionError(RuntimeError):
    """The core cannot say what a question holds: no fault of the seat that is asked."""


class Tally:
    """How many moves of one seat were not taken. A seat adds those that never reach the referee: late ones, strays."""

    def __init__(self) -> None:
        self.rejections = 0


class Question:
    """One open decision of one seat.

    `number` counts the seat's own questions from 1: a number over all seats would tell that others were asked.
    `legal` is ascending and never empty. `random` is the seat's own number for this decision (64 bits), the same in
    every play of the match. What costs time to build is built when it is first looked at.

    `asked_at` and `answered_at` are times of the referee's clock. A seat across a stream sets them when the question
    leaves and when its answer arrives, so that no bot pays for the node's own delays; where they stay 0 the referee's
    own count. A seat that keeps the time itself sets `timed_by_seat`, and raises OverdueError when it is over.
    """

    def __init__(
        self,
        spec: MatchSpec,
        seat: int,
        number: int,
        legal: tuple[int, ...],
        random: int,
        decision_ms: int,
        bank_ms: int,
        events_since: int,
        state: State,
        tally: Tally | None = None,
    ) -> None:
        self.spec = spec
        self.seat = seat
        self.number = number
        self.legal = legal
        self.random = random
        self.decision_ms = decision_ms
        self.bank_ms = bank_ms
        self.events_since = events_since
        self.state = state
        self.tally = tally or Tally()
        self.asked_at = 0.0
        self.answered_at = 0.0
        self.closed = False
        self.timed_by_seat = False
        self._observation: Observation | None = None
        self._events: tuple[Event, ...] | None = None

    @property
    def observation(self) -> Observation:
        """All that the seat may know now.

        Its events are the deal's where they are part of what the seat knows, else those since its last question.
        """
        if self._observation is None:
            since = 0 if variant_info(self.spec.variant).recalls else self.events_since
            try:
                self._observation = self.live_state().observation(self.seat, since)
            except CoreError as error:
                raise QuestionError(str(error)) from error
        return self._observation

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened since the seat's last question, as the seat may see it."""
        if self._events is None:
            try:
                self._events = self.live_state().events(self.seat, self.events_since)
            except CoreError as error:
                raise QuestionError(str(error)) from error
        return self._events

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the legal actions."""
        return tuple(map(self.state.action_text, self.legal))

    def live_state(self) -> State:
        """The state that the question is about. StaleQuestionError when it has gone on."""
        if self.closed:
            raise StaleQuestionError(f"question {self.number} of seat {self.seat} is answered, the match has gone on")
        return self.state


class Seat(Protocol):
    """What the referee asks of a seat. A seat that can no longer answer raises `SeatFailure` from `start` or `decide`.

    Any other exception out of those two is a fault of the arena: it leaves `play`, and nobody forfeits. `reject`,
    `update` and `end` only tell: where one of them fails or takes long, the seat gets no more of them, and the match
    goes on.
    """

    @property
    def wants_updates(self) -> bool:
        """Whether `update` is to be called; read once, after `start`."""

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """The match begins, with this seat at index `seat`."""

    async def decide(self, question: Question) -> int:
        """The code the seat answers. Cancelled when the time is over: an answer after that is late."""

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
