cimport cython

from arena.match.question cimport Answer, Question
from core_ext.state cimport State


@cython.final
cdef class Tally:
    cdef public int rejections


@cython.final
cdef class SeatState:
    cdef readonly int number
    cdef readonly Tally tally
    cdef readonly int questions
    cdef readonly int events_seen
    cdef readonly int defaults
    cdef readonly list thinking
    cdef object rng             # the seat's SeatRng
    cdef long bank_ms

    cdef count(self, long clock_ms)


@cython.final
cdef class Referee:
    cdef readonly object spec
    cdef readonly State state
    cdef readonly list seats
    cdef readonly bytearray choices
    cdef readonly list clock_ms
    cdef readonly Question question
    cdef readonly Answer answered
    cdef readonly object rejection
    cdef readonly object forfeit
    cdef long per_decision_ms
    cdef bint secret            # whether the open question is asked in a slot of its own, unseen by the others
    cdef SeatState asked        # the seat whose question is open, None while none is

    cdef int to_act(self)
    cpdef ask(self, bint secret=*)
    cpdef answer(self, Answer answer)
    cdef verdict(self, Answer answer)
    cdef charge(self, SeatState asked, long clock_ms)
    cdef reason(self, long clock_ms)
    cdef end(self, end, int offender, str text)
    cdef record(self, SeatState asked, int choice, long clock_ms)
