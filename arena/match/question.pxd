cimport cython
from libc.stdint cimport uint64_t

from core_ext.state cimport State


@cython.final
cdef class Question:
    cdef readonly object spec
    cdef readonly int seat
    cdef readonly long number
    cdef readonly tuple legal
    cdef readonly uint64_t random
    cdef readonly long decision_ms
    cdef readonly long bank_ms
    cdef readonly int events_since
    cdef readonly int events_until
    cdef readonly State state
    cdef readonly bint secret       # whether it is asked in a slot of its own, unseen by the others
    cdef object seen            # the observation, and
    cdef tuple happened         # the events, once somebody has asked for them

    cdef fill(
        self, spec, int seat, long number, tuple legal, uint64_t random, long decision_ms, long bank_ms,
        int events_since, int events_until, State state,
    )


@cython.final
cdef class Answer:
    cdef readonly object code
    cdef readonly double thinking_s
