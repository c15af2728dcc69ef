"""A store filled with what another one held, from its snapshots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from arena.store import dump
from arena.store.client import PATIENCE_S, Client
from arena.store.embedded import EmbeddedServer
from arena.store.errors import BackupError, StoreSchemaError
from arena.store.keys import SCHEMA, SCHEMA_KEY


async def restore(
    snapshots: Sequence[Path],
    folder: Path,
    *,
    schema: int,
    database: int,
    data: Path | None,
    redis: str | None,
    beside: Callable[[], None],
) -> int:
    """Fill the store of a Redis or a data folder, which has to be empty, from snapshots; return the number of keys.

    `schema` and `database` are those of the store that the snapshots are of; `folder` is for what is needed on the way,
    and `beside` restores what is kept beside the store. Until the end no arena opens the store, and a restoration that
    was interrupted may be made anew. Raises BackupError, StoreSchemaError, and what Store.open raises.
    """
    if schema > SCHEMA:
        raise StoreSchemaError(f"the backup holds key schema {schema}; this version knows schemas up to {SCHEMA}")
    async with AsyncExitStack() as opened:
        target = await _target(opened, data, redis)
        await _begin(target)
        keys = 0
        for snapshot in snapshots:
            async with dump.loaded(snapshot, folder, database) as source:
                keys += await dump.copy(source, target)
        beside()
        await target.call("SET", SCHEMA_KEY, schema)
    return keys


async def _target(opened: AsyncExitStack, data: Path | None, redis: str | None) -> Client:
    if redis is not None:
        client = await Client.connect(redis, patience_s=PATIENCE_S)
    else:
        assert data is not None
        server = await EmbeddedServer.start(data)
        opened.push_async_callback(server.stop)
        client = await server.connect()
    opened.push_async_callback(client.close)
    return client


async def _begin(target: Client) -> None:
    """Take the store, if it is empty or only a part of a backup is there. Raises BackupError."""
    if await target.call("SETNX", SCHEMA_KEY, dump.RESTORING):
        return
    if await target.call("GET", SCHEMA_KEY) != dump.RESTORING:
        raise BackupError(f"the store at {target.address} is in use or holds an arena; restore into an empty one")
    await dump.remove_all(target)
