"""Single matches that are not over: who made them, whose places they take, and when they are polled."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from arena.store.keys import MATCH_OWNERS, Scope, open_matches_of_bot, open_matches_of_owner

if TYPE_CHECKING:
    from arena.store.client import Client

_STALE_US = 60_000_000


async def owner_of(client: Client, scope: Scope) -> str:
    """Return who made a single match, or a version."""
    return (await client.call("HGET", scope.head, "owner") or b"").decode()


async def announce_match(client: Client, owner: str, scope: Scope, delay_us: int = 0, score: bytes | str = "") -> None:
    """Announce to every node that a single match of the owner may have a job, `delay_us` microseconds from now.

    With the `score` of a poll, only where the match is open and was not announced since.
    """
    keys = [open_matches_of_owner(owner), MATCH_OWNERS]
    await client.script("announce", keys, [str(scope), delay_us, score, owner])


async def close_match(client: Client, owner: str, scope: Scope, bots: Sequence[str] | None = None) -> None:
    """Free the places of its owner and its bots that a single match took, as it is over. May be called again."""
    if bots is None:
        raw = await client.call("HGET", scope.head, "bots")
        bots = () if raw is None else msgspec.msgpack.decode(raw, type=tuple[str, ...])
    keys = [open_matches_of_owner(owner), *map(open_matches_of_bot, dict.fromkeys(bots))]
    await client.script("close_match", keys, [str(scope)])


async def is_stale(client: Client, scope: Scope) -> bool:
    """Whether a single match that is not written will not be: whoever was to make it is gone."""
    made_us = await client.call("HGET", scope.head, "created_us")
    return made_us is None or time.time_ns() // 1000 - int(made_us) > _STALE_US
