"""A node: gRPC server and worker on one event loop, over one store."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from arena.cluster.hosting import NodeServicer
from arena.cluster.links import Links
from arena.cluster.peers import Peers, is_own
from arena.cluster.profiles import BotProfiles
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.shared import SharedCages
from arena.logs import event
from arena.match.live import LiveMatches
from arena.metrics import meters
from arena.node.chores import (
    Ladders,
    abandon_matches,
    carry_out_schedules,
    delete_old_matches,
    end_revoked,
    finish_migration,
    repeat,
    show_matches,
)
from arena.node.connections import REPORT_EVERY_S, report
from arena.node.job_loop import JobLoop, MatchObserver
from arena.node.luck import LuckChore
from arena.node.presence import Presence
from arena.node.process import tune_process
from arena.node.server import Listen, Server
from arena.node.serving import BotOptions, serving
from arena.node.submissions import Submissions
from arena.node.tokens import NodeTokens
from arena.organizer.limits import ChallengeLimits
from arena.processes import connections_limit
from arena.rpc.errors import invalid
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.rpc.open_calls import OpenCalls
from arena.services.arena import ArenaServicer
from arena.services.bots import BotServicer
from arena.services.ladders import LadderServicer
from arena.services.leagues import LeagueServicer
from arena.services.matches import MatchServicer
from arena.services.owners import OwnerServicer
from arena.services.replays import ReplayServicer
from arena.services.submissions import SubmissionServicer
from arena.services.watching import Spectators
from arena.signatures import SigningKey
from arena.store import Job, JobQueue, Store
from arena.store.keys import SCHEMA
from arena.store.nodes import key_proof
from arena.stream.hub import Hub

if TYPE_CHECKING:
    from arena.node.traces import MatchTraces

LEAVE_S = 4.0
"""How long a node that stops waits for a store that is away or hangs: what it cannot give back is left to its lease."""
_DELETE_EVERY_S = 60.0
_REVOKE_EVERY_S = 0.3
_SCHEDULES_EVERY_S = 1.0
_LADDERS_EVERY_S = 2.0
_LUCK_EVERY_S = 2.0
_MIGRATE_EVERY_S = 2.0
_SHOW_EVERY_S = 0.5
"""How often the node checks whether its matches are watched elsewhere, and shows how they stand."""

log = logging.getLogger(__name__)


class NodeOptions(BotOptions, frozen=True):
    """How a node does its work, and what it allows."""

    waits_for_cage: bool = True
    tries_cage: bool = False
    """Whether the cage is tried at once, and not when the first bot needs it."""
    limits: ChallengeLimits = ChallengeLimits()
    """Within which challenges are taken."""


class Cluster(msgspec.Struct, frozen=True):
    """How a node and its peers find one another.

    `key` is what they show one another. `advertise` says at which address others reach this node, of those that it
    listens on. `tls_ca` holds the certificates to trust where nodes serve TLS.
    """

    key: str
    advertise: Callable[[tuple[str, ...]], str]
    tls_ca: Path | None = None


@dataclass(eq=False)
class Node:
    """A node that runs: its server, and a worker on the jobs. `addresses` are those it was given to listen on."""

    jobs: JobQueue
    addresses: tuple[str, ...]
    submissions: Submissions
    presence: Presence
    committed: asyncio.Event = field(default_factory=asyncio.Event)

    async def progress(self, timeout: float) -> None:  # noqa: ASYNC109
        """Wait until this node commits something, at most `timeout` seconds: other nodes do so unnoticed."""
        self.committed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self.committed.wait()


_OPTIONS = NodeOptions()


@asynccontextmanager
async def running_node(
    store: Store,
    data: Path,
    listen: Listen | None = None,
    cluster: Cluster | None = None,
    options: NodeOptions = _OPTIONS,
    *,
    live: LiveMatches | None = None,
    cages: SharedCages | None = None,
    match_over: MatchObserver | None = None,
    traces: "MatchTraces | None" = None,
) -> AsyncIterator[Node]:
    """Run a node over the store, for as long as the body runs. A worker that fails ends the body.

    With a cluster it is one of several nodes, whose bots meet one another; ClusterKeyError when the others have another
    key. `cages` are by default its own; it closes them. In `live` are the matches that may be watched, while they are
    played here; the node shows them to pages elsewhere. `match_over` is called with each match that was played here;
    `traces` get a span of each.
    """
    parts = _Parts(store, SigningKey(await store.signing_secret()), live or LiveMatches(), cluster)
    server = parts.server(options.limits)
    cages = cages or SharedCages(limits=CageLimits.with_fuel(store.fuel))
    hosting = serving(
        parts.hub, parts.tokens, data / "logs", options, server=server, listen=listen, peers=parts.peers, cages=cages
    )
    async with contextlib.AsyncExitStack() as leaving, hosting as (_, seat_provider):
        tune_process()
        versions = data / "versions"
        submissions = Submissions(store, parts.jobs, seat_provider, versions, cages, at_once=options.tries_cage)
        worker = parts.worker = JobLoop(
            store,
            parts.jobs,
            seat_provider,
            committed=lambda _: node.committed.set(),
            match_over=match_over,
            peers=parts.peers,
            signing_key=parts.signing_key,
            live=parts.live,
            traces=traces,
        )
        presence = Presence(store, server, parts.hub, worker, cages, parts.jobs.owner, server.addresses[1:])
        node = Node(parts.jobs, server.addresses[1:], submissions, presence)

        async def leave() -> None:
            await leaving.enter_async_context(store.impatient(LEAVE_S))
            await parts.prepare_to_leave()

        luck = LuckChore(store, parts.jobs.owner)
        with contextlib.closing(submissions), contextlib.closing(luck):
            async with parts.joined(node.addresses, listen), presence.shown():
                chores = [submissions.run(), *presence.chores(), *_chores(parts, worker, options.limits)]
                chores.append(_watch_connections(server))
                chores.append(repeat(luck.run, "luck is left for later", _LUCK_EVERY_S))
                if live is not None:
                    chores.append(_showing(parts, live))
                async with _at_work(worker, chores, leave):
                    yield node


class _Parts:
    """What a node is put together from before it listens."""

    def __init__(self, store: Store, signing_key: SigningKey, live: LiveMatches, cluster: Cluster | None) -> None:
        self.store = store
        self.signing_key = signing_key
        self.live = live
        self.hub, self.tokens = Hub(), NodeTokens(store)
        self.jobs, self.calls = store.jobs(), OpenCalls()
        self.peers: Peers | None = None
        self.worker: JobLoop | None = None
        self._cluster = cluster
        self.hub.listen(_log_bot)
        if cluster is not None:
            links = Links(cluster.key, cluster.tls_ca)
            self.peers = Peers(self.hub, store.nodes, links, self.jobs.owner, key_proof(cluster.key))
        self._spectators = Spectators(store, live, self.peers)

    def server(self, limits: ChallengeLimits) -> Server:
        """Make the server, with all services of the arena; in a cluster other nodes may call it."""
        bots = self.peers or self.hub
        servicers: list[object] = [
            ArenaServicer(self.signing_key.public),
            BotServicer(self.store, bots),
            OwnerServicer(self.store),
            SubmissionServicer(self.store),
            ReplayServicer(self.store),
            LeagueServicer(self.store, self.hub),
            LadderServicer(self.store),
            MatchServicer(self.store, bots, self._spectators, limits),
        ]
        node_key = None
        if self._cluster is not None:
            servicers.append(NodeServicer(self.hub, self.live, self._take_over))
            node_key = MemoryTokens({self._cluster.key: BotIdentity("a node of this arena")})
        return Server(self.hub, self.tokens, servicers, node_key, self.calls)

    @asynccontextmanager
    async def joined(self, addresses: tuple[str, ...], listen: Listen | None) -> AsyncIterator[None]:
        """Be known to the other nodes, if there can be any, while the body runs. Raises ClusterKeyError."""
        if self._cluster is None or self.peers is None:
            yield
            return
        address = self._cluster.advertise(addresses)
        tls = listen is not None and listen.tls_cert is not None and not address.startswith("unix:")
        await self.peers.join(address, tls=tls)
        try:
            yield
        finally:
            await self.peers.leave()

    async def prepare_to_leave(self) -> None:
        """Send spectators away, and announce that this node takes no new matches."""
        self._spectators.leave()
        if self.peers is not None:
            await self.peers.drain()

    async def _take_over(self, job: bytes) -> None:
        # A job that comes before the worker is there is taken again when its lease runs out.
        if self.worker is None:
            return
        try:
            handed = msgspec.msgpack.decode(job, type=Job)
        except msgspec.DecodeError as error:
            raise invalid(job=str(error)) from error
        await self.worker.take_over(handed)


def _watch_connections(server: Server) -> Coroutine[None, None, None]:
    """Say in the log who holds the connections where strangers take most of them."""
    ports = {int(address.rpartition(":")[2]) for address in server.addresses if not address.startswith("unix:")}
    task = partial(asyncio.to_thread, report, ports, connections_limit())
    return repeat(task, "cannot look who holds connections", REPORT_EVERY_S)


def _chores(parts: _Parts, worker: JobLoop, limits: ChallengeLimits) -> list[Coroutine[None, None, None]]:
    """Return the periodic tasks of a node."""
    store = parts.store
    profiles = BotProfiles(parts.hub, store.bots)
    ladders = Ladders(store, parts.jobs.owner, (parts.peers or parts.hub).connected)
    chores = [
        repeat(partial(carry_out_schedules, store), "schedules are left for later", _SCHEDULES_EVERY_S),
        repeat(ladders.run, "ladders are left for later", _LADDERS_EVERY_S),
        repeat(profiles.write, "cannot store which variants bots play"),
        repeat(partial(end_revoked, store, parts.calls), "cannot look for revoked tokens", _REVOKE_EVERY_S),
        repeat(partial(abandon_matches, store, worker.singles), "cannot look for ended owners", _REVOKE_EVERY_S),
        repeat(partial(delete_old_matches, store, limits.keep_s), "old matches are left for later", _DELETE_EVERY_S),
    ]
    if store.schema != SCHEMA:
        finish = partial(finish_migration, store)
        chores.append(repeat(finish, "the store keeps its earlier key schema for now", _MIGRATE_EVERY_S))
    return chores if parts.peers is None else [*chores, parts.peers.run()]


def _showing(parts: _Parts, live: LiveMatches) -> Coroutine[None, None, None]:
    """Return the periodic task that shows the matches in `live` to pages elsewhere."""
    show = partial(show_matches, parts.store.snapshots, parts.jobs.owner, live)
    return repeat(show, "matches under way are not shown to pages", _SHOW_EVERY_S)


@asynccontextmanager
async def _at_work(
    worker: JobLoop, chores: Sequence[Coroutine[None, None, None]], leave: Callable[[], Awaitable[None]]
) -> AsyncIterator[None]:
    """Run the worker and the chores beside the body, and end with whatever of them fails.

    After the body comes `leave`, and while the worker gives back what it has, the chores still run: other nodes can
    still reach the bots that are here.
    """
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(chore) for chore in chores]
            working = group.create_task(worker.run())
            try:
                yield
            finally:
                await leave()
                working.cancel()
                await asyncio.wait((working,))
                for task in tasks:
                    task.cancel()
    except BaseExceptionGroup as failed:
        # The error of the body or of the worker, as itself: callers know the types of errors, not of groups. Where
        # the embedded server has ended, both may have raised the same one.
        raise (failed.exceptions[0] if len(set(failed.exceptions)) == 1 else failed) from None


def _log_bot(bot: BotIdentity, connected: bool) -> None:
    """Log that a registered bot has come or gone."""
    if not is_own(bot.name):
        kind = "connected" if connected else "left"
        meters.bot_connections.add(kind)
        text = "bot %s is connected" if connected else "bot %s has left"
        event(log, logging.INFO, f"bot_{kind}", text, bot.name, limited=True, bot=bot.name, owner=bot.owner)
