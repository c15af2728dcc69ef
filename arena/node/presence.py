"""What a node says of itself: to operators by the store, and to health checks by gRPC."""

import asyncio
import logging
import os
import socket
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version

from arena.cluster.peers import is_own
from arena.launcher.cage.shared import SharedCages
from arena.node.chores import repeat
from arena.node.job_loop import JobLoop
from arena.node.server import Server
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.keys import SCHEMA
from arena.store.node_states import SHOW_S, NodeState
from arena.stream.hub import Hub

HEALTH_S = 2.0
"""How long the store may not answer before the node says that it is not well."""

log = logging.getLogger(__name__)


@cache
def _version() -> str:
    return version("hanafuda-arena")


@dataclass(eq=False)
class Presence:
    """A node as others see it. `asked_to_drain` is set when an operator has asked it to end."""

    store: Store
    server: Server
    hub: Hub
    worker: JobLoop
    cages: SharedCages
    node: str
    addresses: tuple[str, ...]
    asked_to_drain: asyncio.Event = field(default_factory=asyncio.Event)
    started_us: int = field(default_factory=lambda: time.time_ns() // 1000)

    def load(self) -> dict[str, float]:
        """What the node has now."""
        playing, waiting = self.worker.load()
        cages = self.cages.thinking()
        return {"playing": playing, "waiting": waiting, "bots": self._bots(), "cages_thinking": cages}

    def _bots(self) -> int:
        return sum(not is_own(name) for name in self.hub.names())

    async def show(self) -> None:
        """Say in the store how the node is, and find out whether it is to drain."""
        playing, waiting = self.worker.load()
        state = NodeState(
            id=self.node,
            version=_version(),
            host=socket.gethostname(),
            pid=os.getpid(),
            addresses=self.addresses,
            started_us=self.started_us,
            time_us=time.time_ns() // 1000,
            playing=playing,
            waiting=waiting,
            bots=self._bots(),
            draining=self.asked_to_drain.is_set(),
            schema=SCHEMA,
        )
        if await self.store.node_states.show(state) and not self.asked_to_drain.is_set():
            log.warning("node %s was asked to drain, and ends", self.node)
            self.asked_to_drain.set()

    def unready(self) -> str:
        """Why this node is to get no new work; empty where it is."""
        return "the node drains" if self.asked_to_drain.is_set() else ""

    def chores(self) -> list[Coroutine[None, None, None]]:
        """What is done for it again and again while the node runs."""
        return [
            repeat(self.show, "operators are not told how this node is", SHOW_S),
            repeat(self.watch_health, "health checks are not answered", HEALTH_S / 2),
        ]

    @asynccontextmanager
    async def shown(self) -> AsyncIterator[None]:
        """Operators see the node while the body runs; where the store does not answer at the end, a while longer."""
        try:
            await self.show()
            yield
        finally:
            with suppress(StoreError):
                await self.store.node_states.remove(self.node)

    async def watch_health(self) -> None:
        """Say by gRPC's health service whether the store answers."""
        await self.server.show_health(serving=await self.store.answers(HEALTH_S))
