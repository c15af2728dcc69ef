cimport cython


cdef class Listener:
    cdef heard(self, Reply reply)


@cython.final
cdef class Reply:
    cdef readonly object answer
    cdef readonly object failure
    cdef bint over
    cdef Listener listener

    cdef listen(self, Listener listener)
    cdef end(self, answer, failure)
