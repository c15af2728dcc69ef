"""A match's journal, as the store keeps it and as the referee writes it."""

import msgspec

from arena.match.journal import Entry, Forfeit, Played
from arena.store.journal import FencedJournal


class _Begun(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """Written before the first question."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Played | Forfeit | _Begun).decode


class StoredJournal:
    """The journal of a match under a lease. An `arena.match.journal.Journal`."""

    def __init__(self, journal: FencedJournal) -> None:
        self._journal = journal

    @property
    def begun(self) -> bool:
        """Whether the match had begun before it came here: what it asks first may have been asked before."""
        return bool(self._journal.entries)

    async def begin(self) -> None:
        """The match begins, or goes on: to be awaited before anybody is asked. Raises LeaseLostError."""
        if not self.begun:
            await self._journal.write(_encode(_Begun()))

    def entries(self) -> list[Entry]:
        """What was written before the match came here."""
        return [entry for entry in map(_decode, self._journal.entries) if not isinstance(entry, _Begun)]

    async def write(self, entry: Entry) -> None:
        """Write an entry down. Raises LeaseLostError when the match is another node's."""
        await self._journal.write(_encode(entry))
