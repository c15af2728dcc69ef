"""The store at one moment, and another store made of that."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from store_servers import tell

from arena.store import Store
from arena.store.client import Client
from arena.store.dump import snapshots
from arena.store.errors import BackupError, StoreSchemaError
from arena.store.keys import SCHEMA, SCHEMA_KEY
from arena.store.restoring import restore


async def snapshots_of(store: Store, folder: Path) -> list[Path]:
    """The store's snapshots, in files."""
    paths = []
    async for snapshot in snapshots(store._client):
        paths.append(folder / f"{len(paths)}.rdb")
        with paths[-1].open("wb") as file:
            async for chunk in snapshot:
                file.write(chunk)
    return paths


async def filled(store: Store) -> tuple[str, bytes]:
    """Put a bot and what is drawn by chance into a store; the bot's token, and the secret."""
    _, token = await store.bots.create("ann")
    return token, await store.signing_secret()


def nothing() -> None:
    """Nothing is kept beside the store."""


async def restored(paths: list[Path], folder: Path, data: Path | None = None, redis: str | None = None) -> int:
    """Restore these snapshots, by way of a folder."""
    await asyncio.to_thread(folder.mkdir, exist_ok=True)
    return await restore(paths, folder, schema=SCHEMA, database=0, data=data, redis=redis, beside=nothing)


async def test_every_kind_of_store_becomes_an_embedded_one(store: Store, tmp_path: Path, short_path: Path) -> None:
    token, secret = await filled(store)
    paths = await snapshots_of(store, tmp_path)
    assert await restored(paths, short_path / "load", tmp_path / "new") > 3
    async with await Store.open(tmp_path / "new", patience_s=60) as new:
        assert (await new.bots.authenticate(token)).name == "ann"
        assert await new.signing_secret() == secret


@pytest.mark.parametrize("kind", ["tcp", "cluster"])
async def test_an_embedded_store_becomes_one_of_every_kind(
    embedded: Store, kind: str, tmp_path: Path, short_path: Path, request: pytest.FixtureRequest
) -> None:
    url: str = request.getfixturevalue(f"{kind}_url")
    tell(url, "FLUSHALL")
    token, secret = await filled(embedded)
    await embedded._client.call("SET", "hfa:soon", "over", "PX", 3_600_000)
    await restored(await snapshots_of(embedded, tmp_path), short_path / "load", redis=url)
    async with await Store.open(redis=url, patience_s=60) as new:
        assert (await new.bots.authenticate(token)).name == "ann"
        assert await new.signing_secret() == secret
        assert 0 < await new._client.call("PTTL", "hfa:soon") <= 3_600_000


async def test_a_part_of_a_backup_is_no_arena_and_can_be_restored_again(
    embedded: Store, tcp_url: str, tmp_path: Path, short_path: Path
) -> None:
    tell(tcp_url, "FLUSHALL")
    token, _ = await filled(embedded)
    paths = await snapshots_of(embedded, tmp_path)
    rubbish = tmp_path / "rubbish.rdb"
    rubbish.write_bytes(paths[0].read_bytes()[:-20])
    with pytest.raises(BackupError, match="does not read this backup"):
        await restored([*paths, rubbish], short_path / "load", redis=tcp_url)
    with pytest.raises(StoreSchemaError, match="run `arena restore` again"):
        await Store.open(redis=tcp_url)
    tell(tcp_url, "SET hfa:left from_before")
    await restored(paths, short_path / "load", redis=tcp_url)
    async with await Store.open(redis=tcp_url, patience_s=60) as new:
        assert (await new.bots.authenticate(token)).name == "ann"
        assert await new._client.call("GET", "hfa:left") is None


async def test_other_keys_of_a_server_stay_out_of_a_restored_store(
    tcp_url: str, tmp_path: Path, short_path: Path
) -> None:
    tell(tcp_url, "FLUSHALL")
    tell(tcp_url, "SET somebody_elses 1")
    async with await Store.open(redis=tcp_url, patience_s=60) as store:
        await filled(store)
        paths = await snapshots_of(store, tmp_path)
    await restored(paths, short_path / "load", tmp_path / "new")
    async with await Store.open(tmp_path / "new", patience_s=60) as new:
        assert await new._client.call("EXISTS", "somebody_elses") == 0


async def test_a_store_that_holds_an_arena_is_not_restored_into(
    embedded: Store, tcp_url: str, tmp_path: Path, short_path: Path
) -> None:
    tell(tcp_url, "FLUSHALL")
    paths = await snapshots_of(embedded, tmp_path)
    async with await Store.open(redis=tcp_url, patience_s=60) as there:
        token, _ = await filled(there)
        with pytest.raises(BackupError, match="restore into an empty one"):
            await restored(paths, short_path / "load", redis=tcp_url)
        assert (await there.bots.authenticate(token)).name == "ann"


async def test_a_backup_of_a_newer_schema_is_refused_before_anything_is_written(
    embedded: Store, tmp_path: Path, short_path: Path
) -> None:
    paths = await snapshots_of(embedded, tmp_path)
    with pytest.raises(StoreSchemaError, match=f"schema {SCHEMA + 1}"):
        await restore(
            paths,
            short_path,
            schema=SCHEMA + 1,
            database=0,
            data=tmp_path / "new",
            redis=None,
            beside=nothing,
        )
    assert not (tmp_path / "new").exists()


async def test_a_server_that_gives_no_snapshot_is_named(tcp_url: str, tmp_path: Path) -> None:
    tell(tcp_url, "FLUSHALL")
    tell(tcp_url, "ACL SETUSER guest on nopass ~* +@all -sync -psync -replconf")
    url = tcp_url.replace("redis://", "redis://guest:any@")
    async with await Store.open(redis=url, patience_s=60) as store:
        with pytest.raises(BackupError, match="gave no snapshot"):
            await snapshots_of(store, tmp_path)
    client = await Client.connect(tcp_url)
    await client.call("ACL", "DELUSER", "guest")
    await client.call("DEL", SCHEMA_KEY)
    await client.close()
