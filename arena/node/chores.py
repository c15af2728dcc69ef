"""A node's periodic tasks."""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from arena.match.live import LiveMatches, snapshot
from arena.node.job_loop import Pool
from arena.organizer import ladders, schedules
from arena.rpc.identity import OwnerIdentity
from arena.rpc.open_calls import OpenCalls
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.snapshots import Snapshots

_OWNERS = OwnerIdentity("").share
"""What the shares of all owners begin with; the owner's name follows."""

_AWAY_S = 10.0
"""Seconds that a bot may be away and stays on its ladders: as long as a match waits for it by default."""
_RETRY_S = 1.0
"""Seconds, at least, until what the store did not answer is tried again."""
_FAILED_S = 10.0
"""Seconds until a periodic task that failed is started again."""

log = logging.getLogger(__name__)


async def repeat(task: Callable[[], Awaitable[None]], undone: str, every_s: float = 0.0) -> None:
    """Run a task every `every_s` seconds until cancelled; an error of it is logged, and it is tried again later.

    `undone` says in the log what is not done while the store does not answer.
    """
    while True:
        pause_s = every_s
        try:
            await task()
        except StoreError as error:
            log.warning("%s: %s", undone, error)
            pause_s = max(every_s, _RETRY_S)
        except Exception:
            # The other tasks and the node's matches have no part in the error, so it must not end the node.
            log.exception("a periodic task failed and is started again in %g s", _FAILED_S)
            pause_s = _FAILED_S
        await asyncio.sleep(pause_s)


async def finish_migration(store: Store) -> None:
    """Bring the store to this version's key schema once the last older node has ended."""
    await store.finish_migration()


async def carry_out_schedules(store: Store) -> None:
    """Open and start the leagues of schedules that are due."""
    await schedules.carry_out(store, datetime.now(UTC))


class Ladders:
    """Looks after the ladders: their seasons begin, versions change, bots come and go."""

    def __init__(self, store: Store, node: str, connected: Callable[[str], bool]) -> None:
        self._store, self._node, self._connected = store, node, connected
        self._seen: dict[str, float] = {}
        self._pacing = ladders.Pacing()

    async def run(self) -> None:
        """Look after those that are due."""
        await ladders.carry_out(self._store, self._node, self._lately_connected, self._pacing)

    def _lately_connected(self, bot: str) -> bool:
        now = time.monotonic()
        if self._connected(bot):
            self._seen[bot] = now
        return now - self._seen.get(bot, -math.inf) <= _AWAY_S


async def delete_old_matches(store: Store, keep_s: int) -> None:
    """Delete the single matches that are over and were made more than `keep_s` seconds ago."""
    deleted = await store.matches.delete_older(keep_s)
    if deleted:
        log.info("%d single matches were kept long enough, and are deleted", deleted)


async def end_revoked(store: Store, calls: OpenCalls) -> None:
    """End the streams of this node whose tokens were revoked, at whichever node or on the store.

    The tokens of all streams are checked whenever any token was revoked, those of new streams once.
    """
    # Before the tokens: one that is revoked after this raises the count again.
    count = await store.tokens.revocations()
    tokens = calls.unchecked(count)
    calls.check(tokens, await store.tokens.revoked(tokens), count)


async def abandon_matches(store: Store, singles: Pool) -> None:
    """Abandon the single matches here that were asked for by owners who have ended since."""
    shares = {share.removeprefix(_OWNERS): share for share in singles.owners() if share.startswith(_OWNERS)}
    for name in await store.owners.ended(shares):
        singles.abandon(shares[name], f"owner {name} has ended")


async def show_matches(snapshots: Snapshots, node: str, live: LiveMatches) -> None:
    """Show the matches in `live` to pages in other processes, if those ask for them."""
    if await snapshots.requested():
        await snapshots.show(node, snapshot(live))
