"""Single matches that are not over: who made them, and whose places they take."""

import asyncio
import time
from collections.abc import Sequence

import msgspec

from arena.store.client import Client
from arena.store.keys import Scope, open_matches_of_bot, open_matches_of_owner

_STALE_US = 60_000_000


async def owner_of(client: Client, scope: Scope) -> str:
    """Return who made a single match, or a version."""
    return (await client.call("HGET", scope.head, "owner") or b"").decode()


async def close_match(client: Client, owner: str, scope: Scope, bots: Sequence[str] | None = None) -> None:
    """Free the places of its owner and its bots that a single match took, as it is over. May be called again."""
    if bots is None:
        raw = await client.call("HGET", scope.head, "bots")
        bots = () if raw is None else msgspec.msgpack.decode(raw, type=tuple[str, ...])
    await asyncio.gather(*(client.call("SREM", open_matches_of_bot(bot), str(scope)) for bot in dict.fromkeys(bots)))
    await client.call("ZREM", open_matches_of_owner(owner), str(scope))


async def is_stale(client: Client, scope: Scope) -> bool:
    """Tell whether a single match that is not written will not be: whoever was to make it is gone."""
    made_us = await client.call("HGET", scope.head, "created_us")
    return made_us is None or time.time_ns() // 1000 - int(made_us) > _STALE_US
