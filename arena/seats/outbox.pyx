# cython: language_level=3
"""What a node does at the end of a turn of its event loop: a few steps for each decision, and so worth compiling."""
import asyncio

cimport cython

cdef object running_loop = asyncio.get_running_loop


cdef class Pending:
    cpdef flush(self):  # abstract
        raise NotImplementedError


@cython.final
cdef class Outbox:
    def __init__(self):
        self.pending = []

    cpdef put(self, Pending one):
        if one.queued:
            return
        if not self.pending:
            running_loop().call_soon(self.take)
        one.queued = True
        self.pending.append(one)

    def take(self):
        cdef Pending one
        pending, self.pending = self.pending, []
        for one in <list>pending:
            one.queued = False
            try:
                one.flush()
            except Exception as error:
                message = "something could not be brought up to date"
                running_loop().call_exception_handler({"message": message, "exception": error})
