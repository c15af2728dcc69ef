"""Single matches: one job each, under a hash tag of their own."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from typing import TYPE_CHECKING

import msgspec

from arena.store import paging, scripts
from arena.store.errors import MatchExistsError, UnknownMatchError
from arena.store.jobs import announce, encode_match
from arena.store.keys import MATCHES, Scope, matches_of
from arena.store.records import SINGLE, Match, MatchWork, Page, match_key

if TYPE_CHECKING:
    from arena.store.client import Client

_FIELDS = ("state", "about", "bots", "commitment", "created_us", "finished_us")


def new_match_id() -> str:
    """Return an id that nobody else draws."""
    return secrets.token_hex(8)


class Matches:
    """All single matches of a store."""

    def __init__(self, client: Client, lease_ms: int) -> None:
        self._client = client
        self._lease_ms = lease_ms

    async def create(
        self,
        match_id: str,
        *,
        bots: tuple[str, ...],
        payload: bytes,
        commitment: str,
        about: bytes = b"",
        lease_ms: int | None = None,
        announced: bool = True,
    ) -> Match:
        """Queue a match; nothing happens when the very same was queued before.

        `payload` goes to the worker alone (it may hold the seed), `about` and `commitment` to everyone. `lease_ms` is
        how long its job's leases are, by default the store's. Without `announced` no node looks for its job: only
        `JobQueue.claim_of` finds it. Raises MatchExistsError, InvalidNameError.
        """
        scope = Scope.match(match_id)
        work = MatchWork(SINGLE, board=match_id, board_matches=1, bots=bots, payload=payload)
        job = encode_match(work, 0)
        digest = hashlib.sha256(job).hexdigest()
        created = time.time_ns() // 1000
        for index in (MATCHES, *(matches_of(bot) for bot in dict.fromkeys(bots))):
            await self._client.call("ZADD", index, "NX", created, match_id)
        # Announced before as well: a match that is queued and known to no node would wait for ever.
        if announced:
            await announce(self._client, scope)
        there = await self._client.script(
            scripts.CREATE_MATCH,
            [scope.head, scope.jobs],
            [
                *(digest, job, "state", "running", "outstanding", 1, "lease_ms", lease_ms or self._lease_ms),
                *("about", about, "bots", msgspec.msgpack.encode(bots), "commitment", commitment),
            ],
        )
        if there and there.decode() != digest:
            raise MatchExistsError(match_id)
        if announced:
            await announce(self._client, scope)
        return await self.get(match_id)

    async def get(self, match_id: str) -> Match:
        """Return a match and its result once it has one; UnknownMatchError."""
        match = await self._read(match_id)
        if match is None:
            raise UnknownMatchError(match_id)
        return match

    async def player(self, match_id: str) -> str:
        """Return who has the lease of the match's job; "" where nobody does."""
        claims = await self._client.call("HGETALL", Scope.match(match_id).claims)
        return next((owner.decode() for field, owner in claims.items() if field.endswith(b":owner")), "")

    async def list(self, *, bot: str | None = None, after: str = "", limit: int = 100) -> Page[Match]:
        """List matches, of one bot where given, by their time of creation; InvalidCursorError."""
        index = MATCHES if bot is None else matches_of(bot)
        ids, cursor = await paging.scored(self._client, index, after, limit)
        matches = await asyncio.gather(*(self._read(match_id) for match_id in ids))
        return Page(tuple(match for match in matches if match is not None), cursor)

    async def standing(self, bot: str) -> tuple[object, ...]:
        """Return what changes when a single match of the bot begins or ends, as far as its newest sixteen show it."""
        index = matches_of(bot)
        newest = await self._client.call("ZREVRANGE", index, 0, 15)
        states = [await self._client.call("HGET", Scope.match(one.decode()).head, "state") for one in newest]
        return await self._client.call("ZCARD", index), *zip(newest, states, strict=True)

    async def _read(self, match_id: str) -> Match | None:
        scope = Scope.match(match_id)
        raw = await self._client.call("HMGET", scope.head, *_FIELDS)
        head = dict(zip(_FIELDS, raw, strict=True))
        if head["state"] is None:
            return None
        finished = head["state"] == b"finished"
        return Match(
            id=match_id,
            state="finished" if finished else "running",
            about=head["about"],
            bots=msgspec.msgpack.decode(head["bots"], type=tuple[str, ...]),
            commitment=head["commitment"].decode(),
            created_us=int(head["created_us"]),
            finished_us=int(head["finished_us"] or 0),
            result=await self._client.call("HGET", scope.results(0), match_key(0, SINGLE)) if finished else None,
        )
