"""A bot for the chaos run: it thinks for a moment, so that there is always a match to hit, and plays by its dice."""

import asyncio
import os

from arena.sdk import Bot, Decision, run

THINKS_S = float(os.environ["ARENA_CHAOS_THINKS_S"])


class ThinkingBot(Bot):
    """Has the same answer whenever it is asked the same."""

    max_matches = 2

    async def choose(self, decision: Decision) -> int:
        """An action by the decision's random number."""
        await asyncio.sleep(THINKS_S)
        return decision.legal[decision.message.random % len(decision.legal)]


run(ThinkingBot())
