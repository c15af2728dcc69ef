cdef enum:
    MOST = 32

cdef class Series:
    cdef double bounds[MOST]
    cdef unsigned long long classes[MOST]
    cdef readonly double total
    cdef int count

    cpdef void observe(self, double value, unsigned long long times=*)
