"""Ends the streams of this node whose tokens were revoked, at whichever node or on the store."""

import asyncio
import logging

from arena.rpc.open_calls import OpenCalls
from arena.store import Store
from arena.store.errors import StoreError

_LOOK_S = 0.3

log = logging.getLogger(__name__)


async def end_revoked(store: Store, calls: OpenCalls) -> None:
    """Look for revoked tokens until cancelled. All are looked up whenever any was revoked, others once."""
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
        await asyncio.sleep(_LOOK_S)
