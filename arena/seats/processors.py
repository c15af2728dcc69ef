"""Places to think, of which there are fewer than there may be bots that are asked."""

import asyncio
from collections import deque
from collections.abc import Callable
from types import TracebackType


class Processors:
    """So many places; those who wait for one get it in their order.

    A semaphore with a `take` that does not wait, since a place is mostly free, and a `wait` that needs no task: whoever
    gives a place back hands it to the next at once.
    """

    def __init__(self, count: int) -> None:
        self.taken = 0
        self._count = count
        self._waiting: deque[Callable[[], None]] = deque()

    def take(self) -> bool:
        """Take a place; False when none is free."""
        if self.taken == self._count:
            return False
        self.taken += 1
        return True

    def wait(self, step: Callable[[], None]) -> None:
        """Call `step` with a place that is taken for it, as soon as somebody gives one back."""
        self._waiting.append(step)

    async def acquire(self) -> None:
        """Take a place, when one is free."""
        if self.take():
            return
        place = asyncio.get_running_loop().create_future()
        # Whoever waited may have been cancelled.
        self.wait(lambda: self.release() if place.done() else place.set_result(None))
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """Give a place back."""
        if self._waiting:
            self._waiting.popleft()()
        else:
            self.taken -= 1

    async def __aenter__(self) -> None:
        await self.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()
