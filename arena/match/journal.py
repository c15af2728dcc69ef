"""What is written down of a match while it is played, so that it can be resumed."""

from collections.abc import Awaitable
from typing import Protocol, TypeAlias

from msgspec import Struct

from arena.match.model import End, Rejection


class Played(Struct, frozen=True, array_like=True, tag=0, gc=False):
    """An action of a match: its index in the legal list, whose it was, and how long that took by the arena's clock.

    `refused` says why it was played in the seat's place, where it was; `rejections` counts the seat's moves in the
    match so far that were not taken. A match is resumed from these, in order.
    """

    seat: int
    choice: int
    clock_ms: int
    refused: Rejection | None
    rejections: int


class Forfeit(Struct, frozen=True, array_like=True, tag=1, gc=False):
    """The end of a match by what a seat did; `rejections` counts the seat's moves that were not taken.

    `offender` is -1 where the match was declined or abandoned.
    """

    end: End
    offender: int
    text: str
    rejections: int


Entry: TypeAlias = Played | Forfeit


class Journal(Protocol):
    """Where a match is written down. An error from it ends the match here, without notices to the seats."""

    def write(self, entry: Entry) -> Awaitable[None] | None:
        """Called after each action, and at a forfeit; awaited, unless it is None, before anything that follows from the
        entry is sent to anybody."""


class JournalError(ValueError):
    """A journal is not of this match."""
