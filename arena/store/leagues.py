"""Leagues: made from their file, entered, started, read. The worker moves them on through jobs.py."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from typing import TYPE_CHECKING

import msgspec

from arena.store import paging, scripts
from arena.store.errors import (
    EntrantChangedError,
    LeagueChangedError,
    LeagueStateError,
    UnknownLeagueError,
)
from arena.store.jobs import LEASE_MS, announce
from arena.store.keys import LEAGUES, Scope
from arena.store.records import Entrant, League, LeagueState, Page

if TYPE_CHECKING:
    from arena.store.client import Client, Value

SECRET_BYTES = 32

_FIELDS = (
    "state",
    "digest",
    "config",
    "commitment",
    "published_secret",
    "test",
    "created_us",
    "finished_us",
    "entropy",
    "round",
    "matches",
    "outstanding",
    "played",
    "table",
)


class Leagues:
    """All leagues of a store."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def create(
        self, name: str, config: bytes, *, digest: str, secret: bytes | None = None, lease_ms: int = LEASE_MS
    ) -> League:
        """Make a league, open for entries; nothing happens when it was made from the same file before.

        `digest` identifies the file. A `secret` of 32 bytes fixed beforehand marks the league as a test. `lease_ms`
        is the time of its jobs' leases on every node. Raises LeagueChangedError, InvalidNameError.
        """
        if secret is not None and len(secret) != SECRET_BYTES:
            raise ValueError(f"a league's secret has {SECRET_BYTES} bytes, not {len(secret)}")
        scope = Scope.league(name)
        cards = secret if secret is not None else secrets.token_bytes(SECRET_BYTES)
        head: dict[str, Value] = {
            "state": "open",
            "config": config,
            "secret": cards,
            "commitment": hashlib.sha256(cards).hexdigest(),
            "test": int(secret is not None),
            "lease_ms": lease_ms,
            "round": 0,
            "matches": 0,
            "outstanding": 0,
            "played": 0,
        }
        await self._client.call("ZADD", LEAGUES, 0, name)
        fields = [item for pair in head.items() for item in pair]
        there = await self._client.script(scripts.CREATE, [scope.head, scope.jobs], [digest, "", *fields])
        if there and there.decode() != digest:
            raise LeagueChangedError(name, there.decode(), digest)
        return await self.get(name)

    async def get(self, name: str) -> League:
        """Return a league with its counts; UnknownLeagueError."""
        league = await self._read(name)
        if league is None:
            raise UnknownLeagueError(name)
        return league

    async def list(self, *, after: str = "", limit: int = 100) -> Page[League]:
        """List leagues by name."""
        names, cursor = await paging.names(self._client, LEAGUES, after, limit)
        found = await asyncio.gather(*(self._read(name) for name in names))
        return Page(tuple(league for league in found if league is not None), cursor)

    async def secret(self, name: str) -> bytes:
        """Return the secret, whatever the state: for the node that plays the league, and for nobody's eyes."""
        secret: bytes | None = await self._client.call("HGET", Scope.league(name).head, "secret")
        if secret is None:
            raise UnknownLeagueError(name)
        return secret

    async def start(self, name: str) -> None:
        """Close the entries and let the nodes pair round 1; nothing happens when it has started before."""
        scope = Scope.league(name)
        # Announced before as well: a league that starts and is known to no node would wait for ever.
        await announce(self._client, scope)
        state = await self._client.script(scripts.START, [scope.head, scope.jobs])
        if state is None:
            raise UnknownLeagueError(name)
        if state not in (b"open", b"running", b"finished"):
            raise LeagueStateError(name, state.decode(), "only an open league can be started")
        await announce(self._client, scope)

    # -- entrants ---------------------------------------------------------------------------------------------

    async def enter(self, name: str, entrant: Entrant, *, replace: bool = False) -> None:
        """Enter a bot while the league is open; the same entry may be given again, another one with `replace`.

        Raises UnknownLeagueError, LeagueStateError, EntrantChangedError.
        """
        scope = Scope.league(name)
        status, state = await self._client.script(
            scripts.ENTER,
            [scope.head, scope.entrants],
            [entrant.bot, msgspec.msgpack.encode(entrant), int(replace)],
        )
        if state is None:
            raise UnknownLeagueError(name)
        if status == b"closed":
            raise LeagueStateError(name, state.decode(), "bots enter while a league is open")
        if status == b"changed":
            raise EntrantChangedError(name, entrant.bot)

    async def entrants(self, name: str) -> tuple[Entrant, ...]:
        """Return all entrants by the name of their bot."""
        raw = await self._client.call("HVALS", Scope.league(name).entrants)
        found = [msgspec.msgpack.decode(one, type=Entrant) for one in raw]
        return tuple(sorted(found, key=lambda entrant: entrant.bot))

    # -- rounds -----------------------------------------------------------------------------------------------

    async def plans(self, name: str) -> dict[int, bytes]:
        """Return the plan of every paired round, in order."""
        raw = await self._client.call("HGETALL", Scope.league(name).rounds)
        return {round_: raw[str(round_).encode()] for round_ in sorted(int(key) for key in raw)}

    async def results(self, name: str, round_: int) -> dict[str, bytes]:
        """Return the results of a round so far, by the name that each match has in the round's plan."""
        raw = await self._client.call("HGETALL", Scope.league(name).results(round_))
        return {key.decode().partition(".")[2]: result for key, result in sorted(raw.items())}

    async def _read(self, name: str) -> League | None:
        raw = await self._client.call("HMGET", Scope.league(name).head, *_FIELDS)
        head = dict(zip(_FIELDS, raw, strict=True))
        if head["state"] is None:
            return None
        return League(
            name=name,
            state=msgspec.convert(head["state"].decode(), LeagueState),
            digest=head["digest"].decode(),
            config=head["config"],
            commitment=head["commitment"].decode(),
            secret=head["published_secret"],
            test=head["test"] == b"1",
            created_us=int(head["created_us"]),
            finished_us=int(head["finished_us"] or 0),
            entropy=(head["entropy"] or b"").decode(),
            round=int(head["round"]),
            matches=int(head["matches"]),
            outstanding=int(head["outstanding"]),
            played=int(head["played"]),
            table=head["table"],
        )
