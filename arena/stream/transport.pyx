# cython: language_level=3
"""The way of messages between gRPC and a bot's session: a few steps for each decision, and so worth compiling."""
import asyncio

import grpc

from hanafuda.arena.v1 import play_pb2

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF

from arena.match.clock cimport DecisionTimer
from arena.seats.ledger cimport Ledger
from arena.seats.outbox cimport Outbox, Pending
from arena.wire.decode cimport Move

cdef extern from "Python.h":
    int PyIter_Send(object iterator, object argument, PyObject** result) except -1

cdef object END = grpc.aio.EOF
cdef object running_loop = asyncio.get_running_loop
cdef object CancelledError = asyncio.CancelledError


cdef class SessionState:
    def __init__(self):
        self.seats = {}


@cython.final
cdef class Connection:
    def __init__(self, Py_ssize_t limit):
        self.limit = limit
        self.queue = []  # a deque of an idle bot would be ten times as large
        self.closing = running_loop().create_future()

    cpdef send(self, bytes message, timer=None):
        if self.closing.done():
            return
        self.size += len(message)
        if self.size > self.limit:
            self.overflowed = True
            self.queue.clear()
            self.close(play_pb2.GOODBYE_REASON_PROTOCOL_ERROR, "too many messages wait to be read")
            return
        self.put(message, timer)

    def close(self, reason, str text, reconnect_after_ms=None):
        if self.closing.done():
            return
        goodbye = play_pb2.Goodbye(reason=reason, text=text, reconnect_after_ms=reconnect_after_ms)
        self.closing.set_result(None)
        self.put(play_pb2.PlayResponse(goodbye=goodbye).SerializeToString(), None)

    def revoke(self):
        self.close(play_pb2.GOODBYE_REASON_TOKEN_REVOKED, "the bot's token was replaced, or its owner ended")

    cpdef abandon(self):
        if not self.closing.done():
            self.closing.set_result(None)
            self.notify()

    cdef receive(self, SessionState session, request):
        """A message has come. Nearly all are moves that answer an open decision; the rest is left to the session."""
        cdef Move move
        if type(request) is Move and not self.closing.done():
            move = request
            seat = session.seats.get(move.match_id)
            if seat is not None and (<Ledger>seat.ledger).answer(move.decision, move.code) is None:
                if session.strays:
                    session.strays -= 1
                return
        session.receive(request, self)

    cpdef bytes next(self):
        if not self.queue:
            return None
        message, timer = self.queue.pop(0)
        self.size -= len(<bytes>message)
        self.asks = timer is not None
        if self.asks:
            (<DecisionTimer>timer).restart()
        return message

    cdef put(self, bytes message, timer):
        self.queue.append((message, timer))
        self.notify()

    cdef notify(self):
        if self.writer is not None:
            self.outbox.put(self.writer)

    cdef write_by(self, Pending writer, Outbox outbox):
        """What is sent is written when the outbox flushes the writer."""
        self.writer = writer
        self.outbox = outbox


cdef class Driver(Pending):
    cdef readonly object failure
    cdef readonly bint stopped
    cdef Connection connection
    cdef object runs   # the coroutine under way
    cdef object waits  # the future that it waits for

    def __init__(self, Connection connection):
        self.connection = connection

    cpdef stop(self):
        self.stopped = True
        if self.waits is not None:
            self.waits.cancel()

    cpdef flush(self):
        self.go_on()

    cdef go_on(self):
        try:
            while self.waits is None and not self.stopped and self.step():
                pass
        except (Exception, CancelledError) as error:  # whatever it is, the stream is lost
            self.runs = None
            self.failure = error
            self.stop()
            self.connection.abandon()

    cpdef next(self):
        return None

    cpdef returned(self, value):
        pass

    cdef bint step(self) except -1:
        """Run until the coroutine waits for something or ends. False when there was nothing to run."""
        cdef PyObject* sent
        if self.runs is None:
            self.runs = self.next()
            if self.runs is None:
                return False
        ended = not PyIter_Send(self.runs, None, &sent)
        value = <object>sent
        Py_DECREF(value)
        if ended:
            self.runs = None
            self.returned(value)
        else:
            self.waits = value
            value.add_done_callback(self.on_waited)
        return True

    def on_waited(self, waited):
        self.waits = None
        if waited.cancelled():
            self.runs.close()
        else:
            self.go_on()


cdef class Reader(Driver):
    cdef object read
    cdef SessionState session

    def __init__(self, context, session, Connection connection):
        Driver.__init__(self, connection)
        self.read = context.read
        self.session = session
        self.go_on()

    cpdef next(self):
        return self.read()

    cpdef returned(self, value):
        if value is END:
            self.stop()
            self.connection.abandon()
        else:
            self.connection.receive(self.session, value)


cdef class Writer(Driver):
    cdef readonly object done
    cdef object write

    def __init__(self, context, Connection connection, Outbox outbox):
        Driver.__init__(self, connection)
        self.done = running_loop().create_future()
        self.write = context.write
        connection.write_by(self, outbox)
        outbox.put(self)

    cpdef stop(self):
        if not self.done.done():
            self.done.set_result(None)
        Driver.stop(self)

    cpdef next(self):
        message = self.connection.next()
        if message is not None:
            return self.write(message)
        if self.connection.closing.done():
            self.stop()
        return None
