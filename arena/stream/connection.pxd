from arena.match.clock cimport Clock
from arena.match.seat cimport Question

cdef Clock clock


cdef class Connection:
    cdef Py_ssize_t _limit
    cdef object _queue
    cdef Py_ssize_t _size
    cdef public object rouse
    cdef readonly object closing
    cdef readonly bint overflowed

    cpdef send(self, bytes message, Question question=*)
    cpdef bytes next(self)
    cdef _put(self, bytes message, Question question)
