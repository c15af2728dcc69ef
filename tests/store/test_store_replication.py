"""What asynchronous replication may lose with its master, and what bounds that."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psutil
import pytest
from store_servers import ServerProcess, connected, tcp_server, tell, until

from arena.store import Store
from arena.store.errors import StoreRefusedError, UnknownLeagueError

if TYPE_CHECKING:
    from pathlib import Path


@contextmanager
def pair(folder: Path) -> Iterator[tuple[ServerProcess, ServerProcess]]:
    """A master and its replica."""
    for name in ("master", "replica"):
        (folder / name).mkdir()
    with (
        tcp_server(folder / "master", "--repl-diskless-sync-delay", "0") as master,
        tcp_server(folder / "replica", "--replicaof", f"127.0.0.1 {master.port}") as replica,
    ):
        yield master, replica


def pid_of(server: ServerProcess) -> int:
    """The server's process, by the port on which it listens."""
    return next(
        connection.pid
        for connection in psutil.net_connections("tcp")
        if connection.laddr.port == server.port and connection.status == psutil.CONN_LISTEN and connection.pid
    )


async def create(store: Store, name: str) -> None:
    await store.leagues.create(name, b"{}", digest="d", divisions={"koikoi": 1})


async def copied(master: ServerProcess, replica: ServerProcess) -> None:
    # Its link is up once it has loaded what it was sent first; before that the offsets of both may be 0.
    await until(
        lambda: b"master_link_status:up" in tell(replica.url, "INFO replication") and has_all(master),
        "the replica has everything",
    )


def has_all(master: ServerProcess) -> bool:
    """Whether the replica is in step."""
    told = tell(master.url, "INFO replication")
    sent, there = re.search(rb"master_repl_offset:(\d+)", told), re.search(rb"state=online,offset=(\d+)", told)
    return there is not None and sent[1] == there[1]


@pytest.mark.parametrize("bounded", [False, True])
async def test_a_lost_master_takes_with_it_what_no_replica_has_unless_it_may_not_write_alone(
    tmp_path: Path, bounded: bool
) -> None:
    with pair(tmp_path) as (master, replica):
        async with await Store.open(redis=master.url, patience_s=60) as store:
            await create(store, "copied")
            await copied(master, replica)
            if bounded:
                tell(master.url, "CONFIG SET min-replicas-max-lag 1")
                tell(master.url, "CONFIG SET min-replicas-to-write 1")
            # Without the second, the replica would find in its socket what was sent while it was stopped.
            os.kill(pid_of(replica), signal.SIGSTOP)
            tell(master.url, "CLIENT KILL TYPE replica")
            if bounded:
                await until(
                    lambda: b"min_slaves_good_slaves:0" in tell(master.url, "INFO replication"),
                    "the master has noticed that its replica is away",
                )
                store._client.patience_s = 0.5
                with pytest.raises(StoreRefusedError, match="NOREPLICAS"):
                    await create(store, "alone")
            else:
                await create(store, "alone")
                assert (await store.leagues.get("alone")).name == "alone", "it was acknowledged"
                assert not has_all(master)
        master.kill()
        os.kill(pid_of(replica), signal.SIGCONT)
        tell(replica.url, "REPLICAOF NO ONE")
        async with await Store.open(redis=replica.url, patience_s=60) as after:
            assert (await after.leagues.get("copied")).name == "copied"
            with pytest.raises(UnknownLeagueError):
                await after.leagues.get("alone")
            await create(after, "alone")


async def test_a_store_that_may_not_write_without_a_replica_goes_on_when_that_is_back(tmp_path: Path) -> None:
    with pair(tmp_path) as (master, replica):
        async with await Store.open(redis=master.url, patience_s=60) as store, connected(master.url) as client:
            await copied(master, replica)
            await client.call("CONFIG", "SET", "min-replicas-max-lag", 1)
            await client.call("CONFIG", "SET", "min-replicas-to-write", 1)
            os.kill(pid_of(replica), signal.SIGSTOP)
            await until(
                lambda: b"min_slaves_good_slaves:0" in tell(master.url, "INFO replication"),
                "the master has noticed that its replica is away",
            )
            writing = asyncio.create_task(create(store, "waits"))
            done, _ = await asyncio.wait((writing,), timeout=0.3)
            assert not done, "a call waits for the replica, as it waits for a server that is away"
            os.kill(pid_of(replica), signal.SIGCONT)
            await writing
