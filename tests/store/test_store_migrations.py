"""Stores of earlier key schemas are brought to this one, whatever happens meanwhile, and back."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from store_of_the_past import NAMES, unpack
from store_processes import running
from store_servers import connected, tell

from arena.store import Store, archive, schema
from arena.store.errors import BotExistsError, StoreSchemaError
from arena.store.keys import MIGRATION_LOCK, MIGRATION_PROGRESS, NODE_STATES, SCHEMA, SCHEMA_KEY, WORK
from arena.store.migrations import steps
from arena.store.node_states import NodeState, NodeStates

if TYPE_CHECKING:
    from arena.store.client import Client, Value

BEFORE = SCHEMA - 1
EARLIER = [name for name in NAMES if not name.startswith(f"{SCHEMA}-")]
OF_BEFORE = [name for name in NAMES if name.startswith(f"{BEFORE}-")]


async def everything(client: Client) -> dict[str, object]:
    """All keys of a store with what they hold, but for what expires and the migration's own."""
    names = sorted(key.decode() for key in await client.call("KEYS", "hfa:*"))
    kept = [name for name in names if name not in (MIGRATION_LOCK, MIGRATION_PROGRESS, NODE_STATES)]
    return {name: await held_by(client, name) for name in kept}


async def held_by(client: Client, key: str) -> object:
    """What a key holds, but for what opening an embedded store changes: leases, and when jobs are looked at next."""
    kind = (await client.call("TYPE", key)).decode()
    if kind == "stream":
        return await client.call("XRANGE", key, "-", "+")
    if kind == "hash":
        fields = await client.call("HGETALL", key)
        return {name: value for name, value in fields.items() if name != b"scan_at"}
    if key == WORK:
        return sorted(await client.call("ZRANGE", key, 0, -1))
    return await client.call("DUMP", key)


@asynccontextmanager
async def past(name: str, tmp_path: Path) -> AsyncIterator[Client]:
    """A client of a data folder of the past, which is not brought to another schema."""
    folder = tmp_path / f"past-{time.monotonic_ns()}"
    unpack(name, folder)
    async with await Store.open(folder, patience_s=60, as_is=True) as store:
        yield store._client


class CutError(Exception):
    """The process that migrates ends here."""


@contextmanager
def cut_after(client: Client, commands: int) -> Iterator[Callable[[], bool]]:
    """Let the client fail after so many commands; whether it has failed."""
    call, left = client.call, commands
    script = client.script

    def count() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise CutError

    async def cut_call(*command: Value) -> Any:
        count()
        return await call(*command)

    async def cut_script(*command: Any) -> Any:
        count()
        return await script(*command)

    client.call, client.script = cut_call, cut_script  # type: ignore[method-assign]
    try:
        yield lambda: left < 0
    finally:
        client.call, client.script = call, script  # type: ignore[method-assign]


@pytest.mark.parametrize("name", NAMES)
async def test_a_data_folder_of_every_schema_is_opened_and_backed_up_before(name: str, tmp_path: Path) -> None:
    old = unpack(name, tmp_path / "data")
    async with await Store.open(old.folder, patience_s=60) as store:
        assert store.schema == SCHEMA == await schema.current(store._client)
        states = {league.name: league.state for league in (await store.leagues.list()).items}
        assert states == {"done": "finished", "kept": "running"} | ({"open": "open"} if old.schema > 1 else {})
        for bot, token in old.tokens.items():
            assert (await store.bots.authenticate(token)).name == bot
        with pytest.raises(BotExistsError, match="looks like it"):
            await store.bots.create("rnodern")
        infos = [info for league in ("done", "kept") for info in (await store.replays.list(league=league)).items]
        assert all(info.time_us > 1_700_000_000_000_000 for info in infos)
        assert len(infos) == (16 if old.schema > 1 else 0)
        assert await store._client.call("EXISTS", MIGRATION_LOCK, MIGRATION_PROGRESS) == 0
    backups = {path.name: archive.read(path).schema for path in old.folder.glob("*.backup")}
    assert backups.get(f"before-schema-{old.schema + 1}.backup") == (old.schema if old.schema < SCHEMA else None)


async def test_a_new_store_has_this_schema_and_no_backup(store: Store, tmp_path: Path) -> None:
    assert store.schema == SCHEMA
    assert not await asyncio.to_thread(lambda: list(tmp_path.rglob("*.backup")))


@pytest.mark.parametrize("name", EARLIER)
async def test_a_migration_that_ends_after_any_command_is_gone_on_with(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "PAGE", 1)
    async with past(name, tmp_path) as client:
        await schema.bring_up(client)
        undisturbed = await everything(client)
    commands, cut = 0, True
    while cut:
        async with past(name, tmp_path) as client:
            with cut_after(client, commands) as was_cut:
                with suppress(CutError):
                    await schema.bring_up(client)
                cut = was_cut()
            await client.call("DEL", MIGRATION_LOCK)  # which expires
            assert await schema.bring_up(client) == SCHEMA
            assert await everything(client) == undisturbed, f"ended after {commands} commands"
        commands += 1 + commands // 8
    assert commands > 5


async def test_a_process_killed_while_it_migrates_leaves_the_rest_to_the_next(tmp_path: Path) -> None:
    old = unpack(OF_BEFORE[-1], tmp_path / "data")
    async with await Store.open(old.folder, patience_s=60, as_is=True) as there:
        async with running("store_migrator.py", str(old.folder)) as migrator:
            assert await migrator.line() == "in the middle"
            assert await schema.current(there._client) == BEFORE
            assert await there._client.call("EXISTS", MIGRATION_LOCK) == 1
            migrator.signal(signal.SIGKILL)
        async with await Store.open(old.folder, attach=True, patience_s=60) as store:
            assert store.schema == SCHEMA
            for token in old.tokens.values():
                await store.bots.authenticate(token)


async def test_of_several_that_open_a_store_one_migrates_it_and_the_others_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrating, most = 0, 0
    migrate = schema._migrate

    async def counted(walk: steps.Walk, number: int, *, plays: bool) -> int:
        nonlocal migrating, most
        migrating += 1
        most = max(most, migrating)
        try:
            return await migrate(walk, number, plays=plays)
        finally:
            migrating -= 1

    monkeypatch.setattr(schema, "_migrate", counted)
    async with past(OF_BEFORE[-1], tmp_path) as client:
        assert await asyncio.gather(*(schema.bring_up(client) for _ in range(5))) == [SCHEMA] * 5
    assert most == 1


@pytest.mark.parametrize("name", EARLIER)
async def test_what_plays_nothing_leaves_a_store_to_the_nodes_of_the_version_before(name: str, tmp_path: Path) -> None:
    old = unpack(name, tmp_path / "data")
    for _ in range(2):
        async with await Store.open(old.folder, attach=True, patience_s=60) as store:
            assert store.schema == BEFORE == await schema.current(store._client)
            for bot, token in old.tokens.items():
                assert (await store.bots.authenticate(token)).name == bot
    async with await Store.open(old.folder, patience_s=60) as store:
        assert store.schema == SCHEMA == await schema.current(store._client)


def of_schema(number: int) -> NodeState:
    return NodeState("older", "0.0", "host", 1, (), 0, 0, schema=number)


async def test_a_store_keeps_its_schema_while_an_older_node_runs_and_gets_the_new_one_then(tmp_path: Path) -> None:
    async with past(OF_BEFORE[-1], tmp_path) as client:
        await NodeStates(client).show(of_schema(BEFORE))
        assert await schema.bring_up(client) == BEFORE
        assert await schema.finish(client) == BEFORE == await schema.current(client)
        await NodeStates(client).remove("older")
        assert await schema.finish(client) == SCHEMA == await schema.current(client)


async def test_what_an_older_node_adds_meanwhile_is_migrated_too(tmp_path: Path) -> None:
    async with past(OF_BEFORE[0], tmp_path) as client:
        await NodeStates(client).show(of_schema(BEFORE))
        await schema.bring_up(client)
        await client.call("ZADD", "hfa:{bots}:names", 0, "Walter")  # as a version did that knew no looks
        await NodeStates(client).remove("older")
        await schema.finish(client)
        assert await client.call("HGET", "hfa:{bots}:folded", "~walter") == b"Walter"


async def test_a_node_too_old_to_say_how_it_is_counts_as_older(tmp_path: Path) -> None:
    async with past(OF_BEFORE[-1], tmp_path) as client:
        soon = int(time.time() * 1e6) + 3_600_000_000
        await client.call("ZADD", "hfa:{nodes}:alive", soon, "silent")
        assert await schema.bring_up(client) == BEFORE
        await client.call("ZREM", "hfa:{nodes}:alive", "silent")
        assert await schema.finish(client) == SCHEMA


async def test_a_store_goes_back_and_on_again_and_never_under_a_node(tmp_path: Path) -> None:
    async with past(OF_BEFORE[-1], tmp_path) as client:
        before = await everything(client)
        await schema.bring_up(client)
        await NodeStates(client).show(of_schema(SCHEMA))
        with pytest.raises(StoreSchemaError, match="node older runs"):
            await schema.go_back(client, BEFORE)
        await NodeStates(client).remove("older")
        await schema.go_back(client, BEFORE)
        after = await everything(client)
        assert before[SCHEMA_KEY] == after[SCHEMA_KEY]
        assert before.keys() == after.keys()
        assert await schema.bring_up(client) == SCHEMA


@pytest.mark.parametrize("number", ["0", "99", "none"])
async def test_a_schema_from_which_no_way_leads_is_refused_with_what_to_do(tcp_url: str, number: str) -> None:
    tell(tcp_url, "FLUSHALL")
    tell(tcp_url, f"SET hfa:schema {number}")
    with pytest.raises(
        StoreSchemaError, match=f"migrate --to {SCHEMA}" if number == "99" else "no way|no arena's keys"
    ):
        await Store.open(redis=tcp_url)
    async with connected(tcp_url) as client:
        assert await client.call("GET", SCHEMA_KEY) == number.encode()
