"""The key schema of a store: brought to this version's when it is opened, as far as older nodes let it."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from arena.store.dump import RESTORING
from arena.store.errors import StoreSchemaError
from arena.store.keys import MIGRATION_LOCK, MIGRATION_PROGRESS, NODES_ALIVE, SCHEMA, SCHEMA_KEY
from arena.store.migrations import MIGRATIONS
from arena.store.migrations.steps import LOCK_MS, Walk
from arena.store.node_states import NodeStates

if TYPE_CHECKING:
    from arena.store.client import Client

BeforeMigration = Callable[[int], Awaitable[None]]
"""Is called with a store's schema before it is brought to another."""

_ALONE = "alone"
"""The field of the progress that says that no older node ran when the migration began."""
_POLL_S = 0.1
_NOTICE_S = 5.0

_log = logging.getLogger(__name__)


async def bring_up(client: Client, before: BeforeMigration | None = None, *, plays: bool = True) -> int:
    """Bring the store to this version's schema, and return the schema that it has then.

    That is the one before while nodes run that know no newer one, or where this process `plays` nothing: older nodes
    that were all killed at once may be about to start again. `finish` takes it on. A new store gets this version's.
    Raises StoreSchemaError, and what `before` raises.
    """
    await client.call("SETNX", SCHEMA_KEY, SCHEMA)
    schema = await current(client)
    if schema == SCHEMA:
        return schema
    _check(schema)
    async with _locked(client, schema) as walk:
        if walk is None:
            return await bring_up(client, before, plays=plays)
        if before is not None:
            async with walk.locked():
                await before(schema)
        return await _migrate(walk, schema, plays=plays)


async def finish(client: Client) -> int:
    """Take a store on whose older nodes have ended; return its schema. Raises StoreSchemaError."""
    schema = await current(client)
    if schema == SCHEMA or await _older_nodes(client, schema + 1):
        return schema
    return await bring_up(client)


async def go_back(client: Client, schema: int) -> None:
    """Bring a store on which no node runs to an earlier schema, for an older version. Raises StoreSchemaError."""
    present = await current(client)
    if states := await NodeStates(client).list():
        raise StoreSchemaError(f"node {states[0].id} runs: a store goes back when all nodes have ended")
    async with _locked(client, present) as walk:
        if walk is None:
            raise StoreSchemaError("another process brings this store to another schema")
        for number in range(present, schema, -1):
            migration = MIGRATIONS.get(number)
            if migration is None or migration.back is None:
                raise StoreSchemaError(
                    f"no way leads from key schema {number} to {number - 1} but a backup that was made before"
                )
            await migration.back(walk)
            await client.call("DEL", MIGRATION_PROGRESS)
            await client.call("SET", SCHEMA_KEY, number - 1)


async def current(client: Client) -> int:
    """Return the schema of a store that was opened before. Raises StoreSchemaError."""
    text = (await client.call("GET", SCHEMA_KEY) or b"").decode("utf-8", "replace")
    if text == RESTORING.decode():
        raise StoreSchemaError("only a part of a backup is in this store: run `arena restore` again")
    if not text:
        raise StoreSchemaError("there is no arena in this store")
    if not text.isdecimal():
        raise StoreSchemaError(f"the store holds no arena's keys: {SCHEMA_KEY} is {text!r}")
    return int(text)


def _check(schema: int) -> None:
    if schema > SCHEMA:
        raise StoreSchemaError(
            f"the store holds key schema {schema}; this version knows schema {SCHEMA}: use the version that plays "
            f"there, or go back with that version by `arena migrate --to {SCHEMA}`"
        )
    if schema + 1 not in MIGRATIONS:
        raise StoreSchemaError(f"the store holds key schema {schema}, from which this version knows no way to its own")


async def _migrate(walk: Walk, schema: int, *, plays: bool) -> int:
    client = walk.client
    for number in range(schema + 1, SCHEMA + 1):
        migration = MIGRATIONS[number]
        if older := await _older_nodes(client, number):
            if number < SCHEMA:
                raise StoreSchemaError(
                    f"node {older[0]} knows key schema {number - 1}, and this version {SCHEMA}: beside each other run "
                    "nodes of schemas that follow one another; end the older nodes first"
                )
            await migration.expand(walk)
            nodes = ", ".join(older)
            _log.warning("older nodes run (%s): the store keeps key schema %d until they have ended", nodes, number - 1)
            return number - 1
        begun = await client.call("HEXISTS", MIGRATION_PROGRESS, _ALONE)
        if number == SCHEMA and not (plays or begun):
            await migration.expand(walk)
            _log.info("the store keeps key schema %d until a node of this version runs there", number - 1)
            return number - 1
        # From the beginning, as older nodes may have written what they alone knew of.
        if not begun:
            await client.call("DEL", MIGRATION_PROGRESS)
            await client.call("HSET", MIGRATION_PROGRESS, _ALONE, number)
        await migration.expand(walk)
        await migration.contract(walk)
        await client.call("SET", SCHEMA_KEY, number)
        await client.call("DEL", MIGRATION_PROGRESS)
        _log.info("the store has key schema %d now", number)
    return SCHEMA


async def _older_nodes(client: Client, schema: int) -> list[str]:
    """The nodes that do not know the schema: those that say so, and those too old to say anything."""
    states = await NodeStates(client).list()
    now_s, _ = await client.ask_server("TIME")
    alive = await client.call("ZRANGE", NODES_ALIVE, f"{int(now_s)}000000", "+inf", "BYSCORE")
    older = {state.id for state in states if state.schema < schema}
    return sorted(older | {name.decode() for name in alive} - {state.id for state in states})


@asynccontextmanager
async def _locked(client: Client, schema: int) -> AsyncIterator[Walk | None]:
    """The right to migrate the store; None when another process has brought it to another schema meanwhile."""
    holder = secrets.token_hex(8)
    waited = 0.0
    while not await client.call("SET", MIGRATION_LOCK, holder, "NX", "PX", LOCK_MS):
        if await current(client) != schema:
            break
        if waited <= _NOTICE_S < waited + _POLL_S:
            _log.warning("another process brings the store at %s to another schema: waiting for it", client.address)
        await asyncio.sleep(_POLL_S)
        waited += _POLL_S
    try:
        yield Walk(client, holder) if await current(client) == schema else None
    finally:
        if await client.call("GET", MIGRATION_LOCK) == holder.encode():
            await client.call("DEL", MIGRATION_LOCK)
