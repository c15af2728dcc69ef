# cython: language_level=3
"""One series of a histogram: looked through for each decision, and so worth compiling."""
cimport cython


@cython.final
cdef class Series:
    def __init__(self, bounds):
        if len(bounds) >= MOST:
            raise ValueError(f"a histogram has at most {MOST - 1} bounds")
        self.count = len(bounds)
        for i, bound in enumerate(bounds):
            self.bounds[i] = bound

    @property
    def counts(self):
        return [self.classes[i] for i in range(self.count + 1)]

    cpdef void observe(self, double value, unsigned long long times=1):
        cdef int i = 0
        while i < self.count and value > self.bounds[i]:
            i += 1
        self.classes[i] += times
        self.total += value * times
