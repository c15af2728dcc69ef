from arena.stream.driver cimport Driver


cdef class Outbox:
    cdef list _writers

    cpdef put(self, Writer writer)


cdef class Writer(Driver):
    cdef object _context
    cdef Outbox _outbox
