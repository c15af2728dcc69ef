"""The way of messages between gRPC and a bot's session: a few steps for each decision, and so worth compiling."""

import asyncio
from collections.abc import Coroutine
from typing import Any, final

from arena.match.clock import DecisionTimer
from arena.seats.outbox import Outbox, Pending
from arena.seats.stream import StreamSeat
from arena.stream.session import Session
from arena.stream.types import Context
from hanafuda.arena.v1 import play_pb2

class SessionState:
    """What of a session is looked at for each message."""

    connection: Connection | None
    seats: dict[str, StreamSeat]
    """By match."""
    strays: int
    flooded: bool
    """Whether the bot was expelled."""
    def __init__(self) -> None: ...

@final
class Connection:
    """The outgoing side of a stream. Sending never waits; a writer takes what is queued."""

    def __init__(self, limit: int) -> None: ...
    @property
    def closing(self) -> asyncio.Future[None]:
        """Done from the moment the stream is to end."""
    @property
    def overflowed(self) -> bool:
        """Whether the stream ends because more than `limit` bytes waited for a bot that does not read."""
    def send(self, message: bytes, timer: DecisionTimer | None = None) -> None:
        """Queue a serialised PlayResponse, with the timer of the decision that it asks for.

        A stream about to end takes nothing more.
        """
    def close(self, reason: play_pb2.GoodbyeReason.ValueType, text: str, reconnect_after_ms: int | None = None) -> None:
        """Send Goodbye and end the stream once everything queued is written. Only the first call counts."""
    def revoke(self) -> None:
        """Close the stream of a token that is revoked."""
    def abandon(self) -> None:
        """End the stream without a Goodbye: the other side has gone."""
    def next(self) -> bytes | None:
        """Return the next message, to be written at once: its timer restarts. None when there is none now."""

class Driver(Pending):
    """Runs coroutines one after the other without a task, by the callbacks of the futures that they wait for.

    A task would resume one turn of the event loop later each time. Subclasses say which coroutine is `next` and what
    to do with what one `returned`.
    """

    def __init__(self, connection: Connection) -> None: ...
    @property
    def stopped(self) -> bool:
        """Whether no more coroutines will run."""
    @property
    def failure(self) -> BaseException | None:
        """What the last coroutine raised, or the handling of its result."""
    def stop(self) -> None:
        """Run nothing more, and abandon the coroutine under way."""
    def flush(self) -> None:
        """Run the next coroutine, if there is one and none is under way."""
    def next(self) -> Coroutine[asyncio.Future[object], None, Any] | None:
        """The coroutine to run now, None when there is none."""
    def returned(self, value: Any) -> None:
        """What a coroutine returned."""

@final
class Reader(Driver):
    """Hands the bot's messages to `receive` until the stream ends or is lost."""

    def __init__(self, context: Context, session: Session, connection: Connection) -> None: ...

@final
class Writer(Driver):
    """Writes one message after the other, until the connection is to end and all is written."""

    def __init__(self, context: Context, connection: Connection, outbox: Outbox) -> None: ...
    @property
    def done(self) -> asyncio.Future[None]:
        """Done when nothing more will be written."""
