"""Works out the luck of the matches of leagues that measure it, when nobody else has anything to do."""

import logging
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from arena.league.errors import LuckValueError
from arena.organizer.luck import work_out, worker_pool
from arena.organizer.steps import spec_of
from arena.store import League, Store
from arena.store.paging import all_pages

CLAIM_MS = 120_000
"""How long a league's luck is left to a node that has claimed it."""
_MATCHES = 64
"""Matches of a league that are worked out before it is claimed again."""
_ALL_EVERY_S = 60.0
"""How often all leagues are looked at: a short one may come and go unseen."""

log = logging.getLogger(__name__)


class LuckChore:
    """One process of the lowest priority, as long as there is something to work out.

    Leagues under way are looked at each time that one of their matches has ended, all others now and then.
    """

    def __init__(self, store: Store, owner: str) -> None:
        self._store = store
        self._owner = owner
        self._waiting: set[str] = set()
        """Leagues whose luck may be missing."""
        self._done: set[str] = set()
        self._seen: dict[str, object] = {}
        """How a league stood when nothing of it could be worked out."""
        self._refused: set[str] = set()
        self._all_at = 0.0
        self._pool: ProcessPoolExecutor | None = None

    async def run(self) -> None:
        """Work out what there is. Raises StoreError."""
        if time.monotonic() >= self._all_at:
            listed = {league.name async for league in all_pages(self._store.leagues.list)}
            self._waiting |= listed - self._done
            self._all_at = time.monotonic() + _ALL_EVERY_S
        self._waiting.update(await self._store.leagues.under_way())
        done = 0
        for name in sorted(self._waiting):
            done += await self._work_out(await self._store.leagues.get(name))
        if not done:
            self.close()

    def close(self) -> None:
        """End the process."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _work_out(self, league: League) -> int:
        """Work out a league's luck, or a part of it; return of how many matches."""
        stands = league.state, league.played, league.secret is None
        if self._seen.get(league.name) == stands:
            return 0
        done = 0
        if any(division.luck_value is not None for division in spec_of(league).divisions):
            if not await self._store.findings.try_claim_luck(league.name, self._owner, CLAIM_MS):
                return 0
            self._pool = self._pool or worker_pool(1, idle=True)
            try:
                done = await work_out(self._store, league, self._pool, limit=_MATCHES)
            except LuckValueError as error:
                if league.name not in self._refused:
                    log.warning("the luck of league %s is left to other nodes: %s", league.name, error)
                self._refused.add(league.name)
            except BrokenProcessPool:
                log.warning("the process that works out luck was ended; another one takes its place")
                self.close()
                return 0
        if not done:
            self._seen[league.name] = stands
            if league.secret is not None:  # it is over, and no board of it is closed any more
                self._waiting.discard(league.name)
                self._done.add(league.name)
                del self._seen[league.name]
        return done
