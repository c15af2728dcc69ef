"""Stores of each kind: embedded, on TCP, in a cluster."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from store_servers import tcp_server, tell

from arena.store import Store


@pytest.fixture(scope="session")
def tcp_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that others run, on TCP."""
    with tcp_server(tmp_path_factory.mktemp("tcp")) as server:
        yield server.url


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of one node, which refuses a script whose keys have more than one hash tag."""
    with tcp_server(tmp_path_factory.mktemp("cluster"), "--cluster-enabled", "yes") as server:
        tell(server.url, "CLUSTER ADDSLOTSRANGE 0 16383")
        server.wait_for("Cluster state changed: ok")
        yield server.url


@pytest.fixture(params=["embedded", "tcp", "cluster"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store, of each kind."""
    if request.param == "embedded":
        opened = await Store.open(tmp_path / "data", patience_s=60)
    else:
        url: str = request.getfixturevalue(f"{request.param}_url")
        tell(url, "FLUSHALL")
        opened = await Store.open(redis=url, patience_s=60)
    async with opened as store:
        yield store


@pytest.fixture
async def embedded(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty store on an embedded server."""
    async with await Store.open(tmp_path / "data", patience_s=60) as store:
        yield store
