"""Nodes that are alive, and those that are not."""

import pytest

from arena.store import Store
from arena.store.errors import ClusterKeyError
from arena.store.keys import NODES_ALIVE
from arena.store.nodes import BotAbout, NodeAbout, Nodes


@pytest.fixture
async def nodes(store: Store) -> Nodes:
    """Two nodes with a bot each."""
    nodes = Nodes(store._client, alive_ms=60_000)
    for name in ("a", "b"):
        await nodes.heartbeat(NodeAbout(name, "address"), "proof")
        await nodes.connected(name, f"bot-of-{name}", BotAbout())
    return nodes


async def expired(store: Store, *names: str) -> None:
    """As if these nodes had sent no heartbeat for longer than they count as alive."""
    for name in names:
        await store._client.call("ZADD", NODES_ALIVE, 1, name)


@pytest.mark.parametrize("by", ["a", "new"])
async def test_a_node_without_heartbeats_is_removed_with_its_bots_by_any_other(
    store: Store, nodes: Nodes, by: str
) -> None:
    await expired(store, "b")
    await nodes.heartbeat(NodeAbout(by, "address"), "proof")
    assert await nodes.nodes() == {name: NodeAbout(name, "address") for name in {"a", by}}
    assert await nodes.bots() == {"bot-of-a": ("a", BotAbout())}
    assert (await nodes.heartbeat(NodeAbout("b", "address"), "proof")).lapsed


async def test_nodes_keep_their_bots_when_none_of_them_could_reach_the_store(store: Store, nodes: Nodes) -> None:
    await expired(store, "a", "b")
    assert not (await nodes.heartbeat(NodeAbout("a", "address"), "proof")).lapsed
    assert not (await nodes.heartbeat(NodeAbout("b", "address"), "proof")).lapsed
    assert set(await nodes.bots()) == {"bot-of-a", "bot-of-b"}


async def test_a_node_that_does_not_come_back_with_the_store_is_removed(store: Store, nodes: Nodes) -> None:
    await expired(store, "a", "b")
    for left in ({"a", "b"}, {"a"}):
        await nodes.heartbeat(NodeAbout("a", "address"), "proof")
        assert set(await nodes.nodes()) == left


async def test_a_node_with_another_key_is_refused_while_others_are_alive(store: Store, nodes: Nodes) -> None:
    for name in ("a", "c"):
        with pytest.raises(ClusterKeyError):
            await nodes.heartbeat(NodeAbout(name, "address"), "another proof")
    await expired(store, "b")
    assert (await nodes.heartbeat(NodeAbout("a", "address"), "another proof")).version > 0


async def test_a_bot_is_said_to_be_still_there_only_where_no_other_node_that_is_alive_has_it(nodes: Nodes) -> None:
    await nodes.connected("a", "bot-of-b", BotAbout(), still=True)
    assert (await nodes.bots())["bot-of-b"] == ("b", BotAbout())
    await nodes.leave("b")
    await nodes.connected("b", "bot-of-b", BotAbout())  # it was noted late
    await nodes.connected("a", "bot-of-b", BotAbout(), still=True)
    assert (await nodes.bots())["bot-of-b"] == ("a", BotAbout())
