"""How many calls one owner makes, so that no owner takes a node's time from the others."""

import asyncio

from arena.rpc.errors import ApiError, Reason

CALLS_PER_S = 100
"""How many calls an owner makes in a second in the long run; its bots' calls are its own."""
CALLS_AT_ONCE = 1_000
"""How many it may make at once, after a while without any: an upload of the largest pack takes 683."""
LISTED_PER_CALL = 5
"""How many items of a list cost as much as a call."""
MAX_WAIT_S = 5.0
"""How long a call waits for its turn before it is refused."""


class CallRates:
    """The calls of each owner at this node. Messages on open streams are no calls."""

    def __init__(self) -> None:
        self._times: dict[str, float] = {}
        """When each caller's calls so far would have been made at the rate of the long run, by the loop's clock."""

    async def turn(self, caller: str, cost: float = 1) -> None:
        """Wait for the turn of a call that counts as `cost` calls. ApiError LIMIT_REACHED where too many wait."""
        now = asyncio.get_running_loop().time()
        time = max(self._times.get(caller, 0.0), now - CALLS_AT_ONCE / CALLS_PER_S) + cost / CALLS_PER_S
        wait_s = time - now
        if wait_s > MAX_WAIT_S:
            raise ApiError(
                Reason.LIMIT_REACHED,
                f"too many calls: an owner may make {CALLS_PER_S} a second at a node in the long run",
                metadata={"limit": "calls", "most": str(CALLS_PER_S)},
                retry_s=wait_s - MAX_WAIT_S,
            )
        self._times[caller] = time
        if wait_s > 0:
            await asyncio.sleep(wait_s)
