"""The journal of a match: the referee's entries, written to the store."""

from collections.abc import Awaitable

import msgspec

from arena.match.journal import Entry, Forfeit, Played
from arena.store.journal import FencedJournal


class _Started(msgspec.Struct, frozen=True, array_like=True, tag=2):
    """Written before the first question."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Played | Forfeit | _Started).decode


class StoredJournal:
    """The journal of a match under a lease. An `arena.match.journal.Journal`."""

    def __init__(self, journal: FencedJournal) -> None:
        self._journal = journal

    @property
    def resumed(self) -> bool:
        """Whether the match was started earlier, perhaps elsewhere: its first question may have been asked then."""
        return bool(self._journal.entries)

    async def begin(self) -> None:
        """Note that the match has started, before any bot is asked. Raises LeaseLostError."""
        if not self.resumed:
            await self._journal.write(_encode(_Started()))

    def entries(self) -> list[Entry]:
        """Return the entries that were written before the match came here."""
        return [entry for entry in map(_decode, self._journal.entries) if not isinstance(entry, _Started)]

    def write(self, entry: Entry) -> Awaitable[None]:
        """Write an entry down. Raises LeaseLostError when the match is another node's."""
        return self._journal.write(_encode(entry))
