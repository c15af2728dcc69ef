"""The decisions of a bot that runs by turns: each is sent to it when its turn comes."""

from typing import final

from arena.match.question import Question
from arena.match.reply import Reply
from arena.seats.ledger import Ledger
from arena.seats.stream import Session
from arena.seats.turn import Turn

@final
class TurnLedger(Ledger):
    """A ledger whose decisions begin with the bot's turn and end it."""

    def __init__(self, turn: Turn, session: Session) -> None: ...
    @property
    def turn(self) -> Turn:
        """The turns by which the bot runs."""
    def ask_in_turn(self, question: Question) -> Reply:
        """Return the question's decision is open from when the bot's turn comes: then the session is sent the question.

        Raises what the seat broke off with.
        """
