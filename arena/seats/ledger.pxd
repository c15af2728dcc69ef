cimport cython

from arena.match.clock cimport DecisionTimer
from arena.match.reply cimport Reply
from arena.seats.turn cimport Turn


@cython.final
cdef class Ledger:
    cdef readonly DecisionTimer timer
    cdef readonly bint open
    cdef readonly Turn turn
    cdef Reply reply        # to the last decision
    cdef object failure     # of the seat: nothing more is asked
    cdef Py_ssize_t asked   # how many decisions there were
    cdef list late          # those that ran out of time
    # The decision that waits for the bot's turn.
    cdef object session
    cdef Py_ssize_t number
    cdef double limit_s
    cdef bytes message

    cpdef answer(self, Py_ssize_t number, code)
    cdef expect(self)
    cdef begin(self, Py_ssize_t number, double limit_s)
    cdef close(self, code)
