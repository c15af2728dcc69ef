"""What many pages need and takes long to make, made before anybody asks: nobody is the first who waits for it."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable

from arena.store.errors import StoreError

PAUSE_S = 2.0
"""Between the end of a look at the leagues and the next one."""
AFTER_ERROR_S = 60.0
log = logging.getLogger(__name__)


class Ahead:
    """Has what it is given made now and then, and anew when it has changed."""

    def __init__(self) -> None:
        self._makers: list[Callable[[], Awaitable[None]]] = []

    def of(self, make: Callable[[], Awaitable[None]]) -> None:
        """Have this made from now on; it makes what has changed since it was called last."""
        self._makers.append(make)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Make it until the end of the block."""
        task = asyncio.create_task(self._keep())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait((task,))

    async def make(self) -> None:
        """Make what has changed. Raises StoreError."""
        for make in self._makers:
            await make()

    async def _keep(self) -> None:
        while True:
            pause_s = PAUSE_S
            try:
                await self.make()
            except StoreError as error:
                log.debug("nothing is made ahead: %s", error)  # pages say so to who asks
            except Exception:
                # Pages are made without it, if later.
                log.exception("what pages need could not be made ahead")
                pause_s = AFTER_ERROR_S
            await asyncio.sleep(pause_s)
