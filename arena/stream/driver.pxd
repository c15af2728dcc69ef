from arena.stream.connection cimport Connection


cdef class Driver:
    cdef readonly object done
    cdef readonly object failure
    cdef Connection _connection
    cdef object _runs
    cdef object _waits

    cpdef go_on(self)
    cpdef next(self)
    cpdef returned(self, value)
    cdef bint _step(self) except -1
