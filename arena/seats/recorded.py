"""The seat of somebody who cannot be asked again: it answers what it answered then."""

from collections.abc import Iterable

from arena.match.question import Answer, Question
from arena.match.seat import Seat


class RecordedSeat(Seat):
    """Plays these actions, one for each time it is asked; when they are used up it answers no more."""

    def __init__(self, codes: Iterable[int]) -> None:
        super().__init__()
        self._codes = iter(codes)

    async def decide(self, question: Question) -> Answer:
        """Return the next action."""
        return Answer(next(self._codes, None), 0.0)
