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

    cpdef put(self, Pending writer):
        if writer.queued:
            return
        if not self.pending:
            running_loop().call_soon(self.take)
        writer.queued = True
        self.pending.append(writer)

    def take(self):
        cdef Pending writer
        pending, self.pending = self.pending, []
        for writer in <list>pending:
            writer.queued = False
            try:
                writer.flush()
            except Exception as error:
                message = "something could not be brought up to date"
                running_loop().call_exception_handler({"message": message, "exception": error})
