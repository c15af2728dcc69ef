"""Lists are made one at a time and give way to play: making them takes a bounded share of a node's time."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.rpc.errors import ApiError, Reason

REST_FACTOR = 3
"""After a list, so many times as long as it took go by until the next one: lists take a quarter of a node's time."""
MAX_WAITING = 16
"""How many lists of one caller wait for their turn."""
_RETRY_S = 1.0


class ListTurns:
    """The lists that callers ask a node for. Callers take turns, whoever has how many waiting."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._is_busy = False

    @asynccontextmanager
    async def turn(self, caller: str) -> AsyncIterator[None]:
        """Make a list in this block. Raises ApiError LIMIT_REACHED where too many of the caller's wait already."""
        loop = asyncio.get_running_loop()
        if self._is_busy:
            await self._wait(caller)
        self._is_busy = True
        began = loop.time()
        try:
            yield
        finally:
            loop.call_later(REST_FACTOR * (loop.time() - began), self._next)

    async def _wait(self, caller: str) -> None:
        queue = self._waiting.setdefault(caller, deque())
        if len(queue) >= MAX_WAITING:
            text = f"{MAX_WAITING} of your lists wait to be made at this node; ask for one after the other"
            about = {"limit": "lists", "most": str(MAX_WAITING)}
            raise ApiError(Reason.LIMIT_REACHED, text, metadata=about, retry_s=_RETRY_S)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it has the turn, and does not take it
                self._next()
            raise

    def _next(self) -> None:
        """Give the turn to the first list of the caller who has waited longest for one."""
        while self._waiting:
            caller, queue = self._waiting.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._waiting[caller] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._is_busy = False
