# cython: language_level=3
"""When a caged bot runs: a few steps for each decision, and so worth compiling."""
cimport cython

from arena.seats.outbox cimport Outbox, Pending
from arena.seats.processors cimport Processors
from arena.seats.rest cimport Rest

cdef enum:
    READS = 2


@cython.final
cdef class Turn(Pending):
    def __init__(self, freezer, Processors processors, Outbox outbox, Rest rest=None):
        self.freezer = freezer
        self.processors = processors
        self.outbox = outbox
        self.rest = rest
        self.frozen = True

    cpdef begin(self, ask, bint at_once=False):
        self.at_once = at_once
        if self.placed():
            self.run(ask)
        else:
            self.ask = ask
            self.processors.wait(self)

    cpdef end(self):
        if self.runs:
            self.runs = False
            self.outbox.put(self)
            if not self.asleep:
                self.processors.release(self)
                return
        elif self.ask is None:
            return
        self.ask = None
        self.asleep = False
        self.processors.forget(self)

    def close(self):
        self.closed = True
        self.end()

    cdef bint placed(self) except -1:
        """Take a processor; whether it has one."""
        if not self.at_once:
            return self.processors.take(self)
        self.processors.seize(self)
        return True

    cdef run(self, ask):
        self.runs = True
        self.reads = 0
        ask()
        self.outbox.put(self)

    def on_free(self):
        ask, self.ask = self.ask, None
        self.run(ask)
        self.outbox.take()

    def used_s(self):
        return self.freezer.used_s()

    def sleep(self):
        self.asleep = True

    def wake(self):
        self.asleep = False
        if not self.placed():
            self.runs = False
            self.hold()
            self.timer.pause()
            self.ask = self.timer.go_on
            self.processors.wait(self)

    cpdef flush(self):
        """Freeze or thaw it."""
        if self.runs:
            if self.frozen and not self.closed:
                self.frozen = False
                self.freezer.thaw()
        elif not self.frozen and not self.rests():
            self.hold()

    cdef bint rests(self) except -1:
        """Whether it needs no freezing. While a processor is free, it is not looked at before the node has read twice
        more what bots have written: by then most have been asked their next question."""
        if self.rest is None:
            return False
        if self.reads < READS and self.processors.free():
            self.reads += 1
            self.outbox.put(self)
            return True
        return self.rest.holds()

    cpdef hold(self):
        if not self.runs and not self.frozen and not self.closed:
            self.frozen = True
            self.freezer.freeze()
