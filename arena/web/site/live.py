"""Server-sent events of a league: its version and counts whenever they change.

A reader is sent what is now, not what was: an event says how the league stands, its id is the league's version. So a
reader that comes back, with the last id that it saw, has missed nothing, and a slow one skips what is out of date.
"""

import asyncio
import logging
from collections.abc import AsyncIterator

import msgspec

from arena.store.errors import StoreError
from arena.web.site.documents import DivisionDocument, LeagueDocument
from arena.web.site.reader import Reader

POLL_S = 0.5
"""How often a league that has readers is looked at."""
SENT_A_SECOND = 400
"""So many events are sent in a second, or less: of a league with many readers the events come more seldom."""
REFRESH_S = 2.0
REFRESHES = 10
"""A page is fetched anew at most every REFRESH_S, and all readers together at most REFRESHES times a second."""
MOST_READERS = 5_000
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

    async def events(self, name: str, last: str) -> AsyncIterator[tuple[str, bytes]]:
        """The ids and the JSON of events, from now on, until the league is over.

        `last` is the id that the reader saw last. While the store is away nothing is sent.
        """
        watched = self._watched.get(name)
        if watched is None:
            watched = self._watched[name] = _Watched(self._reader, name)
        watched.readers += 1
        try:
            async for league in watched.follow(last):
                refresh_s = max(REFRESH_S, self.readers / REFRESHES)
                event = LiveLeague(league.version, league.state, league.divisions, refresh_s)
                yield league.version, msgspec.json.encode(event)
        finally:
            watched.readers -= 1
            if not watched.readers and self._watched.get(name) is watched:
                del self._watched[name]
                watched.close()


class _Watched:
    """One league, polled while it has readers."""

    def __init__(self, reader: Reader, name: str) -> None:
        self.readers = 0
        self._reader = reader
        self._name = name
        self._league: LeagueDocument | None = None
        self._changed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._poll())

    async def follow(self, last: str) -> AsyncIterator[LeagueDocument]:
        """The league whenever it has changed since the version `last`."""
        while True:
            league = self._league
            if league is not None and league.version != last:
                last = league.version
                yield league
            elif self._task.done() or (league is not None and league.state in OVER):
                return
            else:
                await asyncio.shield(self._changed)

    def close(self) -> None:
        """Poll no more."""
        self._task.cancel()

    async def _poll(self) -> None:
        while self._league is None or self._league.state not in OVER:
            try:
                league = await self._reader.league(self._name)
            except StoreError as error:
                log.debug("league %s cannot be read: %s", self._name, error)  # its page says so; events go on later
            else:
                if league != self._league:
                    self._league = league
                    self._wake()
            await asyncio.sleep(max(POLL_S, self.readers / SENT_A_SECOND))

    def _wake(self) -> None:
        changed, self._changed = self._changed, asyncio.get_running_loop().create_future()
        changed.set_result(None)
