"""Deletes single matches that were kept long enough."""

import asyncio
import logging

from arena.store import Store
from arena.store.errors import StoreError

_LOOK_S = 60.0

log = logging.getLogger(__name__)


async def delete_old_matches(store: Store, keep_s: int, look_s: float = _LOOK_S) -> None:
    """Delete the single matches that are over and were made more than `keep_s` seconds ago, until cancelled."""
    while True:
        try:
            deleted = await store.matches.delete_older(keep_s)
        except StoreError as error:
            log.warning("old matches are left for later: %s", error)
        else:
            if deleted:
                log.info("%d single matches were kept long enough, and are deleted", deleted)
        await asyncio.sleep(look_s)
