"""The nodes that are alive, and the bots that are connected to each. Nodes that send no heartbeats are removed."""

import hashlib
import secrets

import msgspec

from arena.store.client import Client
from arena.store.errors import ClusterKeyError
from arena.store.keys import (
    CLUSTER_KEY,
    CLUSTER_KEY_PROOF,
    NODE_BOTS,
    NODE_BOTS_ABOUT,
    NODES_ABOUT,
    NODES_ALIVE,
    NODES_VERSION,
)

_PROOF_ROUNDS = 200_000
"""So many that a key that people can remember is not guessed from its proof."""


class NodeAbout(msgspec.Struct, frozen=True):
    """A node as the others see it: where they reach it, and whether it speaks TLS there. One that drains takes no
    new matches."""

    id: str
    address: str
    tls: bool = False
    draining: bool = False


class BotAbout(msgspec.Struct, frozen=True):
    """A connected bot: how many matches at once it takes, and which variants (none: all) it plays."""

    max_matches: int = 1
    variants: tuple[str, ...] = ()


class Heartbeat(msgspec.Struct, frozen=True):
    """The answer to a heartbeat: the number of the last change of a node or bot, and whether this node was given up."""

    version: int
    lapsed: bool


class Nodes:
    """All nodes of a store."""

    def __init__(self, client: Client, alive_ms: int) -> None:
        """`alive_ms` is how long a node counts as alive after its last heartbeat."""
        self._client = client
        self._alive_ms = alive_ms

    async def heartbeat(self, node: NodeAbout, proof: str) -> Heartbeat:
        """Record that the node is alive, and remove nodes whose heartbeats have stopped, with their bots.

        `proof` is the `key_proof` of its cluster key: ClusterKeyError when the nodes that are there have another.
        """
        answer = await self._client.script(
            "heartbeat",
            [NODES_ALIVE, NODES_ABOUT, NODES_VERSION, CLUSTER_KEY_PROOF],
            [node.id, msgspec.msgpack.encode(node), self._alive_ms, proof],
        )
        if not answer:
            raise ClusterKeyError(
                "the nodes that share this store have another cluster key, and would refuse this one: start it with "
                "the same --cluster-key FILE as they have, or without one where they have none"
            )
        version, lapsed, *expired = answer
        for expired_node in expired:
            version = await self._forget(expired_node.decode(), only_expired=True) or version
        return Heartbeat(int(version), bool(lapsed))

    async def leave(self, node: str) -> None:
        """Remove a node, and its bots with it."""
        await self._forget(node, only_expired=False)

    async def connected(self, node: str, bot: str, about: BotAbout, *, still: bool = False) -> None:
        """Record that a bot has connected to a node. With `still`, only where it has not connected to another since."""
        await self._locate(node, bot, msgspec.msgpack.encode(about), still=still)

    async def disconnected(self, node: str, bot: str) -> None:
        """Record that a bot has lost its connection to a node; a later connection to another one stays."""
        await self._locate(node, bot, b"", still=False)

    async def nodes(self) -> dict[str, NodeAbout]:
        """Return the nodes by their ids."""
        about = await self._client.call("HGETALL", NODES_ABOUT)
        return {id_.decode(): msgspec.msgpack.decode(described, type=NodeAbout) for id_, described in about.items()}

    async def bots(self) -> dict[str, tuple[str, BotAbout]]:
        """Return the connected bots, each with its node's id."""
        where = await self._client.call("HGETALL", NODE_BOTS)
        about = await self._client.call("HGETALL", NODE_BOTS_ABOUT)
        return {
            bot.decode(): (node.decode(), msgspec.msgpack.decode(about[bot], type=BotAbout))
            for bot, node in where.items()
            if bot in about
        }

    async def cluster_key(self) -> str:
        """Return the key by which nodes authenticate each other, made by the first of them."""
        await self._client.call("SETNX", CLUSTER_KEY, secrets.token_urlsafe(32))
        return str((await self._client.call("GET", CLUSTER_KEY)).decode())

    async def _locate(self, node: str, bot: str, about: bytes, *, still: bool) -> None:
        keys = [NODE_BOTS, NODE_BOTS_ABOUT, NODES_ALIVE, NODES_VERSION]
        await self._client.script("locate_bot", keys, [bot, node, about, int(still)])

    async def _forget(self, node: str, *, only_expired: bool) -> int:
        return int(
            await self._client.script(
                "forget_node",
                [NODES_ALIVE, NODES_ABOUT, NODE_BOTS, NODE_BOTS_ABOUT, NODES_VERSION],
                [node, int(only_expired)],
            )
        )


def key_proof(key: str) -> str:
    """Return what shows that a node has this cluster key, and does not give the key away. Takes a while."""
    return hashlib.pbkdf2_hmac("sha256", key.encode(), b"hanafuda-arena/cluster-key", _PROOF_ROUNDS).hex()
