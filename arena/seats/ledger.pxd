from arena.match.clock cimport DecisionTimer
from arena.match.reply cimport Reply


cdef class Ledger:
    cdef readonly DecisionTimer timer
    cdef readonly bint open
    cdef Reply reply        # to the last decision
    cdef object failure     # of the seat: nothing more is asked
    cdef Py_ssize_t asked   # how many decisions there were
    cdef list late          # those that ran out of time

    cpdef answer(self, Py_ssize_t number, code)
    cdef expect(self)
    cdef begin(self, Py_ssize_t number, double limit_s)
    cdef close(self, code)
    cdef closed(self)
