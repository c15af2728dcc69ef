"""A seat is something that is asked for a decision and answers a code. The referee knows nothing else of who plays."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable

from arena.match.model import End, MatchResult, MatchSpec, Rejection
from arena.match.question import Answer, Question
from arena.match.referee import Tally
from core_ext import Event


class SeatFailure(Exception):  # noqa: N818 - it ends a match, it is no fault of this program
    """A seat cannot go on: it disconnected for good, or its bot failed."""

    def __init__(self, end: End, text: str) -> None:
        super().__init__(text)
        self.end = end


class Seat(ABC):
    """Something that the referee can ask for decisions in one match.

    A seat that can no longer answer raises `SeatFailure` from `start` or `decide`. Any other exception out of those two
    is a fault of the arena: it leaves `play`, and nobody forfeits. The other methods are notices, which do nothing
    where a seat has no use for them. Where one of them fails or takes long, the seat gets no more of them, and the
    match goes on.
    """

    wants_updates = False
    """Whether `update` is to be called; read once, after `start`."""

    def __init__(self) -> None:
        self.tally = Tally()
        """The referee counts the answers that it rejects; the seat adds the moves that never reach the referee."""

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """The match begins, with this seat at index `seat`."""

    @abstractmethod
    def decide(self, question: Question) -> Awaitable[Answer]:
        """Return the seat's answer, mostly by a coroutine."""

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
