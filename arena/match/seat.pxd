cdef class Tally:
    cdef public Py_ssize_t rejections


cdef class Question:
    cdef public object spec
    cdef public int seat
    cdef public Py_ssize_t number
    cdef public tuple legal
    cdef public unsigned long long random
    cdef public long long decision_ms
    cdef public long long bank_ms
    cdef public Py_ssize_t events_since
    cdef public object state
    cdef public Tally tally
    cdef public double asked_at
    cdef public double answered_at
    cdef public bint closed
    cdef public bint timed_by_seat
    cdef object _observation
    cdef object _events

    cpdef live_state(self)
