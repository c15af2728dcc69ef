"""A bot's session over two pipes instead of a gRPC stream."""

import asyncio
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from arena.rpc.errors import ApiError
from arena.rpc.identity import BotIdentity
from arena.stream.frames import FloodError, FrameError, Frames, frame
from arena.stream.hub import Hub
from arena.wire import decode_move
from hanafuda.arena.v1 import play_pb2

if TYPE_CHECKING:
    from arena.stream.session import Session
    from arena.stream.transport import Connection

_CHUNK = 1 << 16


class PipeStream:
    """Carries messages between a program's pipes, which do not block, and the hub.

    `hello` is done when the bot has said Hello and was welcomed; a program that can get no more sense out of its pipe
    is reported to `fault`, at most once, and read no further: a FrameError, an ApiError (its Hello is refused), a
    BufferError (it does not read), or a DecodeError.
    """

    def __init__(
        self, hub: Hub, identity: BotIdentity, pipes: tuple[int, int], fault: Callable[[Exception], None]
    ) -> None:
        self._hub = hub
        self._identity = identity
        self._to_bot, self._from_bot = pipes
        self._fault = fault
        self._frames = Frames(hub.limits.message_bytes)
        self._session: Session | None = None
        self._connection: Connection | None = None
        self._unwritten = b""
        self._broken = False
        self._loop = asyncio.get_running_loop()
        self.hello: asyncio.Future[None] = self._loop.create_future()
        self._loop.add_reader(self._from_bot, self._on_readable)

    def close(self) -> None:
        """Leave the pipes and the hub."""
        self._stop()
        if self._session is not None and self._connection is not None:
            self._hub.disconnect(self._session, self._connection)

    def _on_readable(self) -> None:
        try:
            chunk = os.read(self._from_bot, _CHUNK)
        except BlockingIOError:
            return
        try:
            if not chunk:  # it has ended: whoever waits for it will know
                self._stop()
                return
            for message in self._frames.feed(chunk):
                self._receive(message)
        except (FrameError, DecodeError, ApiError) as error:
            self._break(error)

    def _receive(self, message: bytes) -> None:
        request = decode_move(message) or play_pb2.PlayRequest.FromString(message)
        if self._session is not None and self._connection is not None:
            self._session.receive(request, self._connection)
            if self._connection.closing.done():
                raise FloodError("too many messages that answered nothing")
        elif isinstance(request, play_pb2.PlayRequest) and request.HasField("hello"):
            request.hello.max_matches = 1
            self._session, self._connection = self._hub.connect(self._identity, request.hello)
            self._connection.wake = self._flush
            self._flush()
            self.hello.set_result(None)
        else:
            raise FrameError("the first message has to be Hello")

    def _flush(self) -> None:
        """Write what the connection holds."""
        assert self._connection is not None
        while not self._unwritten and (message := self._connection.next()) is not None:
            self._write(frame(message))

    def _write(self, data: bytes) -> None:
        try:
            written = os.write(self._to_bot, data)
        except BlockingIOError:
            written = 0
        except BrokenPipeError:  # it closed its input, or has ended: whoever waits for it will know
            return
        if written < len(data):
            self._unwritten = data[written:]
            self._loop.add_writer(self._to_bot, self._on_writable)

    def _on_writable(self) -> None:
        self._loop.remove_writer(self._to_bot)
        data, self._unwritten = self._unwritten, b""
        self._write(data)
        self._flush()
        assert self._connection is not None
        if self._connection.overflowed:
            self._break(BufferError("too many messages wait to be read"))

    def _break(self, error: Exception) -> None:
        self._stop()
        if not self._broken:
            self._broken = True
            self._fault(error)

    def _stop(self) -> None:
        self._loop.remove_reader(self._from_bot)
        self._loop.remove_writer(self._to_bot)
