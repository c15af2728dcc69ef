# cython: language_level=3, boundscheck=False, wraparound=False
"""A bot's session over two pipes: a few steps for each decision, and so worth compiling."""
import asyncio
import os
import select

from google.protobuf.message import DecodeError

from arena.rpc.errors import ApiError
from hanafuda.arena.v1 import play_pb2

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.errno cimport EAGAIN, EPIPE, errno
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from posix.unistd cimport read, write

from arena.seats.outbox cimport Outbox, Pending
from arena.seats.turn cimport Turn
from arena.stream.transport cimport Connection, SessionState
from arena.wire.decode cimport MAX_VARINT, read_move, read_number

cdef enum:
    CHUNK = 1 << 14
    MAX_EVENTS = 64        # events that are taken from the kernel
    MAX_PIECES = 256   # in which one message may come: each takes the node a turn
    IN = 1              # EPOLLIN
    ONCE = 0x80000000   # EPOLLET: what has come is reported once, not until it is read


class FrameError(Exception):
    pass


class MessageTooLongError(FrameError):
    pass


class FloodError(FrameError):
    pass


class ClosedError(Exception):
    pass


@cython.final
cdef class Inputs:
    cdef object epoll
    cdef dict streams

    def __init__(self):
        self.streams = {}

    cdef add(self, PipeStream stream):
        if not self.streams:
            self.epoll = select.epoll()
            stream.loop.add_reader(self.epoll.fileno(), self.on_readable)
        self.epoll.register(stream.from_bot, <uint64_t>(IN | ONCE))
        self.epoll.register(stream.to_bot, <uint64_t>ONCE)  # whose end is told of in any case
        self.streams[stream.from_bot] = self.streams[stream.to_bot] = stream

    cdef remove(self, PipeStream stream):
        if self.streams.get(stream.from_bot) is not stream:
            return
        for descriptor in (stream.from_bot, stream.to_bot):
            del self.streams[descriptor]
            self.epoll.unregister(descriptor)
        if not self.streams:
            stream.loop.remove_reader(self.epoll.fileno())
            self.epoll.close()

    cdef look_again(self, PipeStream stream):
        self.epoll.modify(stream.from_bot, <uint64_t>(IN | ONCE))

    def on_readable(self):
        cdef PipeStream stream
        for descriptor, events in self.epoll.poll(0, MAX_EVENTS):
            stream = self.streams.get(descriptor)
            if stream is not None:  # else another one's message has ended it
                try:
                    if descriptor == stream.from_bot:
                        stream.on_readable(events)
                    else:
                        stream.on_unread()
                except Exception as error:
                    stream.loop.call_exception_handler({"message": "a pipe could not be read", "exception": error})


@cython.final
cdef class PipeStream(Pending):
    cdef readonly object hello
    cdef object hub
    cdef object identity
    cdef object fault
    cdef object loop
    cdef SessionState session
    cdef Connection connection
    cdef Outbox outbox
    cdef Inputs inputs
    cdef Turn turn
    cdef int to_bot
    cdef int from_bot
    cdef uint64_t longest   # of the messages that the bot may send, bytes
    cdef readonly bytes begun  # what has come of a message, the rest of which is still to come
    cdef int pieces         # in which that has come
    cdef bytes unwritten
    cdef bint broken
    cdef bint closed

    def __init__(self, hub, identity, tuple pipes, fault, Turn turn=None):
        self.turn = turn
        self.hub = hub
        self.outbox = hub.outbox
        self.inputs = hub.inputs
        self.identity = identity
        self.to_bot, self.from_bot = pipes
        self.fault = fault
        self.longest = hub.limits.message_bytes
        self.begun = self.unwritten = b""
        self.loop = asyncio.get_running_loop()
        self.hello = self.loop.create_future()
        self.inputs.add(self)

    def close(self):
        self.stop()
        self.closed = True
        if self.connection is not None:
            self.hub.disconnect(self.session, self.connection)

    cdef on_readable(self, int events):
        cdef uint8_t chunk[CHUNK]
        cdef ssize_t size = read(self.from_bot, chunk, CHUNK)
        if size < 0:
            if errno != EAGAIN:
                raise OSError(errno, os.strerror(errno))
            return
        if size == 0:
            self.break_off(ClosedError("standard output"))
            return
        if size == CHUNK or events != IN:
            self.inputs.look_again(self)  # more may be left, or the bot has closed it
        try:
            if not self.begun:
                self.cut(chunk, size)
            else:
                self.pieces += 1
                if self.pieces > MAX_PIECES:
                    raise FrameError(f"a message in more than {MAX_PIECES} pieces")
                data = self.begun + chunk[:size]
                self.cut(<const uint8_t*>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))
        except (FrameError, DecodeError, ApiError) as error:
            self.break_off(error)

    cdef on_unread(self):
        """The bot has closed its standard input. What it wrote before counts."""
        self.on_readable(IN)
        if not self.closed:
            self.break_off(ClosedError("standard input"))

    cdef cut(self, const uint8_t* at, Py_ssize_t size):
        """Receive the messages that are complete, and keep what is left."""
        cdef const uint8_t* end = at + size
        cdef const uint8_t* start
        cdef uint32_t length
        while at < end and not self.closed:
            start = read_number(at, end, &length)
            if start == NULL:
                if end - at >= MAX_VARINT:
                    raise FrameError("a length of more than 32 bits")
                break
            if length > self.longest:
                raise MessageTooLongError(f"a message of {length} bytes; at most {self.longest} are allowed")
            if length > end - start:
                break
            at = start + length
            self.receive(start, length)
        self.begun = PyBytes_FromStringAndSize(<const char*>at, end - at)

    cdef receive(self, const uint8_t* message, Py_ssize_t size):
        self.pieces = 0
        request = read_move(message, size)
        if request is None:
            request = play_pb2.PlayRequest.FromString(PyBytes_FromStringAndSize(<const char*>message, size))
        if self.connection is not None:
            self.connection.receive(self.session, request)
            if self.session.flooded:
                raise FloodError("too many messages that answered nothing")
        elif isinstance(request, play_pb2.PlayRequest) and request.HasField("hello"):
            request.hello.max_matches = 1
            self.session, self.connection = self.hub.connect(self.identity, request.hello)
            self.connection.write_by(self, self.outbox)
            self.flush()
            self.hello.set_result(None)
        else:
            raise FrameError("the first message has to be Hello")

    cpdef flush(self):
        """Write what the connection holds. Nothing but a question lets a bot run."""
        while not self.closed and not self.unwritten and (message := self.connection.next()) is not None:
            if self.turn is not None and not self.connection.asks:
                self.turn.hold()
            self.write(message)

    cdef write(self, bytes message):
        """Write a message after its length; what does not fit into the pipe is written when it has room."""
        cdef uint8_t length[<int>MAX_VARINT]
        cdef uint64_t left = PyBytes_GET_SIZE(message)
        cdef int count = 0
        while left >= 0x80:
            length[count] = <uint8_t>(left | 0x80)
            left >>= 7
            count += 1
        length[count] = <uint8_t>left
        self.put(length[:count + 1] + message)

    cdef put(self, bytes data):
        cdef ssize_t written = write(self.to_bot, PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))
        if written < 0:
            if errno == EPIPE:
                self.break_off(ClosedError("standard input"))
                return
            if errno != EAGAIN:
                raise OSError(errno, os.strerror(errno))
            written = 0
        if written < PyBytes_GET_SIZE(data):
            self.keep(data[written:])

    cdef keep(self, bytes data):
        self.unwritten = data
        self.loop.add_writer(self.to_bot, self.on_writable)

    def on_writable(self):
        self.loop.remove_writer(self.to_bot)
        if self.turn is not None:
            self.turn.hold()
        data, self.unwritten = self.unwritten, b""
        self.put(data)
        self.flush()
        if self.connection.overflowed:
            self.break_off(BufferError("too many messages wait to be read"))

    cdef break_off(self, error):
        self.stop()
        if not self.broken:
            self.broken = True
            self.fault(error)

    cdef stop(self):
        self.inputs.remove(self)
        self.loop.remove_writer(self.to_bot)
