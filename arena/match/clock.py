"""The arena's clock: it stands still while the process does.

While a process is stopped, or its event loop is held up, it reads nothing that bots send: no bot is charged for that
time. So this clock does not follow the machine's clock but counts ticks of the event loop. A late tick counts as
`MAX_TICK_S` at most. After a stall nothing counts at all, and nothing for the next `GRACE_S` either, in which whatever
arrived during the stall is read. Nothing falls due by this clock before that.

A busy event loop reads an answer some turns after it has arrived. There is at most one tick a turn, so everything that
had arrived two ticks before the last one has been read by now. That moment is `settled`: answers are timed by it, and
deadlines are checked against it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TICK_S = 0.002
"""Seconds from one tick to the next."""
MAX_TICK_S = 0.02
"""The most that a tick counts."""
STALL_S = 0.1
"""A gap between two ticks that counts as a stall of the process."""
GRACE_S = 0.25
"""How long the clock stands still after a stall."""
RESOLUTION_S = 0.001
"""An event loop may round to milliseconds and fire a little early."""


class Clock:
    """One process's clock, in seconds above 0 from an arbitrary start. It ticks while somebody holds it."""

    def __init__(self) -> None:
        self._now = 1.0
        self._before = 1.0
        """The time at the tick before the last one."""
        self._settled = 1.0
        self._ticked_at = 0.0
        """When the last tick was, by the machine's clock."""
        self._counts_from = 0.0
        """From when on time counts: the last tick, or the end of the grace period after a stall."""
        self._holders = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tick: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """The time."""
        machine = time.monotonic()
        if machine - self._ticked_at > STALL_S:
            return self._now
        passed = machine - self._counts_from
        if passed > MAX_TICK_S:
            return self._now + MAX_TICK_S
        return self._now + passed if passed > 0 else self._now

    def settled(self) -> float:
        """The latest time such that everything that had arrived by then has been read."""
        return self._settled

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the clock ticking on the running event loop."""
        loop = self.hold()
        try:
            yield
        finally:
            self.release(loop)

    def hold(self) -> asyncio.AbstractEventLoop:
        """Keep the clock ticking until `release` is called with what this returns."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._holders = 0
            self._tick = None
        self._holders += 1
        if self._tick is None:
            self._ticked_at = self._counts_from = time.monotonic()
            self._tick = loop.call_later(TICK_S, self._on_tick)
        return loop

    def release(self, loop: asyncio.AbstractEventLoop) -> None:
        """Undo one `hold`."""
        if self._loop is not loop:
            return
        self._holders -= 1
        if not self._holders and self._tick is not None:
            self._tick.cancel()
            self._tick = None

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back when that much time has passed by this clock and everything that had arrived by then is read."""
        return Timer(self, seconds, callback)

    async def sleep_until(self, moment: float) -> None:
        """Wait until the clock shows `moment`."""
        left = moment - self.now()
        if left > 0:
            over = asyncio.Event()
            timer = self.call_later(left, over.set)
            try:
                await over.wait()
            finally:
                timer.cancel()

    def _on_tick(self) -> None:
        machine = time.monotonic()
        self._settled, self._before = self._before, self._now
        if machine - self._ticked_at > STALL_S:
            self._counts_from = machine + GRACE_S
        elif machine > self._counts_from:
            self._now += min(machine - self._counts_from, MAX_TICK_S)
            self._counts_from = machine
        self._ticked_at = machine
        assert self._loop is not None
        self._tick = self._loop.call_later(TICK_S, self._on_tick)


class Timer:
    """A callback that is due some time later by a clock."""

    def __init__(self, clock: Clock, seconds: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._loop = clock.hold()
        self._due = clock.now() + seconds
        self._handle: asyncio.TimerHandle | None = self._loop.call_later(seconds, self._fire)

    def cancel(self) -> None:
        """Do not call back. May be called again."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
            self._clock.release(self._loop)

    def _fire(self) -> None:
        left = self._due - self._clock.settled()
        if left > 0:
            self._handle = self._loop.call_later(max(left, RESOLUTION_S), self._fire)
            return
        self._handle = None
        self._clock.release(self._loop)
        self._callback()


clock = Clock()
"""The clock of this process's matches."""
