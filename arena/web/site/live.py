"""Server-sent events of a league: its version and counts whenever they change.

A reader is sent what is now, not what was: an event says how the league stands, its id is the league's version. So a
reader that comes back, with the last id that it saw, has missed nothing, and a slow one skips what is out of date. An
event is written once for all readers.
"""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from arena.store.errors import StoreError
from arena.web.event_stream import PING, EventStream, Frame
from arena.web.site.documents import DivisionDocument
from arena.web.site.reader import Reader

POLL_S = 0.5
"""How often a league that has readers is looked at."""
SENT_A_SECOND = 200
"""So many events are sent in a second, or less: of a league with many readers the events come more seldom."""
REFRESH_S = 2.0
REFRESHES = 10
"""A page is fetched anew at most every REFRESH_S, and all readers together at most REFRESHES times a second."""
MAX_READERS = 5_000
PING_S = 15.0
_AT_ONCE = 100
"""So many readers are written to before something else has its turn."""
log = logging.getLogger(__name__)

OVER = frozenset({"finished", "cancelled"})


class LiveLeague(msgspec.Struct, frozen=True):
    """How a league stands. `refresh_s`: how long a reader waits, on an average, before it fetches the page anew."""

    version: str
    state: str
    divisions: tuple[DivisionDocument, ...]
    refresh_s: float


class LiveEvents:
    """Events of all leagues that somebody watches; one look at the store serves all readers of a league."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._watched: dict[str, _Watched] = {}

    @property
    def readers(self) -> int:
        """How many watch now."""
        return sum(watched.readers for watched in self._watched.values())

    @property
    def refresh_s(self) -> float:
        """How long a reader waits, on an average, before it fetches a page anew."""
        return max(REFRESH_S, self.readers / REFRESHES)

    @contextmanager
    def watched(self, name: str, last: str, reader: EventStream) -> Iterator[None]:
        """The reader is written the league's events, until it is over.

        `last` is the id that the reader saw last. While the store is away nothing but pings is sent.
        """
        watched = self._watched.get(name)
        if watched is None:
            watched = self._watched[name] = _Watched(self, self._reader, name)
        watched.join(reader, last)
        try:
            yield
        finally:
            watched.leave(reader)
            if not watched.readers and self._watched.get(name) is watched:
                del self._watched[name]
                watched.close()


class _Watched:
    """One league, polled while it has readers."""

    def __init__(self, live: LiveEvents, reader: Reader, name: str) -> None:
        self._live = live
        self._reader = reader
        self._name = name
        self._seen: dict[EventStream, str] = {}
        """The id that each reader saw last."""
        self._event: LiveLeague | None = None
        self._frame: Frame | None = None
        self._sent_at = time.monotonic()
        self._task = asyncio.create_task(self._follow())

    @property
    def readers(self) -> int:
        """How many watch now."""
        return len(self._seen)

    def join(self, reader: EventStream, last: str) -> None:
        """Write to the reader from now on."""
        self._seen[reader] = last
        if self._event is not None and self._event.version != last:
            self._write(reader, self._event)
        if self._task.done():
            reader.end()

    def leave(self, reader: EventStream) -> None:
        """Write to the reader no more."""
        del self._seen[reader]

    def close(self) -> None:
        """Poll no more."""
        self._task.cancel()

    async def _follow(self) -> None:
        try:
            await self._poll()
        finally:
            for reader in self._seen:
                reader.end()

    async def _poll(self) -> None:
        while True:
            try:
                league = await self._reader.league(self._name)
            except StoreError as error:
                log.debug("league %s cannot be read: %s", self._name, error)  # its page says so; events go on later
            else:
                if self._event is None or league.version != self._event.version:
                    self._event = LiveLeague(league.version, league.state, league.divisions, self._live.refresh_s)
                    self._frame = None
                    await self._write_all()
                    if league.state in OVER:
                        return
            if time.monotonic() - self._sent_at >= PING_S:
                await self._write_all()
            await asyncio.sleep(min(max(POLL_S, self.readers / SENT_A_SECOND), PING_S))

    async def _write_all(self) -> None:
        """The newest event to those who have not seen it, a ping to others."""
        self._sent_at = time.monotonic()
        for number, reader in enumerate(list(self._seen)):
            if reader in self._seen:
                self._write(reader, self._event)
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)

    def _write(self, reader: EventStream, event: LiveLeague | None) -> None:
        if event is None or event.version == self._seen[reader]:
            reader.write(PING)
        elif reader.write(self._written(event)):
            self._seen[reader] = event.version

    def _written(self, event: LiveLeague) -> Frame:
        """The event as it is sent: written once, and again when the readers have doubled."""
        if self._frame is None or self._live.refresh_s > 2 * event.refresh_s:
            event = self._event = msgspec.structs.replace(event, refresh_s=self._live.refresh_s)
            self._frame = Frame.event(msgspec.json.encode(event), event_id=event.version)
        return self._frame
