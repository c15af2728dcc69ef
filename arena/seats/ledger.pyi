"""What a move means: one seat's decisions in one match, without any wire."""

import asyncio
from typing import Protocol, final

from arena.match.clock import DecisionTimer
from arena.match.model import Rejection

class Freezer(Protocol):
    """What stops a program and lets it go on."""

    def freeze(self) -> None:
        """Let none of its processes run."""
    def thaw(self) -> None:
        """Let its processes run again."""

@final
class Ledger:
    """The decisions of a seat: which one is open and since when, which were answered, which ran out of time.

    A seat has at most one open decision, numbered from 1. Where there is a `freezer`, it freezes the bot at the end of
    each decision.
    """

    freezer: Freezer | None
    @property
    def timer(self) -> DecisionTimer:
        """The thinking time of the open decision."""
    @property
    def open(self) -> bool:
        """Whether a decision is open."""
    def ask(self, number: int, limit_s: float) -> asyncio.Future[int | None]:
        """Decision `number` is open from now on. Its answer, None when its time was over before one came."""
    def answer(self, number: int, code: int) -> Rejection | None:
        """A move for decision `number` has come: None closes the decision with it, otherwise why it is not taken."""
    def end(self) -> float:
        """Nobody waits for the decision any more: a move that comes yet is too late. The thinking time in seconds."""
    def break_off(self, failure: Exception) -> None:
        """Whoever waits for the open decision gets this instead of an answer."""
    def thaw(self) -> None:
        """Let the frozen bot run, if its decision is still open."""
