# cython: language_level=3
"""When a caged bot runs: a few steps for each decision, and so worth compiling."""
cimport cython


@cython.final
cdef class Turn:
    def __init__(self, freezer, processors, outbox):
        self.freezer = freezer
        self.processors = processors
        self.outbox = outbox
        self.frozen = True

    cpdef begin(self, ask):
        if self.processors.take(self):
            self.run(ask)
        else:
            self.ask = ask
            self.processors.wait(self)

    cpdef end(self):
        if self.runs:
            self.runs = False
            self.outbox.put(self.freeze)
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

    cdef run(self, ask):
        self.runs = True
        ask()
        self.outbox.put(self.thaw)

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
        if not self.processors.take(self):
            self.runs = False
            self.freeze()
            self.timer.pause()
            self.ask = self.timer.go_on
            self.processors.wait(self)

    def thaw(self):
        if self.runs and self.frozen and not self.closed:
            self.frozen = False
            self.freezer.thaw()

    def freeze(self):
        if not self.runs and not self.frozen and not self.closed:
            self.frozen = True
            self.freezer.freeze()
