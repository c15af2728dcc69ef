cimport cython

from arena.match.clock cimport Clock
from arena.match.seat cimport Question, Tally
from arena.stream.connection cimport Connection
from arena.seats.ledger cimport Ledger

cdef Clock clock


cdef class StreamSeat:
    cdef public bint kept
    cdef public str match_id
    cdef public long long reconnect_ms
    cdef object _session
    cdef object _loop
    cdef Ledger _ledger
    cdef Tally _tally
    cdef object _answer
    cdef Question _question
    cdef object _failure
    cdef object _timer
    cdef bytes _start

    cpdef take(self, Py_ssize_t decision, code)
    @cython.locals(connection=Connection)
    cdef _ask(self, Question question, bint repeated)
    cpdef bytes _message(self, Question question, bint repeated)
