"""A gRPC server, and beside it the bots that this process starts itself."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from arena.cluster.peers import Peers
from arena.launcher.cage.shared import SharedCages
from arena.launcher.path_bots import Confinement, PathBots
from arena.launcher.processes import START_S, Launcher
from arena.node.seat_provider import FRESH_AT_ONCE, SeatProvider
from arena.node.server import Listen, Server
from arena.node.tokens import NodeTokens
from arena.scratch import scratch_folder
from arena.stream.hub import Hub


class BotOptions(msgspec.Struct, frozen=True):
    """How a process runs the bots that it starts itself."""

    start_s: float = START_S
    """How long a bot may take from its start to its Hello."""
    fresh_at_once: int = FRESH_AT_ONCE
    """How many matches with bots that are started for them run at once; of each group, one at least."""
    house_programs: bool = False
    """Whether house bots are programs that connect as others do, to measure what connections cost."""
    confinement: Confinement = Confinement.CAGED
    """Where bots by path run."""
    waits_for_cage: bool = False
    """Whether bots that need a cage are played only once somebody has tried the cages."""
    apart: bool = True
    """Whether a board pauses between its caged matches, so that a bot tells its twin as little as can be."""


_BOTS = BotOptions()


@asynccontextmanager
async def serving(
    hub: Hub,
    tokens: NodeTokens,
    logs: Path,
    bots: BotOptions = _BOTS,
    *,
    server: Server | None = None,
    listen: Listen | None = None,
    peers: Peers | None = None,
    cages: SharedCages | None = None,
) -> AsyncIterator[tuple[Server, SeatProvider]]:
    """Serve while the body runs, and provide seats; bots of this process reach it by a Unix socket of its own.

    `server` is by default one without services of an arena. What bots write goes to `logs`. The cages are closed at
    the end.
    """
    server = server or Server(hub, tokens)
    listen = listen or Listen(())
    # A socket's path is short, a data folder's may not be.
    with scratch_folder() as folder:
        address = f"unix:{folder / 'node.sock'}"
        launcher = Launcher(hub, tokens.started, address, logs, bots.start_s)
        cages = cages or SharedCages()
        path_bots = PathBots(hub, launcher, bots.confinement, cages)
        seat_provider = SeatProvider(
            hub,
            launcher,
            path_bots,
            peers,
            fresh_at_once=bots.fresh_at_once,
            house_programs=bots.house_programs,
            waits_for_cage=bots.waits_for_cage,
            apart=bots.apart,
        )
        try:
            await _start(server, msgspec.structs.replace(listen, addresses=(address, *listen.addresses)))
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
