"""What migrations are made of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from arena.store import paging
from arena.store.keys import MIGRATION_LOCK, MIGRATION_PROGRESS

if TYPE_CHECKING:
    from arena.store.client import Client

LOCK_MS = 10_000
"""How long a process that was killed while it migrated keeps others from going on."""
PAGE = 200
"""How many names are worked on before it is kept how far a step is."""
_DONE = "~"
"""Kept in place of a name, which no name is."""


class Walk:
    """A process that brings a store to another schema, and how far it is: kept in the store, for whoever goes on."""

    def __init__(self, client: Client, holder: str) -> None:
        self.client = client
        self._holder = holder

    async def pages(self, step: str, index: str) -> AsyncIterator[list[str]]:
        """Yield the names in an index, some at a time, from where this step was interrupted.

        The names last yielded come again after an interruption, so what is done with them must do no harm twice.
        """
        cursor = (await self.client.call("HGET", MIGRATION_PROGRESS, step) or b"").decode()
        while cursor != _DONE:
            names, cursor = await paging.names(self.client, index, cursor, PAGE)
            if names:
                yield names
            cursor = cursor or _DONE
            await self.client.call("HSET", MIGRATION_PROGRESS, step, cursor)
            await self.keep_lock()

    async def keep_lock(self) -> None:
        """Hold the lock for a while longer."""
        await self.client.call("SET", MIGRATION_LOCK, self._holder, "PX", LOCK_MS)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Hold the lock for as long as the body runs."""

        async def hold() -> None:
            while True:
                await self.keep_lock()
                await asyncio.sleep(LOCK_MS / 3000)

        holding = asyncio.create_task(hold())
        try:
            yield
        finally:
            holding.cancel()
            await asyncio.wait((holding,))
        if not holding.cancelled():
            holding.result()  # its error, as the lock was not held to the end


Step = Callable[[Walk], Awaitable[None]]


class Migration(NamedTuple):
    """From the schema before `to` to `to`, and back."""

    to: int
    expand: Step
    contract: Step
    back: Step | None
    """Makes what `contract` removed anew; None where nothing but a backup leads back."""
