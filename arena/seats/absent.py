"""The seat of a bot that does not play."""

from arena.match.model import End, MatchResult, MatchSpec, Rejection
from arena.match.seat import Question, SeatFailure
from core_ext import Event


class AbsentSeat:
    """The seat of a bot that could not be started, or did not come: it fails its match, and nobody else's."""

    wants_updates = False

    def __init__(self, end: End, reason: str) -> None:
        self._failure = SeatFailure(end, reason)

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Fails."""
        raise self._failure

    async def decide(self, question: Question) -> int:
        """Is not reached: the match ended at its start."""
        raise self._failure

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """Nobody to tell."""

    async def update(self, events: tuple[Event, ...]) -> None:
        """Nobody to tell."""

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Nobody to tell."""
