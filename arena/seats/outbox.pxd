cdef class Pending:
    cdef bint queued    # whether an outbox is to flush it

    cpdef flush(self)


cdef class Outbox:
    cdef list pending

    cpdef put(self, Pending writer)
