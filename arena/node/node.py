"""A node: gRPC server and worker on one event loop, over one store."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec

from arena.cluster.hosting import NodeServicer
from arena.cluster.links import Links
from arena.cluster.peers import Peers, is_own
from arena.cluster.profiles import BotProfiles
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.shared import SharedCages
from arena.launcher.path_bots import Confinement, PathBots
from arena.launcher.processes import START_S, Launcher
from arena.match.live import LiveMatches
from arena.node.chores import (
    abandon_matches,
    carry_out_schedules,
    delete_old_matches,
    end_bots,
    end_revoked,
    repeat,
    show_matches,
)
from arena.node.job_loop import JobLoop, MatchObserver
from arena.node.process import tune_process
from arena.node.seat_provider import FRESH_AT_ONCE, SeatProvider
from arena.node.server import Listen, Server
from arena.node.submissions import Submissions
from arena.organizer.limits import ChallengeLimits
from arena.rpc.identity import BotIdentity, Identity, MemoryTokens, OwnerIdentity, TokenDirectory
from arena.rpc.open_calls import OpenCalls
from arena.scratch import scratch_folder
from arena.services.arena import ArenaServicer
from arena.services.bots import BotServicer
from arena.services.leagues import LeagueServicer
from arena.services.matches import MatchServicer
from arena.services.owners import OwnerServicer
from arena.services.replays import ReplayServicer
from arena.services.submissions import SubmissionServicer
from arena.services.watching import Spectators
from arena.signatures import SigningKey
from arena.store import JobQueue, Store
from arena.store.errors import MalformedTokenError, UnknownTokenError
from arena.store.nodes import key_proof
from arena.store.tokens import BOT, OWNER, token_hash
from arena.stream.hub import Hub

LEAVE_S = 5.0
"""How long a node that stops waits for a store that is away or hangs: what it cannot give back is left to its lease."""
_OLD_S = 60.0
_END_S = 2.0
_REVOKED_S = 0.3
_SCHEDULES_S = 1.0
_SHOWN_S = 0.5
"""How often the node checks whether its matches are watched elsewhere, and shows how they stand."""
_LIMITS = ChallengeLimits()

log = logging.getLogger(__name__)


class NodeTokens:
    """Tokens of this node: of owners and registered bots, by the store, and of the bots that the node starts itself."""

    def __init__(self, store: Store | None = None) -> None:
        self.own = MemoryTokens()
        self._store = store

    async def lookup(self, token: str) -> Identity | None:
        """The bot or owner that the token belongs to, or None."""
        own = await self.own.lookup(token)
        if own is not None or self._store is None:
            return own
        try:
            if token.startswith(OWNER):
                owner = await self._store.owners.authenticate(token)
                return OwnerIdentity(owner.name, token_hash(token, OWNER))
            bot = await self._store.bots.authenticate(token)
        except (MalformedTokenError, UnknownTokenError):
            return None
        return BotIdentity(bot.name, bot.owner, token_hash(token, BOT))


@asynccontextmanager
async def serving(
    hub: Hub,
    tokens: NodeTokens,
    logs: Path,
    listen: Listen | None = None,
    servicers: Sequence[object] = (),
    start_s: float = START_S,
    fresh_at_once: int = FRESH_AT_ONCE,
    node_key: TokenDirectory | None = None,
    peers: Peers | None = None,
    *,
    in_process: bool = False,
    confinement: Confinement = Confinement.CAGED,
    waits_for_cage: bool = False,
    cages: SharedCages | None = None,
    calls: OpenCalls | None = None,
) -> AsyncIterator[tuple[Server, SeatProvider]]:
    """A server, and the bots that this process starts itself, which reach it by a Unix socket of its own.

    Such a bot has `start_s` seconds from its start to its Hello; at most `fresh_at_once` matches with bots that are
    started for them run at once, and one of each group at least. Other nodes show `node_key`. `confinement` says
    where bots by path run, `waits_for_cage` whether bots that need a cage are played at all before `cages` have been
    tried.
    """
    listen = listen or Listen(())
    # A socket's path is short, a data folder's may not be.
    with scratch_folder() as folder:
        own = f"unix:{folder / 'node.sock'}"
        server = Server(hub, tokens, servicers, node_key, calls)
        launcher = Launcher(hub, tokens.own, own, logs, start_s)
        cages = cages or SharedCages()
        path_bots = PathBots(hub, launcher, confinement, cages)
        seat_provider = SeatProvider(hub, launcher, path_bots, peers, fresh_at_once, in_process, waits_for_cage)
        try:
            await _start(server, msgspec.structs.replace(listen, addresses=(own, *listen.addresses)))
            yield server, seat_provider
        finally:
            await seat_provider.close()
            path_bots.close()
            cages.close()
            await server.stop()


async def _start(server: Server, listen: Listen) -> None:
    """Start the server. A cancellation waits until it has started: gRPC cannot stop a server that is starting."""
    starting = asyncio.ensure_future(server.start(listen))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await starting
        raise


@dataclass(eq=False)
class Node:
    """A node that runs: its server, and a worker on the jobs. `addresses` are those it was given to listen on."""

    jobs: JobQueue
    addresses: tuple[str, ...]
    submissions: Submissions
    committed: asyncio.Event = field(default_factory=asyncio.Event)

    async def progress(self, timeout: float) -> None:  # noqa: ASYNC109
        """Wait until this node commits something, at most `timeout` seconds: other nodes do so unnoticed."""
        self.committed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                await self.committed.wait()


class Cluster(msgspec.Struct, frozen=True):
    """How a node and its peers find one another.

    `key` is what they show one another. `advertise` says at which address others reach this node, of those that it
    listens on. `tls_ca` holds the certificates to trust where nodes serve TLS.
    """

    key: str
    advertise: Callable[[tuple[str, ...]], str]
    tls_ca: Path | None = None


@asynccontextmanager
async def running_node(
    store: Store,
    data: Path,
    listen: Listen | None = None,
    cluster: Cluster | None = None,
    *,
    in_process: bool = False,
    live: LiveMatches | None = None,
    limits: ChallengeLimits = _LIMITS,
    confinement: Confinement = Confinement.CAGED,
    waits_for_cage: bool = True,
    tries_cage: bool = False,
    cages: SharedCages | None = None,
    match_over: MatchObserver | None = None,
) -> AsyncIterator[Node]:
    """A node over the store, for as long as the body runs. A worker that fails ends the body.

    Challenges are taken within `limits`.
    With a cluster it is one of several nodes, whose bots meet one another; ClusterKeyError when the others have another
    key. With `in_process` it calls house bots itself instead of starting them. `confinement` and `waits_for_cage` are
    as `serving` has them; with `tries_cage` the cage is tried at once, and not when the first bot needs it.
    `cages` are by default its own; it closes them. In `live` are the matches that may be watched, while they are played
    here; the node shows them to pages elsewhere. `match_over` is called with each match that was played here.
    """
    hub, jobs, calls, matches = Hub(), store.jobs(), OpenCalls(), live or LiveMatches()
    hub.listen(_log_bot)
    peers = None
    if cluster is not None:
        peers = Peers(hub, store.nodes, Links(cluster.key, cluster.tls_ca), jobs.owner, key_proof(cluster.key))
    profiles = BotProfiles(hub, store.bots)
    spectators = Spectators(store, matches, peers)
    workers: list[JobLoop] = []

    async def take_over(job: bytes) -> None:
        for worker in workers:
            await worker.take_over(job)

    signing_key = SigningKey(await store.signing_secret())
    servicers: list[object] = [
        ArenaServicer(signing_key.public),
        BotServicer(store, peers or hub),
        OwnerServicer(store),
        SubmissionServicer(store),
        ReplayServicer(store),
        LeagueServicer(store, hub),
        MatchServicer(store, peers or hub, spectators, limits),
    ]
    key = None
    if cluster is not None:
        servicers.append(NodeServicer(hub, matches, take_over))
        key = MemoryTokens({cluster.key: BotIdentity("a node of this arena")})
    cages = cages or SharedCages(limits=CageLimits.with_fuel(store.fuel))
    async with (
        contextlib.AsyncExitStack() as leaving,
        serving(
            hub,
            NodeTokens(store),
            data / "logs",
            listen,
            servicers,
            node_key=key,
            peers=peers,
            in_process=in_process,
            calls=calls,
            confinement=confinement,
            waits_for_cage=waits_for_cage,
            cages=cages,
        ) as (server, seat_provider),
    ):
        tune_process()
        submissions = Submissions(store, jobs, seat_provider, data / "versions", cages, at_once=tries_cage)
        node = Node(jobs, server.addresses[1:], submissions)
        if cluster is not None and peers is not None:
            address = cluster.advertise(server.addresses[1:])
            tls = listen is not None and listen.tls_cert is not None and not address.startswith("unix:")
            await peers.join(address, tls=tls)
        worker = JobLoop(
            store,
            jobs,
            seat_provider,
            committed=lambda _: node.committed.set(),
            match_over=match_over,
            peers=peers,
            signing_key=signing_key,
            live=matches,
        )
        workers.append(worker)
        try:
            async with asyncio.TaskGroup() as group:
                works = [
                    submissions.run(),
                    repeat(partial(carry_out_schedules, store), "schedules are left for later", _SCHEDULES_S),
                    repeat(profiles.write, "cannot store which variants bots play"),
                    repeat(partial(end_bots, store, seat_provider), "bots of leagues that are over run on", _END_S),
                    repeat(partial(end_revoked, store, calls), "cannot look for revoked tokens", _REVOKED_S),
                    repeat(partial(abandon_matches, store, worker.singles), "cannot look for ended owners", _REVOKED_S),
                    repeat(partial(delete_old_matches, store, limits.keep_s), "old matches are left for later", _OLD_S),
                ]
                if live is not None:
                    showing = partial(show_matches, store.snapshots, jobs.owner, live)
                    works.append(repeat(showing, "matches under way are not shown to pages", _SHOWN_S))
                if peers is not None:
                    works.append(peers.run())
                tasks = [group.create_task(work) for work in works]
                working = group.create_task(worker.run())
                try:
                    yield node
                finally:
                    await leaving.enter_async_context(store.impatient(LEAVE_S))
                    spectators.leave()
                    if peers is not None:
                        await peers.drain()
                    # While it gives back what it has, the others can still reach the bots that are here.
                    working.cancel()
                    await asyncio.wait((working,))
                    for task in tasks:
                        task.cancel()
        except BaseExceptionGroup as failed:
            # The error of the body or of the worker, as itself: callers know the types of errors, not of groups. Where
            # the embedded server has ended, both may have raised the same one.
            raise (failed.exceptions[0] if len(set(failed.exceptions)) == 1 else failed) from None
        finally:
            submissions.close()
            if peers is not None:
                await peers.leave()


def _log_bot(name: str, connected: bool) -> None:
    """Log that a registered bot has come or gone."""
    if not is_own(name):
        log.info("bot %s %s", name, "is connected" if connected else "has left")
