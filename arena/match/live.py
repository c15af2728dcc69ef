"""The matches that this process plays and that may be watched: what each is, its actions so far, and how it ended."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Iterator, Sequence
from itertools import islice

import msgspec

from arena.match.journal import Entry, Journal, Played
from arena.match.model import MatchResult, MatchSpec
from arena.match.noticed import Noticed
from core_ext import SPECTATOR

_MAX_SHOWN = 200
_ENDED_S = 30.0
"""How long a match is shown after its end, so that nobody who looks now and then misses it."""


class ShownMatch(msgspec.Struct, frozen=True, array_like=True):
    """A LiveMatch at one moment, for another process; `result` is that of a match that is over, without its actions."""

    spec: MatchSpec
    whole: bool
    choices: bytes
    result: MatchResult | None = None


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

    def close(self, result: MatchResult | None = None) -> None:
        """End the match here, with its result where it is over."""
        self.result = self.result or result
        self.is_over = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()  # for those who wait now
        self._changed.clear()


class LiveMatches:
    """The live matches by their ids. A match that nobody may watch is never here."""

    def __init__(self) -> None:
        self._matches: dict[str, LiveMatch] = {}
        self._ended: dict[str, tuple[float, LiveMatch]] = {}
        self._begun = asyncio.Event()

    def find(self, match_id: str) -> LiveMatch | None:
        """Return the match, while it is played here."""
        return self._matches.get(match_id)

    async def wait_for(self, match_id: str, patience_s: float) -> LiveMatch | None:
        """Return the match, while it is played here; one that has not begun is waited for, so many seconds at most."""
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
            if live.result is not None:
                self._keep(live)
            live.close()

    def ended(self) -> list[LiveMatch]:
        """Return the matches that ended here in the last `_ENDED_S` seconds, at most `_MAX_SHOWN`."""
        now = time.monotonic()
        return [live for ended_at, live in self._ended.values() if now - ended_at < _ENDED_S]

    def _keep(self, live: LiveMatch) -> None:
        now = time.monotonic()
        self._ended.pop(live.spec.match_id, None)
        self._ended[live.spec.match_id] = now, live
        for match_id, (ended_at, _) in list(self._ended.items()):
            if now - ended_at < _ENDED_S and len(self._ended) <= _MAX_SHOWN:
                break
            del self._ended[match_id]


def snapshot(live: LiveMatches) -> bytes:
    """Return the matches as they stand, `_MAX_SHOWN` under way and as many that ended, for `read_snapshot`."""
    shown = [_shown(match) for match in (*live.ended(), *islice(live, _MAX_SHOWN))]
    return msgspec.msgpack.encode(shown)


def _shown(match: LiveMatch) -> ShownMatch:
    result = match.result
    if result is not None:
        result = msgspec.structs.replace(result, choices=b"", clock_ms=(), thinking=())
    return ShownMatch(match.spec, match.whole, match.choices, result)


def read_snapshot(raw: bytes) -> list[ShownMatch]:
    """Return what `snapshot` wrote."""
    return msgspec.msgpack.decode(raw, type=list[ShownMatch])
