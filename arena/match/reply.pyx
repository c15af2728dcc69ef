# cython: language_level=3
"""What a seat gives for a question: an answer that is still to come, without a task that waits for it."""
import asyncio

cimport cython


cdef class Listener:
    """Hears what came of a question."""

    cdef heard(self, Reply reply):  # abstract
        raise NotImplementedError


@cython.final
cdef class FutureListener(Listener):
    cdef object future

    cdef heard(self, Reply reply):
        if self.future.done():
            return
        if reply.failure is not None:
            self.future.set_exception(reply.failure)
        else:
            self.future.set_result(reply.answer)


@cython.final
@cython.freelist(64)
cdef class Reply:
    def __await__(self):
        cdef FutureListener listener = FutureListener.__new__(FutureListener)
        listener.future = asyncio.get_running_loop().create_future()
        self.listen(listener)
        return listener.future.__await__()

    cdef listen(self, Listener listener):
        self.listener = listener
        if self.over:
            listener.heard(self)

    cdef end(self, answer, failure):
        if self.over:
            return
        self.over = True
        self.answer = answer
        self.failure = failure
        listener, self.listener = self.listener, None
        if listener is not None:
            (<Listener>listener).heard(self)
