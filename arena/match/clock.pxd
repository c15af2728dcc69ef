cimport cython


@cython.final
cdef class DecisionTimer:
    cdef readonly double thinking_s
    cdef object expire
    cdef object loop
    cdef object timer
    cdef double fires_at
    cdef double since
    cdef double limit_s
    cdef double spent_s
    cdef bint running

    cpdef begin(self, double limit_s)
    cpdef restart(self)
    cpdef suspend(self)
    cpdef pause(self)
    cpdef go_on(self)
    cpdef stop(self)
    cpdef close(self)
    cdef double used_s(self)
    cdef arm(self, double now, double seconds)
