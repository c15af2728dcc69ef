"""The state of an arena, with a warning in words for each thing that is wrong."""

import time
from collections.abc import Iterator

import msgspec

from arena.store import Store
from arena.store.keys import SCHEMA
from arena.store.node_states import SHOW_S, NodeState
from arena.store.survey import Queues, ServerState

CLOCK_S = 1.0
"""By how much the clocks of two machines may differ."""
_NEARLY_FULL = 0.8
_SLOW_S = 0.1


class Report(msgspec.Struct, frozen=True):
    """Everything that `arena status` shows."""

    store: ServerState
    nodes: tuple[NodeState, ...]
    queues: Queues
    warnings: tuple[str, ...]
    schema: int = SCHEMA
    """The store's key schema."""


async def report(store: Store) -> Report:
    """Look at the store, and at all that nodes say there. Raises StoreError."""
    server = await store.survey.server()
    nodes = tuple(await store.node_states.list())
    queues = await store.survey.queues()
    now = time.time() + server.clock_s
    warnings = (*_of_server(server), *_of_schema(store, nodes), *_of_nodes(nodes, now), *_of_queues(queues, nodes))
    return Report(server, nodes, queues, warnings, store.schema)


def _of_server(server: ServerState) -> Iterator[str]:
    if not server.append_only:
        yield "the store keeps no append-only file: a restart of it may lose everything (appendonly yes)"
    elif server.appendfsync not in ("always", ""):
        yield f"a killed store may lose what it acknowledged (appendfsync {server.appendfsync} in place of always)"
    if server.eviction != "noeviction":
        yield f"the store may delete keys when its memory is full (maxmemory-policy {server.eviction})"
    if not server.writes:
        yield "the store could not write to its disk when it last tried"
    if server.memory_limit and server.memory > _NEARLY_FULL * server.memory_limit:
        share = server.memory / server.memory_limit
        yield f"the store has used {share:.0%} of its memory limit; beyond it, it refuses results"
    if server.ping_s > _SLOW_S:
        yield f"the store took {server.ping_s:.2f} s to answer"
    if abs(server.clock_s) > CLOCK_S:
        yield f"the clocks of this machine and the store's are {abs(server.clock_s):.1f} s apart"


def _of_schema(store: Store, nodes: tuple[NodeState, ...]) -> Iterator[str]:
    older = [node.id for node in nodes if node.schema < SCHEMA]
    if store.schema == SCHEMA:
        return
    has = f"the store has key schema {store.schema}"
    if older:
        yield f"{has} until older nodes have ended: {', '.join(older)}"
    else:
        yield f"{has}; a node of this version or `arena migrate` brings it to {SCHEMA}"


def _of_nodes(nodes: tuple[NodeState, ...], now: float) -> Iterator[str]:
    """`now` is the time by the store's clock."""
    if not nodes:
        yield "no node runs: nothing is played"
    versions = sorted({node.version for node in nodes})
    if len(versions) > 1:
        yield f"nodes run different versions: {', '.join(versions)}"
    for node in nodes:
        # What it last said is some seconds old: only a clock that is ahead shows at once, one that is behind later.
        apart_s = node.time_us / 1e6 - now
        if apart_s > CLOCK_S or apart_s < -(CLOCK_S + SHOW_S):
            yield f"the clock of node {node.id} and the store's are about {abs(apart_s):.0f} s apart"


def _of_queues(queues: Queues, nodes: tuple[NodeState, ...]) -> Iterator[str]:
    for queue in queues.divisions:
        where = f"{queue.league}, {queue.variant}"
        if queue.parked:
            jobs = "job was" if queue.parked == 1 else "jobs were"
            yield f"{where}: {queue.parked} {jobs} given up; `arena league show {queue.league}` says why"
        if queue.lacking and nodes:
            yield f"{where}: no node offers {' and '.join(queue.lacking)}, which its bots need"
