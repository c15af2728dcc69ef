"""The seat of a bot that this node runs, and lets run only while it is asked."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from arena import wire
from arena.match.seat import Answer, Question
from arena.seats.processors import Processors
from arena.seats.stream import StreamSeat


class Outbox(Protocol):
    """What is done at the end of a turn of the event loop, in order."""

    def put(self, step: Callable[[], None]) -> None:
        """Do this as well."""


class PipeSeat(StreamSeat):
    """Asks its bot when a processor is free for it, and thaws it until it has answered or its time is over.

    The bot's time runs from when it is asked: while it waits for a processor it pays nothing. Its ledger has a freezer.
    """

    outbox: Outbox
    processors: Processors

    async def decide(self, question: Question) -> Answer:
        """Ask the bot and wait for its answer."""
        if not self.processors.take():
            await self.processors.acquire()
        try:
            answer = self.open(question.number, partial(wire.decision_response_bytes, question), question.limit_ms)
            self.outbox.put(self.ledger.thaw)  # after its question is written: it wakes once
            code = await answer
        finally:
            thinking_s = self.close()
            self.processors.release()
        return Answer(code, thinking_s)
