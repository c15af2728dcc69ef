"""The seat of a bot that this node runs, and lets run only while it is asked."""

from typing import Protocol

from arena.match.seat import Answer, Question
from arena.seats.stream import StreamSeat


class Freezer(Protocol):
    """What stops a program and lets it go on."""

    def freeze(self) -> None:
        """Let none of its processes run."""

    def thaw(self) -> None:
        """Let its processes run again."""


class Processors(Protocol):
    """Places to think, fewer than there may be bots that are asked; those that wait get one in their order."""

    async def acquire(self) -> object:
        """Wait for a place."""

    def release(self) -> None:
        """Give the place back."""


class PipeSeat(StreamSeat):
    """Thaws its bot when a processor is free for it, asks it, and freezes it again.

    The bot's time runs from when it is asked: while it waits for a processor it pays nothing.
    """

    freezer: Freezer
    processors: Processors

    async def decide(self, question: Question) -> Answer:
        """Ask the bot and wait for its answer."""
        await self.processors.acquire()
        try:
            self.freezer.thaw()
            try:
                return await super().decide(question)
            finally:
                self.freezer.freeze()
        finally:
            self.processors.release()
