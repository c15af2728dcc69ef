"""The seat of a person, who answers when they like: the pages hand the answer on."""

import asyncio
from collections.abc import Callable

from arena.match.deadline import timed
from arena.match.question import Answer, Question
from arena.match.seat import Seat

PERSON = "a person"
"""The name of a person's seat in a replay; no bot can have it."""


class NotAskedError(ValueError):
    """The seat is not asked, or is asked something else by now."""


class NotLegalError(ValueError):
    """The answer is no legal action. The seat is still asked."""


class PersonSeat(Seat):
    """A seat whose answers come from outside, through `answer`; `asked` is called when it has a new question.

    A wrong answer is refused before the referee has it, so a slip of the hand forfeits nothing.
    """

    def __init__(self, asked: Callable[[], None]) -> None:
        super().__init__()
        self.question: Question | None = None
        self._asked = asked
        self._answer: asyncio.Future[int]

    async def decide(self, question: Question) -> Answer:
        """Wait for the answer."""
        self._answer = asyncio.get_running_loop().create_future()
        self.question = question
        self._asked()
        try:
            return Answer(*await timed(self._answer, question.limit_ms / 1000))
        finally:
            self.question = None

    def answer(self, number: int, code: int) -> None:
        """Answer question `number`. NotAskedError, NotLegalError."""
        if self.question is None or self.question.number != number or self._answer.done():
            raise NotAskedError("That decision is made already.")
        if code not in self.question.legal:
            raise NotLegalError("That is no legal action.")
        self._answer.set_result(code)
