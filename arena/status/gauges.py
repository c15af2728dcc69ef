"""What Prometheus is told of the store, its queues and a node, beside what the process counts."""

from collections.abc import Callable, Iterator, Mapping

from arena.metrics.exposition import Gauge
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.survey import Queues, ServerState

Load = Mapping[str, float]
"""What a process has now, by the keys of `_LOAD`."""

_LOAD = {
    "playing": "Jobs that this node works on.",
    "waiting": "Matches that wait at this node for a bot.",
    "bots": "Registered bots that are connected to this node.",
    "cages_thinking": "Caged bots that think at this node now; all others are frozen.",
}
STORE_S = 2.0
"""How long a scrape waits for the store."""


async def gauges(store: Store, load: Callable[[], Load]) -> list[Gauge]:
    """The gauges of a process. While the store does not answer, the metrics say that, and the rest all the same."""
    measured = [_plain(f"arena_{what}", _LOAD[what], value) for what, value in load().items()]
    answers = await store.answers(STORE_S)
    if answers:
        try:
            server, queues = await store.survey.server(), await store.survey.queues()
            measured += [*_of_server(server), *_of_queues(queues)]
        except StoreError:
            answers = False  # which the metric below tells
    return [*measured, _plain("arena_store_up", "Whether the store answers.", answers)]


def _plain(name: str, text: str, value: float) -> Gauge:
    return Gauge(name, text, (), {(): float(value)})


def _of_server(server: ServerState) -> Iterator[Gauge]:
    plain: dict[str, tuple[str, float]] = {
        "arena_store_memory_bytes": ("Memory that the store's server uses.", server.memory),
        "arena_store_memory_limit_bytes": ("Its limit; 0 for none.", server.memory_limit),
        "arena_store_append_only": ("Whether it keeps an append-only file.", server.append_only),
        "arena_store_may_evict": ("Whether it may delete keys.", server.eviction != "noeviction"),
        "arena_store_writes": ("Whether its last writes to the disk went well.", server.writes),
        "arena_store_clock_offset_seconds": ("By how much its clock is ahead of this process's.", server.clock_s),
        "arena_store_replicas": ("Replicas that are connected to it.", server.replicas),
    }
    for name, (text, value) in plain.items():
        yield _plain(name, text, value)


def _of_queues(queues: Queues) -> Iterator[Gauge]:
    jobs: dict[tuple[str, ...], float] = {("ready",): 0, ("leased",): 0, ("parked",): 0}
    for queue in queues.divisions:
        for state, count in (("ready", queue.ready), ("leased", queue.leased), ("parked", queue.parked)):
            jobs[state,] += count
    yield Gauge("arena_jobs", "Jobs of leagues that are not over, by their state.", ("state",), jobs)
    ages: dict[tuple[str, ...], float] = {
        ("ready",): max((queue.oldest_ready_s for queue in queues.divisions), default=0.0),
        ("leased",): max((queue.oldest_leased_s for queue in queues.divisions), default=0.0),
    }
    yield Gauge("arena_oldest_job_seconds", "Age of the oldest job of leagues, by its state.", ("state",), ages)
    lacking = sum(bool(queue.lacking) for queue in queues.divisions)
    yield _plain("arena_divisions_without_node", "Divisions that no node can play.", lacking)
    open_: dict[tuple[str, ...], float] = {("matches",): queues.singles, ("submissions",): queues.versions}
    yield Gauge("arena_open", "Single matches, and submissions to be qualified, that are open.", ("what",), open_)
