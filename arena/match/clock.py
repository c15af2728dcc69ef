"""The referee's clock: it stands still while the process does.

A process that is stopped, or whose event loop is held up, reads nothing that bots send it: that time is nobody's
thinking. So the clock does not follow the machine's, it counts the beats of the event loop: a beat that comes late
counts as `MOST_S` at most, and after a stall nothing at all, nor what follows for `GRACE_S`, in which what has arrived
meanwhile is read. What falls due by this clock never falls due before that.

A busy event loop reads an answer some turns after it has arrived. A beat comes at most once a turn, so what had arrived
by two beats before the last has been read by now: answers are timed, and things fall due, by that moment (`settled`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

BEAT_S = 0.002
"""Seconds from one beat to the next."""
MOST_S = 0.02
"""What a beat may count."""
STALL_S = 0.1
"""A gap between two beats from which on the process has stalled."""
GRACE_S = 0.25
"""How long the clock stands still after a stall."""
RESOLUTION_S = 0.001
"""An event loop may round to milliseconds and fire a little early."""


class Clock:
    """One process's clock, in seconds from no point in particular, above 0. It beats while somebody holds it."""

    def __init__(self) -> None:
        self._now = 1.0
        self._before = 1.0
        """The time at the beat before the last one."""
        self._settled = 1.0
        self._beat_at = 0.0
        """When the last beat was, by the machine's clock."""
        self._from = 0.0
        """From when on time counts: the last beat, or the end of a stall's grace."""
        self._holders = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beat: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """The time."""
        machine = time.monotonic()
        if machine - self._beat_at > STALL_S:
            return self._now
        passed = machine - self._from
        if passed > MOST_S:
            return self._now + MOST_S
        return self._now + passed if passed > 0 else self._now

    def settled(self) -> float:
        """The latest time for which holds: what had arrived by then has been read."""
        return self._settled

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep the clock going, by the running event loop."""
        loop = self.hold()
        try:
            yield
        finally:
            self.release(loop)

    def hold(self) -> asyncio.AbstractEventLoop:
        """Keep the clock going until `release` is called with what this returns."""
        loop = asyncio.get_running_loop()
        if self._loop is not loop:
            self._loop = loop
            self._holders = 0
            self._beat = None
        self._holders += 1
        if self._beat is None:
            self._beat_at = self._from = time.monotonic()
            self._beat = loop.call_later(BEAT_S, self._on_beat)
        return loop

    def release(self, loop: asyncio.AbstractEventLoop) -> None:
        """Undo one `hold`."""
        if self._loop is not loop:
            return
        self._holders -= 1
        if not self._holders and self._beat is not None:
            self._beat.cancel()
            self._beat = None

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Call back when so much time has passed by this clock, and what had arrived by then has been read."""
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

    def _on_beat(self) -> None:
        machine = time.monotonic()
        self._settled, self._before = self._before, self._now
        if machine - self._beat_at > STALL_S:
            self._from = machine + GRACE_S
        elif machine > self._from:
            self._now += min(machine - self._from, MOST_S)
            self._from = machine
        self._beat_at = machine
        assert self._loop is not None
        self._beat = self._loop.call_later(BEAT_S, self._on_beat)


class Timer:
    """A call that is due some time later by a clock."""

    def __init__(self, clock: Clock, seconds: float, callback: Callable[[], None]) -> None:
        self._clock = clock
        self._callback = callback
        self._loop = clock.hold()
        self._due = clock.now() + seconds
        self._handle: asyncio.TimerHandle | None = self._loop.call_later(seconds, self._fire)

    def cancel(self) -> None:
        """Do not call. May be called again."""
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
