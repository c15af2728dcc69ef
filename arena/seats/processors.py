"""Places to think, of which there are fewer than there may be bots that are asked."""

import asyncio
from collections import deque
from types import TracebackType


class Processors:
    """So many places; those who wait for one get it in their order.

    A semaphore with a `take` that does not wait: a place is nearly always free, and is taken for each decision.
    """

    def __init__(self, count: int) -> None:
        self.taken = 0
        self._count = count
        self._waiting: deque[asyncio.Future[None]] = deque()

    def take(self) -> bool:
        """Take a place; False when none is free."""
        if self.taken == self._count:
            return False
        self.taken += 1
        return True

    async def acquire(self) -> None:
        """Take a place, when one is free."""
        if self.take():
            return
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """Give a place back."""
        while self._waiting:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                return
        self.taken -= 1

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()
