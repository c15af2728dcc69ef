"""How the store's server and the queues of all leagues stand: for operators, and for metrics."""

import asyncio
import time
from typing import Any

import msgspec

from arena.store.client import Section
from arena.store.errors import StoreAccessError, StoreRefusedError
from arena.store.keys import GROUP, MATCH_OWNERS, VERSION_WORK, WORK, Scope, open_matches_of_owner

_MAX_SCOPES = 1_000
"""So many divisions are looked at, those first that are due soonest."""


class ServerState(msgspec.Struct, frozen=True):
    """What the store's server says of itself. Sizes are in bytes; `appendfsync` is empty where it may not be read."""

    name: str
    version: str
    memory: int
    memory_limit: int
    eviction: str
    append_only: bool
    appendfsync: str
    writes: bool
    """Whether its last writes to the disk went well."""
    replicas: int
    clients: int
    ping_s: float
    clock_s: float
    """By how much its clock is ahead of this process's."""


class Queue(msgspec.Struct, frozen=True):
    """The jobs of a division. Ages are in seconds since the job was queued."""

    league: str
    variant: str
    state: str
    round: int
    ready: int
    leased: int
    parked: int
    oldest_ready_s: float
    oldest_leased_s: float
    lacking: tuple[str, ...] = ()
    """Runtimes that it waits for, which no node offers."""


class Queues(msgspec.Struct, frozen=True):
    """All that waits to be played: divisions that are not over, open single matches, versions to be qualified."""

    divisions: tuple[Queue, ...]
    singles: int
    versions: int


class Survey(Section):
    """Looks at the server and the queues. Each look costs some commands for each division that is not over."""

    async def server(self) -> ServerState:
        """Return how the server stands, of a cluster the one that was first named."""
        began = time.perf_counter()
        await self._client.ask_server("PING")
        ping_s = time.perf_counter() - began
        info: dict[str, Any] = await self._client.ask_server("INFO")
        seconds, microseconds = await self._client.ask_server("TIME")
        clock_s = int(seconds) + int(microseconds) / 1e6 - time.time()
        bad = any(info.get(name, "ok") != "ok" for name in ("aof_last_write_status", "aof_last_bgrewrite_status"))
        return ServerState(
            name="Valkey" if "valkey_version" in info else "Redis",
            version=str(info.get("valkey_version") or info.get("redis_version", "?")),
            memory=int(info.get("used_memory", 0)),
            memory_limit=int(info.get("maxmemory", 0)),
            eviction=str(info.get("maxmemory_policy", "noeviction")),
            append_only=int(info.get("aof_enabled", 0)) == 1,
            appendfsync=await self._appendfsync(),
            writes=not bad,
            replicas=int(info.get("connected_slaves", 0)),
            clients=int(info.get("connected_clients", 0)),
            ping_s=ping_s,
            clock_s=clock_s,
        )

    async def _appendfsync(self) -> str:
        try:
            settings = await self._client.ask_server("CONFIG", "GET", "appendfsync")
        except (StoreAccessError, StoreRefusedError):
            return ""
        return str(settings[1].decode())

    async def queues(self) -> Queues:
        """Return how all queues stand."""
        names = await self._client.call("ZRANGE", WORK, 0, _MAX_SCOPES - 1)
        owners = [owner.decode() for owner in await self._client.call("ZRANGE", MATCH_OWNERS, 0, -1)]
        counts = await asyncio.gather(*(self._client.call("ZCARD", open_matches_of_owner(owner)) for owner in owners))
        divisions = await asyncio.gather(*(self._queue(Scope.parse(name.decode())) for name in names))
        return Queues(
            tuple(queue for queue in divisions if queue is not None),
            sum(map(int, counts)),
            int(await self._client.call("ZCARD", VERSION_WORK)),
        )

    async def _queue(self, scope: Scope) -> Queue | None:
        """How the jobs of a division stand; None where it is over."""
        call = self._client.call
        state, round_ = await call("HMGET", scope.head, "state", "round")
        if state is None or state in (b"finished", b"cancelled"):
            return None
        length, backlog, parked, pending, waits = await asyncio.gather(
            call("XLEN", scope.jobs),
            call("LLEN", scope.backlog),
            call("XLEN", scope.parked),
            self._pending(scope),
            self._client.script("waits_for", [scope.head, scope.jobs, scope.backlog], []),
        )
        leased, oldest = pending
        ready = int(length) - leased + int(backlog)
        return Queue(
            league=scope.name,
            variant=scope.part,
            state=state.decode(),
            round=int(round_ or 0),
            ready=ready,
            leased=leased,
            parked=int(parked),
            oldest_ready_s=await self._oldest_ready(scope) if length > leased else 0.0,
            oldest_leased_s=_age(oldest) if leased else 0.0,
            lacking=tuple(waits.decode().split()),
        )

    async def _pending(self, scope: Scope) -> tuple[int, str]:
        """How many jobs are leased, and the id of the oldest."""
        try:
            pending = await self._client.call("XPENDING", scope.jobs, GROUP)
        except StoreRefusedError:  # nothing was queued there yet
            return 0, ""
        return int(pending["pending"]), (pending["min"] or b"").decode()

    async def _oldest_ready(self, scope: Scope) -> float:
        groups = await self._client.call("XINFO", "GROUPS", scope.jobs)
        last = next((_field(group, b"last-delivered-id") for group in groups), b"0-0")
        first = await self._client.call("XRANGE", scope.jobs, b"(" + last, "+", "COUNT", 1)
        return _age(first[0][0].decode()) if first else 0.0


def _field(group: Any, name: bytes) -> bytes:
    """A field of a consumer group, which clients give as a list or a mapping."""
    value = group[name] if isinstance(group, dict) else group[group.index(name) + 1]
    return bytes(value)


def _age(job: str) -> float:
    """Seconds since a job was queued, by its id."""
    return max(0.0, time.time() - int(job.partition("-")[0]) / 1000) if job else 0.0
