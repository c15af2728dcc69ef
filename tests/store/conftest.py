from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from store_servers import DEADLINE_S, tcp_server, tell

from arena.store import Store


@pytest.fixture(scope="session")
def tcp_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that others run, on TCP."""
    with tcp_server(tmp_path_factory.mktemp("tcp")) as port:
        yield f"redis://127.0.0.1:{port}/0"


@pytest.fixture(scope="session")
def cluster_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A cluster of one node, which refuses a script whose keys have more than one hash tag."""
    with tcp_server(tmp_path_factory.mktemp("cluster"), "--cluster-enabled", "yes") as port:
        url = f"redis://127.0.0.1:{port}"
        tell(url, "CLUSTER ADDSLOTSRANGE 0 16383")
        deadline = time.monotonic() + DEADLINE_S
        while b"cluster_state:ok" not in tell(url, "CLUSTER INFO"):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        yield url


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
