from arena.match.clock cimport Clock
from arena.match.seat cimport Question

cdef Clock clock


cdef class Deadline:
    cdef object _task
    cdef int _cancelling
    cdef object _loop
    cdef object _timer
    cdef double _fires_at
    cdef Question _question
    cdef double _limit
    cdef double _due
    cdef bint _waits
    cdef bint _expired
    cdef object _clocked

    cpdef Deadline within(self, double seconds, Question question=*)
    cdef _arm(self, double at, double seconds)
