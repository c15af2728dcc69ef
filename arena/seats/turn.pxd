cimport cython


@cython.final
cdef class Turn:
    cdef public object freezer
    cdef public object timer
    cdef object processors
    cdef object outbox
    cdef object ask       # what asks the bot, as long as it waits for a processor
    cdef bint runs        # it may run, and has a processor or sleeps
    cdef readonly bint asleep
    cdef bint frozen
    cdef bint closed

    cpdef begin(self, ask)
    cpdef end(self)
    cdef run(self, ask)
