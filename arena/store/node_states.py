"""What each node says of itself, whether it shares its store or not; nodes that say nothing any more are forgotten."""

import msgspec

from arena.store.client import Section
from arena.store.errors import UnknownNodeError
from arena.store.keys import NODE_STATES, NODES_DRAINING, node_state

SHOW_S = 2.0
"""How often a node says how it is."""
KEPT_MS = 15_000
"""How long a node counts as one that runs after it has last said so."""


class NodeState(msgspec.Struct, frozen=True):
    """A node as an operator sees it. `time_us` is its own clock; times are in microseconds."""

    id: str
    version: str
    host: str
    pid: int
    addresses: tuple[str, ...]
    started_us: int
    time_us: int
    playing: int = 0
    """Matches, and other jobs, that it works on."""
    waiting: int = 0
    """Matches that wait there for a bot."""
    bots: int = 0
    """Registered bots that are connected to it."""
    draining: bool = False
    schema: int = 2
    """The newest key schema that it knows. Nodes that do not say so know 2."""


class NodeStates(Section):
    """The states of all nodes of a store."""

    async def show(self, state: NodeState) -> bool:
        """Keep a node's state for a while; return whether the node has been asked to drain."""
        await self._client.call("SET", node_state(state.id), msgspec.msgpack.encode(state), "PX", KEPT_MS)
        await self._client.call("SADD", NODE_STATES, state.id)
        return bool(await self._client.call("HEXISTS", NODES_DRAINING, state.id))

    async def remove(self, node: str) -> None:
        """Forget a node that ends."""
        await self._client.call("DEL", node_state(node))
        await self._client.call("SREM", NODE_STATES, node)
        await self._client.call("HDEL", NODES_DRAINING, node)

    async def list(self) -> list[NodeState]:
        """Return the states of the nodes that run, by their ids."""
        ids = sorted(name.decode() for name in await self._client.call("SMEMBERS", NODE_STATES))
        if not ids:
            return []
        states = await self._client.call("MGET", *map(node_state, ids))
        for id_, state in zip(ids, states, strict=True):
            if state is None:
                await self.remove(id_)
        return [msgspec.msgpack.decode(state, type=NodeState) for state in states if state is not None]

    async def drain(self, name: str) -> NodeState:
        """Ask the node whose id begins so to end; it finds out within `SHOW_S`. Raises UnknownNodeError."""
        states = await self.list()
        matching = [state for state in states if state.id.startswith(name)]
        if len(matching) != 1:
            raise UnknownNodeError(name, [state.id for state in states])
        await self._client.call("HSET", NODES_DRAINING, matching[0].id, 1)
        return matching[0]
