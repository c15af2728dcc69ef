"""Thinking time, measured and limited."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from typing import TypeVar

from arena.match.clock import RESOLUTION_S, clock
from arena.match.deadline import Deadline, OverdueError

T = TypeVar("T")


class DecisionTimer:
    """Measures the thinking time of a seat, decision after decision, and calls `expire` when a decision's is over.

    Made for decisions that nearly always end long before their limit: the event loop's timer is left running from one
    decision to the next, and checks only when it fires whether anything is due.
    """

    def __init__(self, expire: Callable[[], None]) -> None:
        self.thinking_s = 0.0
        """The time of the last decision that has ended."""
        self._expire = expire
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._fires_at = 0.0
        self._running = False
        self._since = 0.0
        self._limit_s = 0.0

    def begin(self, limit_s: float) -> None:
        """A decision begins: its time runs from now on, if nothing else is said later."""
        if self._loop is None:
            self._loop = clock.hold()
        self._running = True
        self._since = now = clock.now()
        self._limit_s = limit_s
        if self._timer is None:
            self._arm(self._loop, now, limit_s)
        elif now + limit_s < self._fires_at:
            self._timer.cancel()
            self._arm(self._loop, now, limit_s)

    def restart(self) -> None:
        """The question leaves only now: the time runs from now on."""
        if self._running:
            self._since = clock.now()

    def suspend(self) -> None:
        """No time runs until `restart`."""
        self._since = math.inf

    def stop(self) -> None:
        """The answer has arrived, or nobody waits for it any more."""
        if self._running:
            self._running = False
            self.thinking_s = max(0.0, clock.settled() - self._since)

    def close(self) -> None:
        """The last decision is over. May be called again."""
        self._running = False
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._loop is not None:
            clock.release(self._loop)
            self._loop = None

    def _arm(self, loop: asyncio.AbstractEventLoop, now: float, seconds: float) -> None:
        self._fires_at = now + seconds
        self._timer = loop.call_later(seconds, self._fire)

    def _fire(self) -> None:
        self._timer = None
        if not self._running or self._loop is None:
            return
        left = self._since + self._limit_s - clock.settled()
        if left > 0:
            # The time may be restarted, so it is looked at again after the limit at the latest.
            self._arm(self._loop, clock.now(), max(min(left, self._limit_s), RESOLUTION_S))
            return
        self.stop()
        self._expire()


async def timed(thinking: Awaitable[T], limit_s: float) -> tuple[T | None, float]:
    """What is awaited, None when it takes longer than `limit_s` by the arena's clock, and how long it took."""
    deadline = Deadline()
    began = clock.now()
    result: T | None
    try:
        with deadline.within(limit_s):
            result = await thinking
    except OverdueError:
        result = None
    finally:
        deadline.close()
    return result, max(0.0, clock.settled() - began)
