# cython: language_level=3
"""The arena's clock, and timers by it: read several times for each decision, and so worth compiling."""
import asyncio
from contextlib import contextmanager

cimport cython
from libc.math cimport INFINITY
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef double TICK = 0.002       # seconds from one tick to the next
cdef double MAX_TICK = 0.02    # the most that a tick counts
cdef double STALL = 0.1        # a gap between two ticks that counts as a stall of the process
cdef double GRACE = 0.25
cdef double RESOLUTION = 0.001     # an event loop may round to milliseconds and fire a little early
GRACE_S = GRACE

cdef object running_loop = asyncio.get_running_loop


cdef inline double monotonic() noexcept:
    """The machine's clock, in seconds."""
    cdef timespec moment
    clock_gettime(CLOCK_MONOTONIC, &moment)
    return moment.tv_sec + 1e-9 * moment.tv_nsec


@cython.final
cdef class Clock:
    cdef double shown           # the time at the last tick
    cdef double before          # the time at the tick before
    cdef double read_to
    cdef double ticked_at       # when the last tick was, by the machine's clock
    cdef double counts_from     # from when on time counts: the last tick, or the end of the grace period after a stall
    cdef Py_ssize_t holders
    cdef object loop
    cdef object tick

    def __init__(self):
        self.shown = self.before = self.read_to = 1.0

    cpdef double now(self):
        cdef double machine = monotonic()
        cdef double passed = machine - self.counts_from
        if machine - self.ticked_at > STALL or passed <= 0:
            return self.shown
        return self.shown + min(passed, MAX_TICK)

    cpdef double read_until(self):
        return self.read_to

    @contextmanager
    def held(self):
        loop = self.hold()
        try:
            yield
        finally:
            self.release(loop)

    cpdef hold(self):
        loop = running_loop()
        if self.loop is not loop:
            self.loop = loop
            self.holders = 0
            self.tick = None
        self.holders += 1
        if self.tick is None:
            self.ticked_at = self.counts_from = monotonic()
            self.tick = loop.call_later(TICK, self.on_tick)
        return loop

    cpdef release(self, loop):
        if self.loop is not loop:
            return
        self.holders -= 1
        if not self.holders and self.tick is not None:
            self.tick.cancel()
            self.tick = None

    def call_later(self, double seconds, callback):
        return Timer(self, seconds, callback)

    async def sleep_until(self, double moment):
        left = moment - self.now()
        if left > 0:
            over = asyncio.Event()
            timer = Timer(self, left, over.set)
            try:
                await over.wait()
            finally:
                timer.cancel()

    def on_tick(self):
        cdef double machine = monotonic()
        self.read_to, self.before = self.before, self.shown
        if machine - self.ticked_at > STALL:
            self.counts_from = machine + GRACE
        elif machine > self.counts_from:
            self.shown += min(machine - self.counts_from, MAX_TICK)
            self.counts_from = machine
        self.ticked_at = machine
        self.tick = self.loop.call_later(TICK, self.on_tick)


@cython.final
cdef class Timer:
    cdef Clock clock
    cdef double due
    cdef object callback
    cdef object loop
    cdef object handle

    def __init__(self, Clock clock, double seconds, callback):
        self.clock = clock
        self.callback = callback
        self.loop = clock.hold()
        self.due = clock.now() + seconds
        self.handle = self.loop.call_later(seconds, self.fire)

    def cancel(self):
        if self.handle is not None:
            self.handle.cancel()
            self.handle = None
            self.clock.release(self.loop)

    def fire(self):
        cdef double left = self.due - self.clock.read_to
        if left > 0:
            self.handle = self.loop.call_later(max(left, RESOLUTION), self.fire)
            return
        self.handle = None
        self.clock.release(self.loop)
        self.callback()


@cython.final
cdef class DecisionTimer:
    def __init__(self, expire):
        self.expire = expire

    cpdef begin(self, double limit_s):
        cdef double now
        if self.loop is None:
            self.loop = _clock.hold()
        self.running = True
        self.since = now = _clock.now()
        self.limit_s = limit_s
        if self.timer is None:
            self.arm(now, limit_s)
        elif now + limit_s < self.fires_at:
            self.timer.cancel()
            self.arm(now, limit_s)

    cpdef restart(self):
        if self.running:
            self.since = _clock.now()

    cpdef suspend(self):
        self.spent_s = 0.0
        self.since = INFINITY

    cpdef pause(self):
        self.spent_s = self.used_s()
        self.since = INFINITY

    cpdef go_on(self):
        cdef double now
        if not self.running:
            return
        now = _clock.now()
        self.since = now - self.spent_s
        if self.since + self.limit_s < self.fires_at:
            self.timer.cancel()
            self.arm(now, self.limit_s - self.spent_s)

    cpdef stop(self):
        if self.running:
            self.running = False
            self.thinking_s = self.used_s()

    cpdef close(self):
        self.running = False
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.loop is not None:
            _clock.release(self.loop)
            self.loop = None

    cdef double used_s(self):
        return self.spent_s if self.since == INFINITY else max(0.0, _clock.read_to - self.since)

    cdef arm(self, double now, double seconds):
        self.fires_at = now + seconds
        self.timer = self.loop.call_later(seconds, self.fire)

    def fire(self):
        cdef double left
        self.timer = None
        if not self.running or self.loop is None:
            return
        left = self.since + self.limit_s - _clock.read_to
        if left > 0:
            # The time may be restarted, so it is looked at again after the limit at the latest.
            self.arm(_clock.now(), max(min(left, self.limit_s), RESOLUTION))
            return
        self.stop()
        self.expire()


cdef Clock _clock = Clock()
clock = _clock
