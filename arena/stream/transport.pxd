cimport cython


@cython.final
cdef class Connection:
    cdef readonly object closing
    cdef readonly bint overflowed
    cdef public object wake
    cdef object queue  # of pairs: a message, and the timer of its decision or None
    cdef Py_ssize_t size
    cdef Py_ssize_t limit

    cdef receive(self, session, request)
    cpdef send(self, bytes message, timer=*)
    cpdef abandon(self)
    cpdef bytes next(self)
    cdef put(self, bytes message, timer)
    cdef notify(self)


@cython.final
cdef class Outbox:
    cdef list steps

    cpdef put(self, step)
