"""What a move means: one seat's decisions in one match, without any wire."""

from arena.match.clock import DecisionTimer
from arena.match.model import Rejection
from arena.match.reply import Reply

class Ledger:
    """The decisions of a seat: which one is open and since when, which were answered, which ran out of time.

    A seat has at most one open decision, numbered from 1.
    """

    def __init__(self) -> None: ...
    @property
    def timer(self) -> DecisionTimer:
        """The thinking time of the open decision."""
    @property
    def open(self) -> bool:
        """Whether a decision is open."""
    def ask(self, number: int, limit_s: float) -> Reply:
        """Decision `number` is open from now on. The code is None when its time was over before one came.

        Raises what the seat broke off with.
        """
    def answer(self, number: int, code: int) -> Rejection | None:
        """A move for decision `number` has come: None closes the decision with it, otherwise why it is not taken.

        The match may have gone on, or be over, when this returns.
        """
    def end(self) -> None:
        """Nobody waits for the decision any more: a move that comes yet is too late."""
    def break_off(self, failure: Exception) -> None:
        """Whoever waits for an answer, or asks later, gets this instead. Only the first counts."""
