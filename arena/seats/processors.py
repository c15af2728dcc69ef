"""Places to think, of which there are fewer than there may be bots that are asked."""

import asyncio
from collections import OrderedDict
from typing import NamedTuple, Protocol

LOOK_S = 0.01
"""How often those are looked at who hold a place while others wait, and those who sleep."""
PATIENCE_S = 0.1
"""Over how long a holder is measured."""
WORK = 0.1
"""Who uses less of a processor than this sleeps."""
AWAKE_S = 0.001
"""Who has used more processor time than this since it was found asleep is awake."""
_SHARE = 0.05
"""How much of the event loop's time may be taken by looking."""


class Thinker(Protocol):
    """Who takes a place."""

    def on_free(self) -> None:
        """It has a place now, for which it waited."""

    def used_s(self) -> float:
        """The processor time that it has used since it was started."""

    def sleep(self) -> None:
        """It sleeps, and its place is somebody else's until it wakes."""

    def wake(self) -> None:
        """It does not sleep any more, and has no place."""


class _Mark(NamedTuple):
    """When a holder was looked at, and what it had used by then, which is not read at the first look."""

    at: float
    used_s: float | None


class Processors:
    """So many places; those who wait for one get it in their order.

    A place is held by work: a holder who sleeps has none until it wakes. Nobody is measured who holds a place for less
    than `LOOK_S`.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._holders: dict[Thinker, _Mark | None] = {}
        self._waiting: OrderedDict[Thinker, None] = OrderedDict()
        self._asleep: dict[Thinker, float] = {}
        self._looking = False

    @property
    def taken(self) -> int:
        """How many places are taken."""
        return len(self._holders)

    def take(self, thinker: Thinker) -> bool:
        """Take a place; False when none is free."""
        if len(self._holders) == self._count:
            return False
        self._holders[thinker] = None
        if not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_later(LOOK_S, self._look)
        return True

    def wait(self, thinker: Thinker) -> None:
        """Wait for a place, at the end of the line."""
        self._waiting[thinker] = None

    def release(self, thinker: Thinker) -> None:
        """Give a place back."""
        del self._holders[thinker]
        if self._waiting:
            following, _ = self._waiting.popitem(last=False)
            self._holders[following] = None
            following.on_free()

    def forget(self, thinker: Thinker) -> None:
        """Who waits or sleeps does so no more."""
        self._waiting.pop(thinker, None)
        self._asleep.pop(thinker, None)

    def _look(self) -> None:
        """Find out who of those asleep has woken, and who of the holders sleeps."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            for thinker, used_s in [*self._asleep.items()]:
                if thinker.used_s() - used_s > AWAKE_S:
                    del self._asleep[thinker]
                    thinker.wake()
            for thinker in [*self._holders]:
                if thinker in self._holders:
                    self._measure(thinker, began)
        finally:
            self._looking = bool(self._holders or self._asleep)
            if self._looking:
                loop.call_later(max(LOOK_S, (loop.time() - began) / _SHARE), self._look)

    def _measure(self, holder: Thinker, now: float) -> None:
        """Take the place of a holder who sleeps."""
        mark = self._holders[holder]
        if mark is None:
            self._holders[holder] = _Mark(now, None)
            return
        if mark.used_s is not None and now - mark.at < PATIENCE_S:
            return
        used_s = holder.used_s()
        if mark.used_s is None or used_s - mark.used_s > WORK * (now - mark.at):
            self._holders[holder] = _Mark(now, used_s)
        else:
            self._asleep[holder] = used_s
            holder.sleep()
            self.release(holder)
