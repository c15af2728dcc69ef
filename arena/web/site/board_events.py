"""Server-sent events of matches while they are played: what is new, drawn once for all who have seen as much.

Readers begin where the match stands, or stood a moment ago. Whoever has seen less asks for the steps by a request of
its own, and so does whoever wants to know what comes after the end.
"""

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from starlette.requests import Request

from arena.match.live import LiveMatch
from arena.store.errors import StoreError
from arena.web.event_stream import EventStream, Frame
from arena.web.language.choice import language_of
from arena.web.work import BusyError

MAX_SPECTATORS = 5_000
STILL_S = 10.0
"""How often who watches is told that nothing happened: who hears nothing for longer has lost the connection."""
STILL = Frame.event(b"", name="still")
_AT_ONCE = 100
"""So many readers are written to before something else has its turn."""
log = logging.getLogger(__name__)


class Place(NamedTuple):
    """How far a match is seen: a version of it, the last step that this has, and the deal of that."""

    version: int
    step: int
    deal: int


class Drawn(NamedTuple):
    """The steps of a match after those that were seen, and how far one has seen it with them."""

    markup: bytes
    place: Place


Find = Callable[[str], Awaitable[LiveMatch | None]]
Draw = Callable[[Request, LiveMatch, Place], Awaitable[Drawn]]


class BoardEvents:
    """The events of all matches that somebody watches."""

    def __init__(self, find: Find, draw: Draw) -> None:
        self._find = find
        self._draw = draw
        self._watched: dict[LiveMatch, _Watched] = {}

    @property
    def readers(self) -> int:
        """How many watch now."""
        return sum(len(watched.readers) for watched in self._watched.values())

    @contextlib.contextmanager
    def watched(self, live: LiveMatch, seen: Place, request: Request, reader: EventStream) -> Iterator[None]:
        """The reader, who has seen as much, is written the match's events until its end."""
        watched = self._watched.get(live)
        if watched is None:
            watched = self._watched[live] = _Watched(live, self._find, self._draw)
        watched.join(reader, seen, request)
        try:
            yield
        finally:
            watched.leave(reader)
            if not watched.readers and self._watched.get(live) is watched:
                del self._watched[live]
                watched.close()


class _Reader(NamedTuple):
    """What a reader has seen, and the request for which steps are drawn."""

    seen: Place
    request: Request


class _Watched:
    """One match, followed while it has readers."""

    def __init__(self, live: LiveMatch, find: Find, draw: Draw) -> None:
        self.readers: dict[EventStream, _Reader] = {}
        self._live = live
        self._find = find
        self._draw = draw
        self._telling = asyncio.Lock()
        self._task = asyncio.create_task(self._follow())
        self._catching_up: asyncio.Task[None] | None = None

    def join(self, reader: EventStream, seen: Place, request: Request) -> None:
        """Write to the reader from now on."""
        self.readers[reader] = _Reader(seen, request)
        if self._task.done():
            reader.end()
        elif seen.version < self._live.version and (self._catching_up is None or self._catching_up.done()):
            self._catching_up = asyncio.create_task(self._catch_up())

    def leave(self, reader: EventStream) -> None:
        """Write to the reader no more."""
        del self.readers[reader]

    def close(self) -> None:
        """Follow the match no more."""
        self._task.cancel()
        if self._catching_up is not None:
            self._catching_up.cancel()

    async def _follow(self) -> None:
        live, version = self._live, self._live.version
        try:
            while not live.is_over:
                await live.news(version, STILL_S)
                has_news, version = live.version != version or live.is_over, live.version
                # Pages look at what nodes show as long as somebody wants to know.
                await self._find(live.spec.match_id)
                if has_news:
                    await self._tell()
                else:
                    await self._write(list(self.readers), STILL)
        finally:
            for reader in self.readers:
                reader.end()

    async def _catch_up(self) -> None:
        """Write to those who came with an earlier version what they have not seen, as long as more of them come."""
        caught_up: set[EventStream] = set()
        while not caught_up.issuperset(behind := set(chain.from_iterable(self._behind().values()))):
            caught_up |= behind
            if not await self._tell():
                return

    def _behind(self) -> dict[tuple[str, Place], list[EventStream]]:
        """Return the readers who have not seen how the match stands, by their language and what they have seen."""
        groups = defaultdict(list)
        for reader, state in self.readers.items():
            if state.seen.version < self._live.version or self._live.is_over:
                groups[language_of(state.request).code, state.seen].append(reader)
        return groups

    async def _tell(self) -> bool:
        """Write how the match stands to all who have not seen it; whether that could be drawn."""
        live = self._live
        async with self._telling:
            for (_, seen), readers in self._behind().items():
                if live.is_over and live.result is None:
                    return False  # it goes on elsewhere or is lost: their next request says which
                request = next((self.readers[reader].request for reader in readers if reader in self.readers), None)
                if request is None:
                    continue  # all of them have left meanwhile
                try:
                    markup, place = await self._draw(request, live, seen)
                except (BusyError, StoreError) as error:
                    log.debug("match %s is not drawn: %s", live.spec.match_id, error)  # the next event has these steps
                    return False
                await self._write(readers, Frame.event(markup), place)
        return not live.is_over

    async def _write(self, readers: Sequence[EventStream], frame: Frame, place: Place | None = None) -> None:
        """Write a frame to those who are still there; with it they have seen the match up to a place."""
        for number, reader in enumerate(readers):
            if reader in self.readers and reader.write(frame) and place is not None:
                self.readers[reader] = self.readers[reader]._replace(seen=place)
            if number % _AT_ONCE == _AT_ONCE - 1:
                await asyncio.sleep(0)
