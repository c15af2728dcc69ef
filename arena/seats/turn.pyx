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
        if self.processors.take():
            self.run(ask)
        else:
            self.ask = ask
            self.processors.wait(self.on_free)

    cpdef end(self):
        self.ask = None
        if self.runs:
            self.runs = False
            self.outbox.put(self.freeze)
            self.processors.release()

    def close(self):
        self.closed = True
        self.end()

    cdef run(self, ask):
        self.runs = True
        ask()
        self.outbox.put(self.thaw)

    def on_free(self):
        ask, self.ask = self.ask, None
        if ask is None:  # it waits no more
            self.processors.release()
        else:
            self.run(ask)
            self.outbox.take()

    def thaw(self):
        if self.runs and self.frozen and not self.closed:
            self.frozen = False
            self.freezer.thaw()

    def freeze(self):
        if not self.runs and not self.frozen and not self.closed:
            self.frozen = True
            self.freezer.freeze()
