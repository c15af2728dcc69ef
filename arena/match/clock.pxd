cdef class Clock:
    cdef double _now
    cdef double _before
    cdef double _settled
    cdef double _beat_at
    cdef double _from
    cdef Py_ssize_t _holders
    cdef object _loop
    cdef object _beat

    cpdef double now(self)
    cpdef double settled(self)


cdef class Timer:
    cdef Clock _clock
    cdef object _callback
    cdef object _loop
    cdef double _due
    cdef object _handle
