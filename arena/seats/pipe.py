"""The seat of a bot that this node runs, and lets run only while it is asked."""

from functools import partial
from typing import Protocol

from arena import wire
from arena.match.seat import Answer, Question
from arena.seats.processors import Processors
from arena.seats.stream import StreamSeat


class Freezer(Protocol):
    """What stops a program and lets it go on."""

    def freeze(self) -> None:
        """Let none of its processes run."""

    def thaw(self) -> None:
        """Let its processes run again."""


class PipeSeat(StreamSeat):
    """Asks its bot when a processor is free for it, thaws it, and freezes it again when it has answered.

    The bot's time runs from when it is asked: while it waits for a processor it pays nothing.
    """

    freezer: Freezer
    processors: Processors

    async def decide(self, question: Question) -> Answer:
        """Ask the bot and wait for its answer."""
        if not self.processors.take():
            await self.processors.acquire()
        try:
            answer = self.open(question.number, partial(wire.decision_response_bytes, question), question.limit_ms)
            self.freezer.thaw()  # only now: it wakes once, and finds the question
            try:
                code = await answer
            finally:
                self.freezer.freeze()
        finally:
            thinking_s = self.close()
            self.processors.release()
        return Answer(code, thinking_s)
