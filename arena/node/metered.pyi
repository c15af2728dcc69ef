"""The metrics of the decisions of a match."""

from collections.abc import Awaitable
from typing import final

from arena.match.journal import Entry, Journal

@final
class MeteredJournal:
    """A match's journal, if it has one, that measures the match's decisions. An `arena.match.journal.Journal`.

    From one action to the next: the bot's share is what its clock counted, in whole milliseconds; the store's, the
    writing of the action before; the arena's is the rest.
    """

    def __init__(self, variant: str, journal: Journal | None) -> None: ...
    def write(self, entry: Entry) -> Awaitable[None] | None:
        """Write an entry down."""
