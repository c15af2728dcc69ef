"""Work for readers that is done once for all who ask for it, and one piece at a time."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from arena.store.errors import StoreUnavailableError

Key = TypeVar("Key")
Made = TypeVar("Made")

MAX_WAITING = 100
MAX_WAITING_OF_ONE = 20
"""Of one visitor, so that nobody fills the site."""


class BusyError(RuntimeError):
    """So much is waiting to be done that nothing more is taken on."""


class Turns:
    """Work that is done in the order in which it was asked for, one piece at a time; `MAX_WAITING` wait at most.

    Of these `MAX_WAITING_OF_ONE` at most are of one visitor.

    When the store does not answer one, it does not answer those who have been waiting either: they are refused at once.
    """

    def __init__(self) -> None:
        self._turn = asyncio.Lock()
        self._waiting: Counter[str] = Counter()
        self._failures = 0
        self._failure: StoreUnavailableError | None = None

    async def do(self, work: Callable[[], Awaitable[Made]], visitor: str = "") -> Made:
        """Return what the work gives. Raises BusyError, and what the work raises."""
        if self._waiting.total() >= MAX_WAITING or (visitor and self._waiting[visitor] >= MAX_WAITING_OF_ONE):
            raise BusyError
        failures = self._failures
        self._waiting[visitor] += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting[visitor] -= 1
            if not self._waiting[visitor]:
                del self._waiting[visitor]
        try:
            if self._failure is not None and self._failures != failures:
                raise self._failure
            return await work()
        except StoreUnavailableError as error:
            self._failures, self._failure = self._failures + 1, error
            raise
        finally:
            self._turn.release()


class MadeOnce(Generic[Key, Made]):
    """Values by their keys, each made once for all who ask meanwhile; the latest `max_cached` of them are kept.

    Where they are weighed, the latest are kept that weigh `heaviest` at most together, or one alone.
    """

    def __init__(self, max_cached: int, weigh: Callable[[Made], int] | None = None, heaviest: int = 0) -> None:
        self._max_cached = max_cached
        self._weigh = weigh
        self._heaviest = heaviest
        self._cached: OrderedDict[Key, Made] = OrderedDict()
        self._making: dict[Key, asyncio.Task[Made]] = {}

    async def get(self, key: Key, make: Callable[[], Awaitable[Made]]) -> Made:
        """Return the value of the key. Raises what `make` raises, which is not kept."""
        if key in self._cached:
            self._cached.move_to_end(key)
            return self._cached[key]
        making = self._making.get(key)
        if making is None:
            making = self._making[key] = asyncio.create_task(self._make(key, make))
            making.add_done_callback(_retrieve)
        # Whoever leaves takes nothing from the others.
        return await asyncio.shield(making)

    async def _make(self, key: Key, make: Callable[[], Awaitable[Made]]) -> Made:
        try:
            made = self._cached[key] = await make()
        finally:
            del self._making[key]
        while len(self._cached) > self._max_cached or (len(self._cached) > 1 and self._is_heavy()):
            self._cached.popitem(last=False)
        return made

    def _is_heavy(self) -> bool:
        return self._weigh is not None and sum(map(self._weigh, self._cached.values())) > self._heaviest


def _retrieve(making: "asyncio.Task[Made]") -> None:
    """Keep asyncio from reporting a failure that nobody waits for any more."""
    if not making.cancelled():
        making.exception()
