"""Spectators of the matches that run on this node."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache

from arena import wire
from arena.match.model import MatchResult
from core_ext import Event
from hanafuda.arena.v1 import match_pb2


class Feed:
    """One running match as spectators see it: everything public since its beginning.

    Spectators read at their own pace; nothing is queued for them.
    """

    def __init__(self, match_id: str) -> None:
        self.match_id = match_id
        self._messages: list[match_pb2.WatchMatchResponse] = []
        self._over = False
        self._changed = asyncio.Event()

    def show(self, events: tuple[Event, ...]) -> None:
        """The referee's spectator: public events, as they happen."""
        self._messages.extend(map(event_message, events))
        self._wake()

    def close(self, result: MatchResult | None = None) -> None:
        """The match is over; without a result it goes on at another node or was lost. Only the first call counts."""
        if self._over:
            return
        if result is not None:
            end = wire.match_end(self.match_id, result)
            self._messages.append(match_pb2.WatchMatchResponse(match_end=end))
        self._over = True
        self._wake()

    async def watch(self, seen: int = 0) -> AsyncIterator[match_pb2.WatchMatchResponse]:
        """The messages for a spectator who has `seen` that many events, to the end of the match."""
        while True:
            while seen < len(self._messages):
                seen += 1
                yield self._messages[seen - 1]
            if self._over:
                return
            await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()  # for those who wait now
        self._changed.clear()


class SpectatorFeeds:
    """The single matches that can be watched on this node. A league's matches are never opened here."""

    def __init__(self) -> None:
        self._feeds: dict[str, Feed] = {}
        self._opened = asyncio.Event()

    @contextmanager
    def playing(self, match_id: str) -> Iterator[Feed]:
        """The feed of a match while it is played here. A newer one of the same match, resumed here, stays open."""
        feed = self._feeds[match_id] = Feed(match_id)
        self._opened.set()  # for those who wait now
        self._opened.clear()
        try:
            yield feed
        finally:
            if self._feeds.get(match_id) is feed:
                del self._feeds[match_id]
            feed.close()

    async def find(self, match_id: str, patience_s: float = 0.0) -> Feed | None:
        """The match, while it runs on this node; one that has not begun is waited for, `patience_s` seconds at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while match_id not in self._feeds:
                    await self._opened.wait()
        return self._feeds.get(match_id)


@lru_cache(maxsize=1 << 13)
def event_message(event: Event) -> match_pb2.WatchMatchResponse:
    """One object for equal events, so that a long match costs little memory."""
    return match_pb2.WatchMatchResponse(event=wire.event_to_wire(event))
