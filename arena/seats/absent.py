"""The seat of a bot that does not play."""

from arena.match.model import End, MatchSpec
from arena.match.question import Answer, Question
from arena.match.seat import Seat, SeatFailure


class AbsentSeat(Seat):
    """The seat of a bot that could not be started or did not connect: its match ends when it starts."""

    def __init__(self, end: End, reason: str) -> None:
        super().__init__()
        self._failure = SeatFailure(end, reason)

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Fails."""
        raise self._failure

    async def decide(self, question: Question) -> Answer:
        """Never reached: the match has ended at its start."""
        raise self._failure
