"""The matches that can be watched: those that nodes show through the store."""

import asyncio
import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence

from arena.match.live import LiveMatch, ShownMatch, read_snapshot
from arena.store.errors import StoreError
from arena.store.snapshots import Snapshots

_POLL_S = 1.0
_LOOKS = 2
"""The second look finds what nodes show once they know that somebody wants to see it."""
_PATIENCE_S = 3.0
"""How long these looks may take."""
_MAX_ENDED = 500
"""How many matches that are over are still shown to the end."""
_FOLLOWED_S = 20.0
"""How long the store is looked at after somebody asked."""

log = logging.getLogger(__name__)


class Watchable:
    """The matches that can be watched, by their ids. No node shows here a match that nobody may watch."""

    def __init__(self, snapshots: Snapshots) -> None:
        self._snapshots = snapshots
        self._matches: dict[str, LiveMatch] = {}
        self._ended: OrderedDict[str, LiveMatch] = OrderedDict()
        self._until = 0.0
        self._task: asyncio.Task[None] | None = None
        self._looks = 0
        self._looked = asyncio.Condition()

    def __iter__(self) -> Iterator[LiveMatch]:
        """Those that are known now; they are known a little after somebody asked for the first time."""
        self._look()
        return iter(list(self._matches.values()))

    async def listed(self) -> list[LiveMatch]:
        """Return all of them: who asks first waits until nodes have shown theirs."""
        await self._shown_by_now(lambda: False)
        return list(self)

    async def find(self, match_id: str) -> LiveMatch | None:
        """Return the match while it is played somewhere, and for a while after its end."""
        await self._shown_by_now(lambda: match_id in self._matches or match_id in self._ended)
        return self._matches.get(match_id) or self._ended.get(match_id)

    async def aclose(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _shown_by_now(self, is_seen: Callable[[], bool]) -> None:
        """Wait until it is seen, or all matches are shown; while the store is away, not for long."""
        self._look()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S), self._looked:
                await self._looked.wait_for(lambda: is_seen() or self._looks >= _LOOKS)

    def _look(self) -> None:
        """Look at the store for a while from now on."""
        self._until = time.monotonic() + _FOLLOWED_S
        if self._task is None or self._task.done():
            self._looks = 0
            self._task = asyncio.create_task(self._follow())

    async def _follow(self) -> None:
        while time.monotonic() < self._until:
            try:
                await self._snapshots.request()
                matches = [match for raw in await self._snapshots.shown() for match in read_snapshot(raw)]
            except StoreError as error:
                log.debug("matches cannot be seen: %s", error)  # those that are known stay
            else:
                self._update(matches)
                self._looks += 1
                async with self._looked:
                    self._looked.notify_all()
            await asyncio.sleep(_POLL_S)
        self._update(())

    def _update(self, shown: Sequence[ShownMatch]) -> None:
        under_way = {match.spec.match_id: match for match in shown if match.result is None}
        ended = {match.spec.match_id: match for match in shown if match.result is not None}
        for match_id, match in ended.items():
            if match_id not in self._ended:
                live = self._matches.pop(match_id, None) or LiveMatch(match.spec, None, (), whole=match.whole)
                live.show(match.choices)
                live.close(match.result)
                self._ended[match_id] = live
                if len(self._ended) > _MAX_ENDED:
                    self._ended.popitem(last=False)
        for match_id, live in list(self._matches.items()):
            if match_id not in under_way or not under_way[match_id].choices.startswith(live.choices):
                del self._matches[match_id]  # it is lost, or another node has started it anew
                live.close()
        for match_id, match in under_way.items():
            live = self._matches.get(match_id) or LiveMatch(match.spec, None, (), whole=match.whole)
            live.show(match.choices)
            self._matches[match_id] = live
