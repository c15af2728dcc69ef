"""The seat of a house bot that thinks in another process."""

from typing import Protocol

from arena.match.question import Answer, Question
from arena.match.seat import Seat
from arena.wire import decision_response_bytes


class HouseAnswers(Protocol):
    """Who answers for house bots."""

    async def answer(self, bot: str, decision: bytes, limit_s: float) -> Answer:
        """Return what the bot of this name answers to a serialised decision, for which it has `limit_s` seconds."""


class HouseSeat(Seat):
    """Asks for each decision anew: a house bot remembers nothing, so it is not told of anything else."""

    def __init__(self, bot: str, answers: HouseAnswers) -> None:
        super().__init__()
        self._bot = bot
        self._answers = answers

    async def decide(self, question: Question) -> Answer:
        """Return the answer of whoever is free to think for the bot. A bot that cannot answer fails with BOT_ERROR."""
        return await self._answers.answer(self._bot, decision_response_bytes(question), question.limit_ms / 1000)
