"""The matches that this process plays now and that may be watched: what each is, and its actions so far."""

import asyncio
import contextlib
from collections.abc import Awaitable, Iterator, Sequence
from itertools import islice

import msgspec

from arena.match.journal import Entry, Journal, Played
from arena.match.model import MatchResult, MatchSpec
from arena.match.noticed import Noticed
from core_ext import SPECTATOR

_MOST_SHOWN = 200


class ShownMatch(msgspec.Struct, frozen=True, array_like=True):
    """A LiveMatch at one moment, for another process."""

    spec: MatchSpec
    whole: bool
    choices: bytes


class LiveMatch:
    """A match while it is played, as its journal: it has an action once the journal behind it has.

    With `whole` everything of it may be shown, else only what is public. When it is over, it has a result, unless it
    goes on elsewhere or was lost.
    """

    def __init__(self, spec: MatchSpec, journal: Journal | None, played: Sequence[Entry], *, whole: bool) -> None:
        self.spec = spec
        self.whole = whole
        self.is_over = False
        self.result: MatchResult | None = None
        self._journal = journal
        self._choices = bytearray(entry.choice for entry in played if isinstance(entry, Played))
        self._changed = asyncio.Event()
        self._noticed: Noticed | None = None

    @property
    def choices(self) -> bytes:
        """The actions, as a MatchResult has them; for those who carry the match on, not for those who watch."""
        return bytes(self._choices)

    @property
    def version(self) -> int:
        """A number that is raised whenever those who watch have something new to see, and then alone."""
        return len(self._choices) if self.whole else self._public().version

    @property
    def shown(self) -> bytes:
        """The actions from which what is shown may be made: all of a whole match, of others those that are public."""
        return self.choices if self.whole else self.choices[: self._public().actions]

    def _public(self) -> Noticed:
        if self._noticed is None:
            self._noticed = Noticed(self.spec, SPECTATOR)
        self._noticed.advance(self.choices)
        return self._noticed

    def write(self, entry: Entry) -> Awaitable[None] | None:
        """Write an entry down, then show it. Raises what the journal behind it raises."""
        written = None if self._journal is None else self._journal.write(entry)
        if written is not None:
            return self._show_when(written, entry)
        self._show(entry)
        return None

    async def _show_when(self, written: Awaitable[None], entry: Entry) -> None:
        await written
        self._show(entry)

    def _show(self, entry: Entry) -> None:
        if isinstance(entry, Played):
            self._choices.append(entry.choice)
            self._wake()

    async def news(self, seen: int, patience_s: float | None = None) -> None:
        """Wait for something to see after version `seen`, or the end, for so many seconds at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while self.version <= seen and not self.is_over:
                    await self._changed.wait()

    def show(self, choices: bytes) -> None:
        """Take over the actions that the process which plays the match has shown."""
        if len(choices) > len(self._choices):
            self._choices[:] = choices
            self._wake()

    def close(self) -> None:
        """The match is over here."""
        self.is_over = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()  # for those who wait now
        self._changed.clear()


class LiveMatches:
    """The live matches by their ids. A match that nobody may watch is never here."""

    def __init__(self) -> None:
        self._matches: dict[str, LiveMatch] = {}
        self._begun = asyncio.Event()

    def find(self, match_id: str) -> LiveMatch | None:
        """The match, while it is played here."""
        return self._matches.get(match_id)

    async def wait_for(self, match_id: str, patience_s: float) -> LiveMatch | None:
        """The match, while it is played here; one that has not begun is waited for, so many seconds at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while match_id not in self._matches:
                    await self._begun.wait()
        return self.find(match_id)

    def __iter__(self) -> Iterator[LiveMatch]:
        return iter(list(self._matches.values()))

    @contextlib.contextmanager
    def playing(
        self, spec: MatchSpec, journal: Journal | None, played: Sequence[Entry], *, whole: bool
    ) -> Iterator[LiveMatch]:
        """Show a match while the body plays it; the referee writes to the journal that this gives."""
        live = LiveMatch(spec, journal, played, whole=whole)
        self._matches[spec.match_id] = live
        self._begun.set()  # for those who wait now
        self._begun.clear()
        try:
            yield live
        finally:
            if self._matches.get(spec.match_id) is live:
                del self._matches[spec.match_id]
            live.close()


def snapshot(live: LiveMatches) -> bytes:
    """The matches as they stand now, the first `_MOST_SHOWN` of them, for `read_snapshot`."""
    shown = [ShownMatch(match.spec, match.whole, match.choices) for match in islice(live, _MOST_SHOWN)]
    return msgspec.msgpack.encode(shown)


def read_snapshot(raw: bytes) -> list[ShownMatch]:
    """What `snapshot` wrote."""
    return msgspec.msgpack.decode(raw, type=list[ShownMatch])
