cimport cython

from arena.seats.outbox cimport Outbox, Pending


cdef class SessionState:
    cdef public dict seats
    cdef public Py_ssize_t strays
    cdef public bint flooded
    cdef public Connection connection


@cython.final
cdef class Connection:
    cdef readonly object closing
    cdef readonly bint overflowed
    cdef readonly bint asks     # whether the last message that was taken asks for a decision
    cdef Pending writer
    cdef Outbox outbox          # flushes the writer
    cdef list queue             # of pairs: a message, and the timer of its decision or None
    cdef Py_ssize_t size
    cdef Py_ssize_t limit

    cdef receive(self, SessionState session, request)
    cpdef send(self, bytes message, timer=*)
    cpdef abandon(self)
    cpdef bytes next(self)
    cdef put(self, bytes message, timer)
    cdef notify(self)
    cdef write_by(self, Pending writer, Outbox outbox)
