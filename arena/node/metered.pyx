# cython: language_level=3
"""What a decision costs: measured for each one, and so worth compiling."""
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cimport cython

from arena.match.journal import Played
from arena.metrics import meters
from arena.metrics.series cimport Series


cdef inline double now():
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + time.tv_nsec * 1e-9


@cython.final
cdef class MeteredJournal:
    cdef object write_behind
    cdef Series bot, store, arena
    cdef double played_at, stored_s

    def __init__(self, variant, journal):
        self.write_behind = None if journal is None else journal.write
        self.bot = meters.decisions.of(variant, "bot")
        self.store = meters.decisions.of(variant, "store")
        self.arena = meters.decisions.of(variant, "arena")
        self.played_at = now()

    def write(self, entry):
        cdef double at = now()
        cdef double bot_s
        if type(entry) is Played:
            bot_s = <double>entry.clock_ms / 1000
            self.bot.observe(bot_s)
            self.arena.observe(max(0.0, at - self.played_at - self.stored_s - bot_s))
        self.played_at = at
        self.stored_s = 0
        if self.write_behind is None:
            return None
        written = self.write_behind(entry)
        return None if written is None else self.measured(written)

    async def measured(self, written):
        cdef double began = now()
        await written
        self.stored_s = now() - began
        self.store.observe(self.stored_s)
