"""Server-sent events of a league: its version and counts whenever they change.

A reader is sent what is now, not what was: an event says how the league stands, its id is the league's version. So a
reader that comes back, with the last id that it saw, has missed nothing, and a slow one skips what is out of date. An
event is written once for all readers.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator

import msgspec

from arena.store.errors import StoreError
from arena.web.event_stream import PING, frame
from arena.web.site.documents import DivisionDocument
from arena.web.site.reader import Reader

POLL_S = 0.5
"""How often a league that has readers is looked at."""
SENT_A_SECOND = 200
"""So many events are sent in a second, or less: of a league with many readers the events come more seldom."""
REFRESH_S = 2.0
REFRESHES = 10
"""A page is fetched anew at most every REFRESH_S, and all readers together at most REFRESHES times a second."""
MOST_READERS = 5_000
PING_S = 15.0
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

    async def frames(self, name: str, last: str) -> AsyncGenerator[bytes]:
        """The events from now on, as they are sent, until the league is over.

        `last` is the id that the reader saw last. While the store is away nothing but pings is sent.
        """
        watched = self._watched.get(name)
        if watched is None:
            watched = self._watched[name] = _Watched(self, self._reader, name)
        watched.readers += 1
        try:
            async for written in watched.follow(last):
                yield written
        finally:
            watched.readers -= 1
            if not watched.readers and self._watched.get(name) is watched:
                del self._watched[name]
                watched.close()


class _Watched:
    """One league, polled while it has readers."""

    def __init__(self, live: LiveEvents, reader: Reader, name: str) -> None:
        self.readers = 0
        self._live = live
        self._reader = reader
        self._name = name
        self._event: LiveLeague | None = None
        self._frame = b""
        self._changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._poll())

    async def follow(self, last: str) -> AsyncGenerator[bytes]:
        """The newest event whenever it is another one than `last`, and pings."""
        while True:
            event = self._event
            if event is not None and event.version != last:
                last = event.version
                yield self._written(event)
            elif self._task.done() or (event is not None and event.state in OVER):
                return
            else:
                await asyncio.wait((self._changed,), timeout=PING_S)
                if self._event is event and not self._task.done():
                    yield PING

    def close(self) -> None:
        """Poll no more."""
        self._task.cancel()

    async def _poll(self) -> None:
        while self._event is None or self._event.state not in OVER:
            try:
                league = await self._reader.league(self._name)
            except StoreError as error:
                log.debug("league %s cannot be read: %s", self._name, error)  # its page says so; events go on later
            else:
                if self._event is None or league.version != self._event.version:
                    self._event = LiveLeague(league.version, league.state, league.divisions, self._live.refresh_s)
                    self._frame = b""
                    self._wake()
            await asyncio.sleep(max(POLL_S, self.readers / SENT_A_SECOND))

    def _written(self, event: LiveLeague) -> bytes:
        """The event as it is sent: written once, and again when the readers have doubled."""
        if not self._frame or self._live.refresh_s > 2 * event.refresh_s:
            event = self._event = msgspec.structs.replace(event, refresh_s=self._live.refresh_s)
            self._frame = frame(event.version, msgspec.json.encode(event))
        return self._frame

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.get_running_loop().create_future()
        changed.set_result(None)
