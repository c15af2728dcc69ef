"""The other nodes of the arena, and the bots that are connected to them."""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncGenerator

import msgspec

from arena.cluster.links import Links
from arena.match.model import MatchSpec
from arena.rpc.identity import BotIdentity
from arena.seats.errors import LinkError
from arena.seats.stream import ConnectedSeat
from arena.store import Job, JobQueue
from arena.store.errors import ClusterKeyError, StoreError
from arena.store.nodes import BotAbout, NodeAbout, Nodes
from arena.stream.hub import ConnectedBot, Hub
from hanafuda.arena.v1 import match_pb2

HEARTBEAT_S = 0.5
"""Seconds from one look at the other nodes to the next."""
_OWN_MARK = "~"
"""Stands in the names of bots that a node has started for itself, and in no registered one's."""

log = logging.getLogger(__name__)


def is_own(name: str) -> bool:
    """Tell whether a connected bot is one that this node has started for itself, which other nodes do not know."""
    return _OWN_MARK in name


class Peers:
    """Publishes this node and its bots, and knows the other nodes and theirs.

    What it knows of other nodes may be half a second old, so a seat may be refused. Seats of bots that are connected
    here come from the hub, of others over a link to their node.
    """

    def __init__(self, hub: Hub, nodes: Nodes, links: Links, node: str, proof: str) -> None:
        self._about = NodeAbout(node, "")
        self._proof = proof
        self._hub = hub
        self._nodes = nodes
        self._links = links
        self._others: dict[str, NodeAbout] = {}
        self._bots: dict[str, tuple[str, BotAbout]] = {}
        self._version = -1
        self._changes: dict[str, bool] = {}
        """Bots that have connected (True) or gone since this was last written to the store."""
        self._wake = asyncio.Event()
        hub.listen(self._on_bot)

    async def join(self, address: str, *, tls: bool) -> None:
        """Register this node, which the others reach there. Raises ClusterKeyError when they have another key."""
        self._about = msgspec.structs.replace(self._about, address=address, tls=tls)
        await self._nodes.heartbeat(self._about, self._proof)

    async def run(self) -> None:
        """Exchange heartbeats and changes with the other nodes, until cancelled. Raises ClusterKeyError, as `join`."""
        while True:
            try:
                await self._exchange()
            except ClusterKeyError:
                raise
            except StoreError as error:
                log.warning("cannot exchange heartbeats with the other nodes: %s", error)
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0 if self._changes else HEARTBEAT_S):
                    await self._wake.wait()

    async def leave(self) -> None:
        """Unregister this node."""
        with contextlib.suppress(StoreError):
            await self._nodes.leave(self._about.id)
        await self._links.close()

    async def drain(self) -> None:
        """Announce that this node takes no new matches."""
        self._about = msgspec.structs.replace(self._about, draining=True)
        with contextlib.suppress(StoreError):
            await self._nodes.heartbeat(self._about, self._proof)

    # Where bots are.

    def node_of(self, name: str) -> NodeAbout | None:
        """Return the other node that the bot is connected to."""
        if self._hub.connected(name):
            return None
        place = self._bots.get(name)
        return None if place is None else self._others.get(place[0])

    def connected(self, name: str) -> bool:
        """Tell whether the bot is connected, here or elsewhere."""
        return self._hub.connected(name) or self.node_of(name) is not None

    def find(self, name: str) -> ConnectedBot | None:
        """Return the bot, if it is connected; elsewhere, all of its places count as free."""
        if self.node_of(name) is None:
            return self._hub.find(name)
        about = self._bots[name][1]
        return ConnectedBot(about.max_matches, about.max_matches, about.variants)

    async def seat(self, name: str, spec: MatchSpec) -> ConnectedSeat:
        """Return a seat of the bot, wherever it is. Raises NotConnectedError, NoPlaceError, LinkError."""
        node = self.node_of(name)
        if node is None:
            return self._hub.seat(name, spec.match_id)
        return await self._links.seat(node.address, name, spec, tls=node.tls)

    def watch(self, node: str, match_id: str, seen: int) -> AsyncGenerator[match_pb2.WatchMatchResponse, None] | None:
        """Yield a match that a node plays, as `Links.watch` gives it; None where there is no such node."""
        peer = self._others.get(node)
        return None if peer is None else self._links.watch(peer.address, match_id, seen, tls=peer.tls)

    # Where jobs should be.

    def better_node(self, names: tuple[str, ...]) -> NodeAbout | None:
        """Return the node that has more of these bots than this one, the most of all; None where this one will do."""
        own_count = sum(map(self._hub.connected, names))
        nodes = [node for node in map(self.node_of, names) if node is not None and not node.draining]
        counts = Counter(node.id for node in nodes)
        best = max(nodes, key=lambda node: (counts[node.id], node.id), default=None)
        return best if best is not None and counts[best.id] > own_count else None

    async def hand_over(self, jobs: JobQueue, job: Job, node: NodeAbout) -> bool:
        """Give the job to another node; False when it is not this node's to give.

        A job that is lost on the way is taken again when its lease expires.
        """
        handed = await jobs.transfer(job, node.id)
        if handed is None:
            return False
        try:
            await self._links.hand_over(node.address, msgspec.msgpack.encode(handed), tls=node.tls)
        except LinkError as error:
            log.warning("%s could not be handed over, and waits for its lease to run out: %s", job, error)
        return True

    # Keeping up to date.

    def _on_bot(self, bot: BotIdentity, connected: bool) -> None:
        if not is_own(bot.name):
            self._changes[bot.name] = connected
            self._wake.set()

    async def _exchange(self) -> None:
        changes, self._changes = self._changes, {}
        try:
            for name in list(changes):
                if changes[name]:
                    await self._nodes.connected(self._about.id, name, self._about_bot(name))
                else:
                    await self._nodes.disconnected(self._about.id, name)
                del changes[name]
        finally:
            self._changes = {**changes, **self._changes}
        heartbeat = await self._nodes.heartbeat(self._about, self._proof)
        if heartbeat.lapsed:
            # The others have given this node up; bots that are still here, and nowhere else, are made known again.
            for name in self._hub.names():
                if not is_own(name):
                    await self._nodes.connected(self._about.id, name, self._about_bot(name), still=True)
        if heartbeat.lapsed or heartbeat.version != self._version:
            await self._read()
            self._version = heartbeat.version

    async def _read(self) -> None:
        nodes, bots = await self._nodes.nodes(), await self._nodes.bots()
        others = {id_: node for id_, node in nodes.items() if id_ != self._about.id}
        for id_, gone in self._others.items():
            if id_ not in others:
                log.warning("node %s at %s is gone", id_, gone.address)
                await self._links.drop(gone.address)
        for id_, new in others.items():
            if id_ not in self._others:
                log.info("node %s at %s is there", id_, new.address)
        self._others, self._bots = others, bots
        for name, (node, _) in bots.items():
            if node in others and name not in self._changes:
                self._hub.moved(name)
        self._hub.wake()

    def _about_bot(self, name: str) -> BotAbout:
        bot = self._hub.find(name) or ConnectedBot()  # one that has left by now is in the next exchange
        return BotAbout(bot.max_matches, bot.variants)
