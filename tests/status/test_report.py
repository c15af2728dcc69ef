"""What an operator is warned of."""

import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from store_of_the_past import NAMES, unpack
from store_servers import tcp_server

from arena.status.lines import lines
from arena.status.report import report
from arena.store import Store
from arena.store.keys import SCHEMA
from arena.store.node_states import NodeState


def state(**more: object) -> NodeState:
    """A node that is well."""
    now = time.time_ns() // 1000
    node = NodeState("host.1.abc", "1.0", "host", 1, ("127.0.0.1:7777",), started_us=now, time_us=now)
    return replace(node, **more)


async def warnings(store: Store) -> str:
    """All warnings."""
    return "\n".join((await report(store)).warnings)


async def test_nothing_is_wrong_with_an_embedded_store_and_a_node(embedded: Store) -> None:
    assert "no node runs" in await warnings(embedded)
    await embedded.node_states.show(state())
    told = await report(embedded)
    assert told.warnings == ()
    assert [node.id for node in told.nodes] == ["host.1.abc"]
    assert next(lines(told)) == "all is well"


@pytest.mark.parametrize(
    ("settings", "warning"),
    [
        (("--appendonly", "no"), "keeps no append-only file"),
        (("--appendonly", "yes", "--appendfsync", "everysec"), "appendfsync everysec in place of always"),
        (("--appendonly", "no", "--maxmemory-policy", "volatile-lru"), "maxmemory-policy volatile-lru"),
        (("--appendonly", "no", "--maxmemory", "16mb"), "of its memory limit"),
    ],
)
async def test_each_setting_of_a_server_that_may_lose_something_is_told(
    tmp_path: Path, settings: tuple[str, ...], warning: str
) -> None:
    with tcp_server(tmp_path, *settings) as server:
        async with await Store.open(redis=server.url, patience_s=60) as store:
            if "memory" in warning:
                await store._client.call("SETRANGE", "filler", 13_000_000, "x")
            await store.node_states.show(state())
            assert warning in await warnings(store)


async def test_a_store_of_the_schema_before_is_told_with_what_takes_it_on(tmp_path: Path) -> None:
    [*_, name] = (name for name in NAMES if name.startswith(f"{SCHEMA - 1}-"))
    old = unpack(name, tmp_path / "data")
    async with await Store.open(old.folder, attach=True, patience_s=60) as store:
        taken_on = f"has key schema {SCHEMA - 1}; a node of this version or `arena migrate` brings it to {SCHEMA}"
        assert taken_on in await warnings(store)
        await store.node_states.show(state(schema=SCHEMA - 1))
        kept = f"has key schema {SCHEMA - 1} until older nodes have ended: host.1.abc"
        assert kept in await warnings(store)


async def test_nodes_of_two_versions_and_a_clock_that_is_ahead_are_told(embedded: Store) -> None:
    await embedded.node_states.show(state())
    await embedded.node_states.show(
        state(id="other.2.def", version="1.1", time_us=time.time_ns() // 1000 + 3_600_000_000)
    )
    told = await warnings(embedded)
    assert "nodes run different versions: 1.0, 1.1" in told
    assert "the clock of node other.2.def" in told
    assert "host.1.abc" not in told


async def test_a_division_that_no_node_can_play_is_told(embedded: Store) -> None:
    assert (await embedded.survey.queues()).divisions == ()


async def test_a_probe_that_hangs_is_one_for_all_who_ask(embedded: Store) -> None:
    assert await embedded.answers(60)
    assert await embedded.answers(60)
