"""What was worked out of matches after their end: luck, which leagues keep, and analyses, of which the last are kept.

All of it follows from the replays, and can be worked out again.
"""

import time
from collections.abc import Mapping

from arena.store.client import Section
from arena.store.keys import ANALYSES, Scope, analysis_key
from arena.store.records import match_key

MAX_ANALYSES = 2_000
"""Kept in all; the oldest go."""


class Findings(Section):
    """The luck of league matches by the value that measured it, and analyses of single replays."""

    async def luck(self, league: str, variant: str, value: str) -> dict[str, bytes]:
        """Return what is known of a division's luck by a value: by match, as `r2.t1.b3.a`."""
        raw = await self._client.call("HGETALL", Scope.league(league, variant).luck(value))
        return {key.decode(): luck for key, luck in raw.items()}

    async def luck_count(self, league: str, variant: str, value: str) -> int:
        """Return of how many matches of a division the luck is known."""
        return int(await self._client.call("HLEN", Scope.league(league, variant).luck(value)))

    async def keep_luck(self, league: str, variant: str, value: str, luck: Mapping[tuple[int, str], bytes]) -> None:
        """Keep the luck of matches, by round and name; the same match gets the same luck whoever works it out."""
        fields = [part for (round_, name), raw in luck.items() for part in (match_key(round_, name), raw)]
        if fields:
            await self._client.call("HSET", Scope.league(league, variant).luck(value), *fields)

    async def try_claim_luck(self, league: str, owner: str, lease_ms: int) -> bool:
        """Claim the working out of a league's luck for a while, or go on with it; False while another node has it."""
        key = Scope.league(league).luck_owner
        if await self._client.call("SET", key, owner, "NX", "PX", lease_ms):
            return True
        if await self._client.call("GET", key) != owner.encode():
            return False
        await self._client.call("PEXPIRE", key, lease_ms)
        return True

    async def analysis(self, replay: str, value: str) -> bytes | None:
        """Return a kept analysis of a replay by a value."""
        data: bytes | None = await self._client.call("GET", analysis_key(f"{value}:{replay}"))
        return data

    async def keep_analysis(self, replay: str, value: str, analysis: bytes) -> None:
        """Keep an analysis; beyond `MAX_ANALYSES` the oldest go."""
        name = f"{value}:{replay}"
        await self._client.call("SET", analysis_key(name), analysis)
        await self._client.call("ZADD", ANALYSES, time.time_ns() // 1000, name)
        old = await self._client.call("ZRANGE", ANALYSES, 0, -MAX_ANALYSES - 1)
        for oldest in old:
            await self._client.call("UNLINK", analysis_key(oldest.decode()))
            await self._client.call("ZREM", ANALYSES, oldest)
