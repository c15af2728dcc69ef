"""The matches that can be watched here: those that this process plays, and those that nodes show through the store."""

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence

from arena.match.live import LiveMatch, LiveMatches, ShownMatch, read_snapshot
from arena.store.boards import ShownBoards
from arena.store.errors import StoreError

_POLL_S = 1.0
_PATIENCE_S = 3.0
"""How long a node may need to show its matches once it is asked to."""
_KEPT_S = 20.0
"""How long the store is looked at after somebody asked."""

log = logging.getLogger(__name__)


class Watchable:
    """All of them, by their ids. A match that nobody may watch is never here: its node does not show it."""

    def __init__(self, own: LiveMatches, shown: ShownBoards | None = None) -> None:
        """`own` are the matches of this process; `shown` are those of others, where there is a store."""
        self._own = own
        self._shown = shown
        self._others: dict[str, LiveMatch] = {}
        self._until = 0.0
        self._task: asyncio.Task[None] | None = None
        self._looked = asyncio.Condition()

    def __iter__(self) -> Iterator[LiveMatch]:
        """Those that are known now; that others play is known a little after somebody asked for the first time."""
        self._look()
        yield from self._own
        for match_id, match in list(self._others.items()):
            if self._own.find(match_id) is None:
                yield match

    async def find(self, match_id: str) -> LiveMatch | None:
        """The match, while it is played somewhere."""
        fresh = self._look()
        if fresh and self._own.find(match_id) is None:
            try:
                async with asyncio.timeout(_PATIENCE_S), self._looked:
                    await self._looked.wait_for(lambda: match_id in self._others)
            except TimeoutError:
                return None
        return self._own.find(match_id) or self._others.get(match_id)

    async def aclose(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _look(self) -> bool:
        """Look at the store for a while from now on; whether that begins only now."""
        if self._shown is None:
            return False
        self._until = time.monotonic() + _KEPT_S
        if self._task is not None and not self._task.done():
            return False
        self._task = asyncio.create_task(self._follow(self._shown))
        return True

    async def _follow(self, shown: ShownBoards) -> None:
        while time.monotonic() < self._until:
            try:
                await shown.request()
                found = [match for raw in await shown.shown() for match in read_snapshot(raw)]
            except StoreError as error:
                log.debug("other nodes' matches cannot be seen: %s", error)  # those that are known stay
            else:
                self._update(found)
                async with self._looked:
                    self._looked.notify_all()
            await asyncio.sleep(_POLL_S)
        self._update(())

    def _update(self, found: Sequence[ShownMatch]) -> None:
        now = {match.spec.match_id: match for match in found}
        for match_id, known in list(self._others.items()):
            if match_id not in now or not now[match_id].choices.startswith(known.choices):
                del self._others[match_id]  # it is over, or another node has started it anew
                known.close()
        for match_id, match in now.items():
            known = self._others.get(match_id) or LiveMatch(match.spec, None, (), whole=match.whole)
            known.show(match.choices)
            self._others[match_id] = known
