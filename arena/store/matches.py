"""Single matches: one job each, under a hash tag of their own."""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Collection, Mapping

import msgspec

from arena.store import paging
from arena.store.client import Section
from arena.store.directories import announce
from arena.store.errors import (
    BotBusyError,
    HourlyMatchesError,
    MatchExistsError,
    MatchRunningError,
    OpenMatchesError,
    UnknownMatchError,
)
from arena.store.keys import (
    MATCH_OWNERS,
    MATCHES,
    Scope,
    made_by,
    matches_of,
    open_matches_of_bot,
    open_matches_of_owner,
)
from arena.store.open_matches import close_match
from arena.store.records import SINGLE, Match, MatchWork, Page, encode_match, from_hash, match_key

_DELETED_AT_ONCE = 100
_RETRY_S = 5.0
"""When a match under way may be over."""


class Admission(msgspec.Struct, frozen=True):
    """Within which limits a match is taken: how many its owner has open, and made within an hour, at most.

    `places` says of each bot that is counted how many open single matches it plays in at most, this one included.
    """

    open: int
    hourly: int
    places: Mapping[str, int] = {}


def new_match_id() -> str:
    """Return an id that nobody else draws."""
    return secrets.token_hex(8)


class Matches(Section):
    """All single matches of a store."""

    async def create(
        self,
        match_id: str,
        *,
        bots: tuple[str, ...],
        payload: bytes,
        commitment: str,
        about: bytes = b"",
        delay_s: float = 0,
        owner: str = "",
        admission: Admission | None = None,
        runtimes: Collection[str] = (),
    ) -> Match:
        """Queue a match that `owner` asked for; nothing happens when the very same was queued before.

        `payload` goes to the worker alone (it may hold the seed), `about` and `commitment` to everyone. With an
        `admission`, a match beyond its limits is refused: OpenMatchesError, HourlyMatchesError, BotBusyError. Only
        nodes that offer all `runtimes` get its job. Until `delay_s` are over, at most 120, only `JobQueue.claim_of`
        finds it. Raises MatchExistsError, InvalidNameError.
        """
        scope = Scope.match(match_id)
        work = MatchWork(SINGLE, board=match_id, board_matches=1, bots=bots, payload=payload, caged=bool(runtimes))
        job = encode_match(work, 0)
        digest = hashlib.sha256(job).hexdigest()
        created = time.time_ns() // 1000
        packed = msgspec.msgpack.encode(bots)
        # Whose places it takes is written before it takes them, so that they are freed whatever happens from here on.
        for field, value in (("owner", owner), ("bots", packed), ("created_us", created)):
            await self._client.call("HSETNX", scope.head, field, value)
        if admission is not None and not await self._client.call("HEXISTS", scope.head, "state"):
            await self._admit(scope, owner, admission)
        for index in (MATCHES, *(matches_of(bot) for bot in dict.fromkeys(bots))):
            await self._client.call("ZADD", index, "NX", created, match_id)
        # Announced before as well: a match that is queued and known to no node would wait for ever.
        delay_us = round(1e6 * delay_s)
        await announce(self._client, scope, delay_us, owner=owner)
        stored = await self._client.script(
            "create_match",
            [scope.head, scope.jobs],
            [
                *(digest, job, "state", "running", "outstanding", 1, "lease_ms", self._lease_ms),
                *("about", about, "bots", packed, "commitment", commitment, "runtimes", " ".join(runtimes)),
            ],
        )
        if stored and stored.decode() != digest:
            raise MatchExistsError(f"another match with the id {match_id!r} exists already")
        await announce(self._client, scope, delay_us, owner=owner)
        return await self.get(match_id)

    async def _admit(self, scope: Scope, owner: str, admission: Admission) -> None:
        """Count the match, or leave nothing of it. Raises what `create` raises."""
        bots = list(admission.places)
        status, *details = await self._client.script(
            "admit_match",
            [MATCH_OWNERS, open_matches_of_owner(owner), made_by(owner), *map(open_matches_of_bot, bots)],
            [owner, str(scope), admission.open, admission.hourly, *admission.places.values()],
        )
        if status == b"admitted":
            return
        await self._client.call("DEL", scope.head)
        if status == b"bot":
            raise BotBusyError(f"bot {bots[details[0] - 1]} takes no more single matches now", _RETRY_S)
        if status == b"hour":
            rule, retry_s = f"an owner makes at most {admission.hourly} single matches an hour", details[0] / 1e6
            raise HourlyMatchesError(f"{rule}: the next one may be made in {retry_s:.0f} s", retry_s)
        rule = f"an owner has at most {admission.open} single matches under way"
        raise OpenMatchesError(f"{rule}: wait until one of them is over", _RETRY_S)

    async def delete(self, match_id: str) -> None:
        """Delete a match that is over or was given up, with its replay; UnknownMatchError, MatchRunningError."""
        scope = Scope.match(match_id)
        owner, raw = await self._client.call("HMGET", scope.head, "owner", "bots")
        if raw is None:
            if not await self._client.call("ZREM", MATCHES, match_id):
                raise UnknownMatchError(match_id)
            return
        bots = tuple(dict.fromkeys(msgspec.msgpack.decode(raw, type=tuple[str, ...])))
        keys = [scope.head, scope.jobs, scope.parked, scope.claims, scope.done, scope.results(0), scope.boards]
        keys += [scope.replays, scope.replay_info, scope.replay_index, scope.journal(match_key(0, SINGLE))]
        if not await self._client.script("delete_match", keys):
            raise MatchRunningError(f"match {match_id!r} is not over: it can be deleted afterwards")
        await close_match(self._client, (owner or b"").decode(), scope, bots)
        for bot in bots:
            await self._client.call("ZREM", matches_of(bot), match_id)
        # In the end: whatever was in the way before, the match is found here and deleted again.
        await self._client.call("ZREM", MATCHES, match_id)

    async def delete_older(self, age_s: float, *, limit: int = 1000) -> int:
        """Delete up to `limit` matches that are over and were made more than `age_s` seconds ago; return how many."""
        oldest = time.time_ns() // 1000 - round(age_s * 1e6)
        deleted, skipped = 0, 0
        while deleted < limit:
            page = await self._client.call(
                "ZRANGE", MATCHES, "-inf", oldest, "BYSCORE", "LIMIT", skipped, min(limit - deleted, _DELETED_AT_ONCE)
            )
            if not page:
                break
            for match_id in page:
                try:
                    await self.delete(match_id.decode())
                    deleted += 1
                except MatchRunningError:
                    skipped += 1
                except UnknownMatchError:
                    pass  # somebody else has deleted it
        return deleted

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

    async def fingerprint(self, bot: str) -> tuple[object, ...]:
        """Return what changes when a single match of the bot begins or ends, as far as its newest sixteen show it."""
        index = matches_of(bot)
        newest = await self._client.call("ZREVRANGE", index, 0, 15)
        states = [await self._client.call("HGET", Scope.match(name.decode()).head, "state") for name in newest]
        return await self._client.call("ZCARD", index), *zip(newest, states, strict=True)

    async def _read(self, match_id: str) -> Match | None:
        scope = Scope.match(match_id)
        head, result = await asyncio.gather(
            self._client.call("HGETALL", scope.head),
            self._client.call("HGET", scope.results(0), match_key(0, SINGLE)),
        )
        if b"state" not in head:
            return None
        bots = msgspec.msgpack.decode(head[b"bots"], type=tuple[str, ...])
        finished = head[b"state"] == b"finished"
        return from_hash(Match, head, id=match_id, bots=bots, result=result if finished else None)
