"""Nodes that are stopped."""

import asyncio
from pathlib import Path

import pytest

from arena.node import node
from arena.node.node import Cluster, running_node
from arena.store import Store


async def test_a_node_that_is_stopped_while_the_store_is_away_does_not_wait_for_it_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node, "LEAVE_S", 0.2)
    cluster = Cluster("sixteen characters", advertise=lambda _: "127.0.0.1:1")
    async with (
        await Store.open(tmp_path / "data", patience_s=3_600) as store,
        asyncio.timeout(60),
        running_node(store, tmp_path, cluster=cluster, in_process=True),
    ):
        await store.embedded.stop()
