"""Nodes that are stopped."""

import asyncio
import os
import signal
import time
from pathlib import Path

import msgspec
import pytest
from store_servers import until

from arena.match.model import MatchSpec
from arena.node import node
from arena.node.node import Cluster, running_node
from arena.organizer.matches import MatchJob
from arena.store import Scope, Store, embedded
from arena.store.errors import EmbeddedServerError

CLUSTER = Cluster("sixteen characters", advertise=lambda _: "127.0.0.1:1")


async def test_a_node_that_is_stopped_while_the_store_is_away_does_not_wait_for_it_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "LEAVE_S", 0.2)
    async with (
        await Store.open(tmp_path / "data", patience_s=3_600) as store,
        asyncio.timeout(60),
        running_node(store, tmp_path, cluster=CLUSTER),
    ):
        await store.embedded.stop()


async def test_a_node_that_is_stopped_while_the_store_hangs_does_not_wait_for_it_and_loses_no_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "LEAVE_S", 0.5)
    spec = MatchSpec("m1", "koikoi", bytes(32), ("ann", "bo"))
    async with await Store.open(tmp_path / "data", lease_ms=1_000) as store, asyncio.timeout(60):
        payload = msgspec.msgpack.encode(MatchJob(spec, spec.names))
        await store.matches.create("m1", bots=spec.names, payload=payload, commitment="00")
        async with running_node(store, tmp_path, cluster=CLUSTER):

            async def waits_for_its_bots() -> bool:
                return bool(await store.matches.player("m1"))

            await until(waits_for_its_bots, "the node has the match")
            os.kill(store.embedded.pid, signal.SIGSTOP)
            stopped_at = time.monotonic()
        assert time.monotonic() - stopped_at < 8
        os.kill(store.embedded.pid, signal.SIGCONT)
        [job] = await store.jobs("another").claim(1, wait_s=30)
        assert job.scope == Scope.match("m1")


async def test_a_node_whose_embedded_server_has_ended_for_good_raises_that_alone_even_if_its_body_does_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_QUICK_DEATHS", 1)
    async with await Store.open(tmp_path / "data") as store, asyncio.timeout(60):

        async def run() -> None:
            async with running_node(store, tmp_path):
                [log] = (tmp_path / "data" / "appendonlydir").glob("*.incr.aof")
                log.write_bytes(b"no command at all")
                os.kill(store.embedded.pid, signal.SIGKILL)
                try:
                    await asyncio.get_running_loop().create_future()
                finally:
                    await store.bots.list()

        with pytest.raises(EmbeddedServerError, match="Bad file format"):
            await run()
