"""From an answer to the next question without the match's task."""

from collections.abc import Awaitable, Sequence
from typing import final

from arena.match.journal import Entry, Journal
from arena.match.question import Answer
from arena.match.referee import Referee
from arena.match.reply import Reply
from arena.match.seat import Seat

@final
class Relay:
    """Brings answers to the referee, and what follows from them to the journal.

    Where nobody but the seats has to know of an action, it asks the next question when an answer arrives, before the
    match's task gets to run.
    """

    def __init__(self, referee: Referee, seats: Sequence[Seat], journal: Journal | None) -> None: ...
    def take(self, answer: Answer) -> tuple[Entry, Awaitable[None] | None]:
        """Have an answer judged, and what follows from it written: the entry, and what to await for the journal."""
    def follow(self, reply: Reply) -> Awaitable[tuple[Entry, Awaitable[None] | None]]:
        """Take the answer to the open question, and to all that follow, as long as seats reply and nothing has to wait.

        What is awaited is the last entry, and what to await for the journal. Raises what the seat raises that is asked
        by then.
        """
