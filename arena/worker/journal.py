"""A match's journal, as the store keeps it and as the referee writes it."""

import msgspec

from arena.referee.journal import Played
from arena.referee.model import Rejection
from arena.store.journal import Journal


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    seat: int
    choice: int
    clock_ms: int
    refused: Rejection | None
    rejections: int


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Entry).decode


class StoredJournal:
    """The journal of a match under a lease. A `referee.journal.Journal`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def played(self) -> list[Played]:
        """What was written before the match came here."""
        return [
            Played(entry.seat, entry.choice, entry.clock_ms, entry.refused, entry.rejections)
            for entry in map(_decode, self._journal.entries)
        ]

    async def write(self, played: Played) -> None:
        """Write an action down. Raises LeaseLostError when the match is another node's."""
        await self._journal.write(_encode(_Entry(*played)))

    async def confirm(self) -> None:
        """Whether the match is still this node's. Raises LeaseLostError."""
        await self._journal.confirm()
