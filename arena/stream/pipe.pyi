"""A bot's session over two pipes instead of a gRPC stream: each message after its length as a protobuf varint."""

import asyncio
from collections.abc import Callable
from typing import final

from arena.rpc.identity import BotIdentity
from arena.seats.turn import Turn
from arena.stream.hub import Hub

class FrameError(Exception):
    """What came is no message after its length."""

class MessageTooLongError(FrameError):
    """A message is announced that is longer than allowed."""

class FloodError(FrameError):
    """Too many messages came that answered nothing."""

class ClosedError(Exception):
    """The program has closed its end of a pipe, which is named, or is ending."""

@final
class Inputs:
    """What programs write to their pipes: the event loop watches one descriptor for all of them, which is cheaper."""

@final
class PipeStream:
    """Carries messages between a program's pipes, which do not block, and the hub.

    `hello` is done when the bot has said Hello and was welcomed; a program that can get no more sense out of its pipe
    is reported to `fault`, at most once, and read no further: a FrameError, an ApiError (its Hello is refused), a
    BufferError (it does not read), a ClosedError, or a DecodeError.
    """

    @property
    def hello(self) -> asyncio.Future[None]: ...
    @property
    def begun(self) -> bytes:
        """What has come of a message, the rest of which is still to come."""

    def __init__(
        self,
        hub: Hub,
        identity: BotIdentity,
        pipes: tuple[int, int],
        fault: Callable[[Exception], None],
        turn: Turn | None = None,
    ) -> None: ...
    def close(self) -> None:
        """Leave the pipes and the hub."""
