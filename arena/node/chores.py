"""A node's periodic tasks. Each runs until cancelled; when the store does not answer, it is tried again later."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from arena.match.live import LiveMatches, snapshot
from arena.node.job_loop import SINGLES, JobLoop
from arena.node.seat_provider import SeatProvider
from arena.rpc.identity import OwnerIdentity
from arena.rpc.open_calls import OpenCalls
from arena.store import Scope, Store
from arena.store.errors import StoreError
from arena.store.snapshots import Snapshots

_OLD_S = 60.0
_OVER_S = 2.0
_REVOKED_S = 0.3
_OWNERS = OwnerIdentity("").share
"""What the shares of all owners begin with; the owner's name follows."""
_SHOWN_S = 0.5
"""How often the node checks whether its matches are watched elsewhere, and shows how they stand."""

_FAILED_S = 10.0
"""Seconds until a periodic task that failed is started again."""

log = logging.getLogger(__name__)


async def keep_running(task: Callable[[], Awaitable[None]]) -> None:
    """Run a periodic task until cancelled: if it raises an error, log that and start it again `_FAILED_S` later."""
    while True:
        try:
            await task()
        except Exception:
            # The other tasks and the node's matches have no part in the error, so it must not end the node.
            log.exception("a periodic task failed and is started again in %g s", _FAILED_S)
        await asyncio.sleep(_FAILED_S)


async def delete_old_matches(store: Store, keep_s: int) -> None:
    """Delete the single matches that are over and were made more than `keep_s` seconds ago."""
    while True:
        try:
            deleted = await store.matches.delete_older(keep_s)
        except StoreError as error:
            log.warning("old matches are left for later: %s", error)
        else:
            if deleted:
                log.info("%d single matches were kept long enough, and are deleted", deleted)
        await asyncio.sleep(_OLD_S)


async def end_bots(store: Store, seat_provider: SeatProvider) -> None:
    """End the supervised bots of each league as soon as it is over."""
    while True:
        for group in seat_provider.groups() - {SINGLES}:
            try:
                league = await store.leagues.get(Scope.parse(group).name)
            except StoreError as error:
                log.debug("the bots of %s go on running: %s", group, error)
                continue
            if league.state in ("finished", "cancelled"):
                await seat_provider.close(group)
        await asyncio.sleep(_OVER_S)


async def end_revoked(store: Store, calls: OpenCalls) -> None:
    """End the streams of this node whose tokens were revoked, at whichever node or on the store.

    The tokens of all streams are checked whenever any token was revoked, those of new streams once.
    """
    known = -1
    while True:
        try:
            # Before the tokens: one that is revoked after this raises the count again.
            count = await store.tokens.revocations()
            tokens = calls.tokens(unchecked=count == known)
            calls.check(tokens, await store.tokens.revoked(tokens))
            known = count
        except StoreError as error:
            log.warning("cannot look for revoked tokens: %s", error)
        await asyncio.sleep(_REVOKED_S)


async def abandon_matches(store: Store, worker: JobLoop) -> None:
    """Abandon the single matches here that were asked for by owners who have ended since."""
    while True:
        shares = {share.removeprefix(_OWNERS): share for share in worker.owners() if share.startswith(_OWNERS)}
        try:
            for name in await store.owners.ended(shares):
                worker.abandon(shares[name], f"owner {name} has ended")
        except StoreError as error:
            log.debug("matches of owners who may have ended go on: %s", error)
        await asyncio.sleep(_REVOKED_S)


async def show_matches(snapshots: Snapshots, node: str, live: LiveMatches, look_s: float = _SHOWN_S) -> None:
    """Show the matches in `live` to pages in other processes, while those ask for them."""
    while True:
        try:
            if await snapshots.requested():
                await snapshots.show(node, snapshot(live))
        except StoreError as error:
            log.debug("matches cannot be shown now: %s", error)  # who watches them sees that, too
        await asyncio.sleep(look_s)
