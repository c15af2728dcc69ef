"""One stream of one bot: what waits to be written on it, and how it ends."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from arena.match.timer import DecisionTimer
from arena.wire import Move
from hanafuda.arena.v1 import play_pb2

if TYPE_CHECKING:
    import grpc

Request: TypeAlias = Move | play_pb2.PlayRequest
"""What a bot sends: moves are decoded without protobuf."""
Context: TypeAlias = "grpc.aio.ServicerContext[Request, bytes]"
"""gRPC's side of a stream."""


class Connection:
    """The outgoing side of a stream. Sending never waits; a writer takes what is queued.

    `closing` is done from the moment the stream is to end; `overflowed` tells that it ends because more than `limit`
    bytes waited for a bot that does not read.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._queue: deque[tuple[bytes, DecisionTimer | None]] = deque()
        self._size = 0
        self.wake: Callable[[], None] = _no_writer
        """Called when there is something to write or the stream is to end. The writer sets it."""
        self.closing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.overflowed = False

    def send(self, message: bytes, timer: DecisionTimer | None = None) -> None:
        """Queue a serialised PlayResponse, with the timer of the decision that it asks for.

        A stream about to end takes nothing more.
        """
        if self.closing.done():
            return
        self._size += len(message)
        if self._size > self._limit:
            self.overflowed = True
            self._queue.clear()
            self.close(play_pb2.GOODBYE_REASON_PROTOCOL_ERROR, "too many messages wait to be read")
            return
        self._put(message, timer)

    def close(self, reason: play_pb2.GoodbyeReason.ValueType, text: str, reconnect_after_ms: int | None = None) -> None:
        """Send Goodbye and end the stream once everything queued is written. Only the first call counts."""
        if self.closing.done():
            return
        goodbye = play_pb2.Goodbye(reason=reason, text=text, reconnect_after_ms=reconnect_after_ms)
        self.closing.set_result(None)
        self._put(play_pb2.PlayResponse(goodbye=goodbye).SerializeToString(), None)

    def abandon(self) -> None:
        """End the stream without a Goodbye: the other side has gone."""
        if not self.closing.done():
            self.closing.set_result(None)
            self.wake()

    def next(self) -> bytes | None:
        """The next message, to be written at once: its timer restarts. None when there is none now."""
        if not self._queue:
            return None
        message, timer = self._queue.popleft()
        self._size -= len(message)
        if timer is not None:
            timer.restart()
        return message

    def _put(self, message: bytes, timer: DecisionTimer | None) -> None:
        self._queue.append((message, timer))
        self.wake()


def _no_writer() -> None:
    """There is no writer yet."""
