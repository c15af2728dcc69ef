"""The matches that may be watched now, for pages in other processes. What lives here has a time to live."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.store.keys import SHOWN_BY, SHOWN_WANTED, shown_boards_of

if TYPE_CHECKING:
    from arena.store.client import Client

_WANTED_MS = 10_000
_SHOWN_MS = 5_000


class ShownBoards:
    """What each node shows of the matches that it plays; a node shows nothing while nobody wants to see it."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def want(self) -> None:
        """Somebody wants to see the matches; to be said again every few seconds."""
        await self._client.call("SET", SHOWN_WANTED, 1, "PX", _WANTED_MS)

    async def are_wanted(self) -> bool:
        """Whether somebody wants to see the matches."""
        return bool(await self._client.call("EXISTS", SHOWN_WANTED))

    async def show(self, node: str, boards: bytes) -> None:
        """Show what this node plays, for the next few seconds."""
        await self._client.call("SET", shown_boards_of(node), boards, "PX", _SHOWN_MS)
        await self._client.call("SADD", SHOWN_BY, node)

    async def shown(self) -> list[bytes]:
        """What the nodes show now."""
        nodes = [node.decode() for node in await self._client.call("SMEMBERS", SHOWN_BY)]
        if not nodes:
            return []
        found = await self._client.call("MGET", *map(shown_boards_of, nodes))
        gone = [node for node, boards in zip(nodes, found, strict=True) if boards is None]
        if gone:
            await self._client.call("SREM", SHOWN_BY, *gone)
        return [boards for boards in found if boards is not None]
