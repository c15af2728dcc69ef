"""The matches that may be watched now, for pages in other processes. All of it expires."""

from arena.store.client import Section
from arena.store.keys import SHOWN_BY, SHOWN_REQUESTED, shown_matches_of

_REQUESTED_MS = 10_000
_SHOWN_MS = 5_000


class Snapshots(Section):
    """What each node shows of the matches that it plays; nothing while no page has asked for it."""

    async def request(self) -> None:
        """Ask the nodes to show their matches; the request holds for a few seconds."""
        await self._client.call("SET", SHOWN_REQUESTED, 1, "PX", _REQUESTED_MS)

    async def requested(self) -> bool:
        """Return whether somebody has asked the nodes to show their matches."""
        return bool(await self._client.call("EXISTS", SHOWN_REQUESTED))

    async def show(self, node: str, matches: bytes) -> None:
        """Show the matches of this node, for the next few seconds."""
        await self._client.call("SET", shown_matches_of(node), matches, "PX", _SHOWN_MS)
        await self._client.call("SADD", SHOWN_BY, node)

    async def shown(self) -> list[bytes]:
        """Return what each node shows now."""
        nodes = [node.decode() for node in await self._client.call("SMEMBERS", SHOWN_BY)]
        if not nodes:
            return []
        shown = await self._client.call("MGET", *map(shown_matches_of, nodes))
        gone = [node for node, matches in zip(nodes, shown, strict=True) if matches is None]
        if gone:
            await self._client.call("SREM", SHOWN_BY, *gone)
        return [matches for matches in shown if matches is not None]
