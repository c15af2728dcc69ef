"""What is old and may go: the replays of leagues that are over, and single matches."""

import time

import msgspec

from arena.store.client import Section
from arena.store.keys import MATCHES, Scope


class OldReplays(msgspec.Struct, frozen=True):
    """The replays of a league that has been over for a while. `bytes` is the memory that they take."""

    league: str
    replays: int
    bytes: int


class Retention(Section):
    """Finds and removes what is old. Results and tables stay for good."""

    async def replays_of(self, league: str, variants: tuple[str, ...]) -> OldReplays:
        """Return how many replays of a league are kept."""
        count = size = 0
        for variant in variants:
            scope = Scope.league(league, variant)
            count += int(await self._client.call("HLEN", scope.replays))
            size += int(await self._client.call("MEMORY", "USAGE", scope.replays) or 0)
        return OldReplays(league, count, size)

    async def drop_replays(self, league: str, variants: tuple[str, ...], bots: tuple[str, ...]) -> None:
        """Remove the replays of a league, and the listings of them; may be called again."""
        for variant in variants:
            scope = Scope.league(league, variant)
            for bot in bots:
                await self._client.call("UNLINK", scope.replay_index_of(bot))
            # The replays last: a removal that was interrupted is found again.
            for key in (scope.replay_index, scope.replay_info, scope.replays):
                await self._client.call("UNLINK", key)

    async def older_matches(self, age_s: float) -> int:
        """Return how many single matches were made more than so many seconds ago, be they over or not."""
        oldest = time.time_ns() // 1000 - round(age_s * 1e6)
        return int(await self._client.call("ZCOUNT", MATCHES, "-inf", oldest))
