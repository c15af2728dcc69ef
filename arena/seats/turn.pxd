cimport cython

from arena.seats.outbox cimport Outbox, Pending
from arena.seats.processors cimport Processors
from arena.seats.rest cimport Rest


@cython.final
cdef class Turn(Pending):
    cdef public object freezer
    cdef public object timer
    cdef Rest rest        # whether its program waits in a read, where it is single-threaded
    cdef Processors processors
    cdef Outbox outbox
    cdef object ask       # what asks the bot, as long as it waits for a processor
    cdef bint runs        # it may run, and has a processor or sleeps
    cdef readonly bint asleep
    cdef bint frozen
    cdef int reads        # how often the node has read from bots since it ended, READS at most
    cdef bint closed
    cdef bint at_once     # it waits for no processor in this decision

    cpdef begin(self, ask, bint at_once=*)
    cpdef end(self)
    cpdef hold(self)
    cdef bint placed(self) except -1
    cdef run(self, ask)
    cdef bint rests(self) except -1
