"""What a move means: one seat's decisions in one match, without any wire."""

from typing import final

from arena.match.clock import DecisionTimer
from arena.match.model import Rejection
from arena.match.question import Question
from arena.match.reply import Reply
from arena.seats.stream import Session
from arena.seats.turn import Turn

@final
class Ledger:
    """The decisions of a seat: which one is open and since when, which were answered, which ran out of time.

    A seat has at most one open decision, numbered from 1. Where its bot runs by turns, the end of a decision ends its
    `turn`.
    """

    @property
    def turn(self) -> Turn | None:
        """The turns by which the bot runs, None where it runs all the time."""
    def __init__(self) -> None: ...
    @property
    def timer(self) -> DecisionTimer:
        """The thinking time of the open decision."""
    @property
    def open(self) -> bool:
        """Whether a decision is open."""
    def ask(self, number: int, limit_s: float) -> Reply:
        """Decision `number` is open from now on. The code is None when its time was over before one came.

        Raises what the seat broke off with, as `ask_in_turn` does.
        """
    def take_turns(self, turn: Turn, session: Session) -> None:
        """Let the bot run by these turns; to be called before anything is asked."""
    def ask_in_turn(self, question: Question) -> Reply:
        """The question's decision is open from when the bot's turn comes: then the session is sent the question."""
    def answer(self, number: int, code: int) -> Rejection | None:
        """A move for decision `number` has come: None closes the decision with it, otherwise why it is not taken.

        The match may have gone on, or be over, when this returns.
        """
    def end(self) -> None:
        """Nobody waits for the decision any more: a move that comes yet is too late."""
    def break_off(self, failure: Exception) -> None:
        """Whoever waits for an answer, or asks later, gets this instead. Only the first counts."""
