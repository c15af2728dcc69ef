"""The store as the rest of the arena sees it."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from pathlib import Path
from typing import Self

from arena.store import archive, names, schema
from arena.store.bots import Bots
from arena.store.client import PATIENCE_S, Client, ServerInfo
from arena.store.directories import expire_leases
from arena.store.embedded import EmbeddedServer
from arena.store.errors import StoreAccessError, StoreRefusedError
from arena.store.findings import Findings
from arena.store.jobs import LEASE_MS, JobQueue
from arena.store.journal import JournalWriter
from arena.store.keys import FUEL_KEY, LEASE_KEY, SCHEMA, SIGNING_KEY
from arena.store.ladders import Ladders
from arena.store.leagues import Leagues
from arena.store.matches import Matches
from arena.store.node_states import NodeStates
from arena.store.nodes import Nodes
from arena.store.outputs import Outputs
from arena.store.owners import Owners
from arena.store.packs import Packs
from arena.store.replays import Replays
from arena.store.retention import Retention
from arena.store.schedules import Schedules
from arena.store.snapshots import Snapshots
from arena.store.stalled import StalledJobs
from arena.store.survey import Survey
from arena.store.tokens import Tokens
from arena.store.versions import Versions

_ALIVE_MS = 3_000
"""A node counts as alive for half a lease after its last heartbeat, and for so long at least: some heartbeats."""

_log = logging.getLogger(__name__)


class Store:
    """An open store. `async with await Store.open(...) as store` closes it, and its server with it."""

    def __init__(
        self,
        client: Client,
        server: EmbeddedServer | None,
        lease_ms: int,
        fuel: int | None = None,
        schema_number: int = SCHEMA,
    ) -> None:
        self._client = client
        self.schema = schema_number
        """Its key schema: that before this version's while older nodes run."""
        self.lease_ms = lease_ms
        """How long the leases are of leagues and matches that are created from here on."""
        self.fuel = fuel
        """Instructions that a WebAssembly bot may execute for a message, where the operator has set that."""
        self.embedded = server
        self._queues: list[JobQueue] = []
        self._probe: asyncio.Task[object] | None = None
        self.leagues = Leagues(client, lease_ms)
        self.schedules = Schedules(client)
        self.ladders = Ladders(client)
        self.matches = Matches(client, lease_ms)
        self.replays = Replays(client)
        self.findings = Findings(client)
        self.bots = Bots(client)
        self.owners = Owners(client)
        self.stalled = StalledJobs(client)
        self.tokens = Tokens(client)
        self.packs = Packs(client)
        self.versions = Versions(client, lease_ms)
        self.snapshots = Snapshots(client)
        self.outputs = Outputs(client)
        self.node_states = NodeStates(client)
        self.survey = Survey(client)
        self.retention = Retention(client)
        self.nodes = Nodes(client, max(lease_ms // 2, _ALIVE_MS))

    @classmethod
    async def open(
        cls,
        data: Path | None = None,
        *,
        redis: str | None = None,
        attach: bool = False,
        patience_s: float = PATIENCE_S,
        lease_ms: int | None = None,
        fuel: int | None = None,
        as_is: bool = False,
    ) -> Self:
        """Open the store at the URL `redis`, else the embedded one of the folder `data`.

        Without `attach` the folder becomes this arena's, which may play there: while another one does, that is
        DataFolderInUseError. `patience_s` is how long any call waits for a server that is away. `lease_ms` is kept
        in the store for all who open it later; without it the kept one holds, LEASE_MS at first. `fuel` is kept in the
        same way. A store of an earlier schema is brought to this version's, or with `attach` to the one before, unless
        it is opened `as_is`, to be backed up; an embedded one is backed up before, into its data folder. Raises what
        EmbeddedServer.start and Client.connect raise, StoreSchemaError, and BackupError.
        """
        server: EmbeddedServer | None = None
        async with AsyncExitStack() as opened:
            if redis is not None:
                client = await Client.connect(redis, patience_s=patience_s)
            elif data is not None:
                server = await EmbeddedServer.start(data, attach=attach)
                opened.push_async_callback(server.stop)
                client = await server.connect(patience_s)
            else:
                raise ValueError("a store is opened by its URL or its data folder")
            opened.push_async_callback(client.close)
            if as_is:
                number = await schema.current(client)
            else:
                before = None if server is None else _backing_up(client, server.folder)
                number = await schema.bring_up(client, before, plays=not attach)
            if lease_ms is not None:
                await client.call("SET", LEASE_KEY, lease_ms)
            if fuel is not None:
                await client.call("SET", FUEL_KEY, fuel)
            kept_fuel = await client.call("GET", FUEL_KEY)
            lease_ms = int(await client.call("GET", LEASE_KEY) or LEASE_MS)
            if server is not None:
                with server.no_arena() as alone:
                    if alone:  # nobody is left who holds a lease from before
                        await expire_leases(client)
                await names.keep(client, server.folder)
            opened.pop_all()
        return cls(client, server, lease_ms, None if kept_fuel is None else int(kept_fuel), number)

    @property
    def address(self) -> str:
        """Where the store is, without user name and password."""
        return self._client.address

    @property
    def server_info(self) -> ServerInfo:
        """What the server says of itself; one that is not `durable` may lose everything when it restarts."""
        return self._client.info

    async def append_fsync(self) -> str | None:
        """Return when the server brings its append-only file to the disk; None where it does not let it be read."""
        try:
            _, setting = await self._client.ask_server("CONFIG", "GET", "appendfsync")
        except (StoreAccessError, StoreRefusedError):
            return None
        return str(setting.decode())

    async def signing_secret(self) -> bytes:
        """Return the 32 secret bytes of the arena's signing key, drawn when they are first asked for."""
        await self._client.call("SETNX", SIGNING_KEY, secrets.token_bytes(32))
        return bytes(await self._client.call("GET", SIGNING_KEY))

    @property
    def database(self) -> int:
        """The number of the database, of those that the server has."""
        return self._client.database

    async def back_up(self, file: Path, replays: Path | None) -> archive.Manifest:
        """Write all that is kept, as it is at one moment, and the replays in a folder, into a file.

        Raises BackupError, OSError.
        """
        return await archive.write(self._client, file, self.schema, replays)

    async def finish_migration(self) -> bool:
        """Bring the store to this version's schema if no older node is left; return whether it has that now."""
        if self.schema != SCHEMA:
            self.schema = await schema.finish(self._client)
        return self.schema == SCHEMA

    async def go_back(self, number: int) -> None:
        """Bring the store to an earlier schema, for an older version; nobody may use it then. StoreSchemaError."""
        await schema.go_back(self._client, number)

    def jobs(self, owner: str | None = None) -> JobQueue:
        """Return the jobs as `owner` sees them; by default a name that no other process has."""
        name = owner or f"{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(3)}"
        queue = JobQueue(self._client, name)
        self._queues.append(queue)
        return queue

    def journals(self) -> JournalWriter:
        """Return the writer of the journals of the matches that this process plays."""
        return JournalWriter(self._client)

    def impatient(self, seconds: float) -> AbstractAsyncContextManager[None]:
        """While the body runs, all calls together wait at most so many seconds for a server that is away or hangs."""
        return self._client.impatient(seconds)

    async def answers(self, within_s: float) -> bool:
        """Return whether the server answers within so many seconds. All who ask meanwhile wait for one answer."""
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._client.call("PING"))
            self._probe.add_done_callback(_retrieve)
        probe = self._probe
        await asyncio.wait((probe,), timeout=within_s)
        return probe.done() and not probe.cancelled() and probe.exception() is None

    async def lost(self) -> None:
        """Wait until the embedded server has ended for good; raise why, which is a StoreError."""
        if self.embedded is not None:
            await self.embedded.lost()
        await asyncio.get_running_loop().create_future()

    async def close(self) -> None:
        """Close the connection and end the embedded server in good order."""
        for queue in self._queues:
            await queue.leases.close()
        if self.embedded is not None:
            await names.keep(self._client, self.embedded.folder)
        await self._client.close()
        if self.embedded is not None:
            await self.embedded.stop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _retrieve(probe: asyncio.Task[object]) -> None:
    """Keep asyncio from reporting a failure that nobody waits for any more."""
    if not probe.cancelled():
        probe.exception()


def _backing_up(client: Client, folder: Path) -> schema.BeforeMigration:
    """Return what backs up an embedded store before a migration, once, into its folder."""

    async def back_up(number: int) -> None:
        file = folder / f"before-schema-{number + 1}.backup"
        if not file.exists():
            await archive.write(client, file, number)
            _log.warning("the store of %s is of an earlier schema, and was backed up into %s", folder, file)

    return back_up
