"""Writes on a stream what a connection holds."""

import asyncio
from collections.abc import Coroutine

from arena.stream.connection import Connection, Context
from arena.stream.driver import Driver


class Outbox:
    """The writers that have something to write. They write at the end of a turn of the event loop, one right after the
    other: so those who read at the other end are woken less often.
    """

    def __init__(self) -> None:
        self._writers: list[Writer] = []

    def put(self, writer: "Writer") -> None:
        """Let it write soon."""
        if not self._writers:
            asyncio.get_running_loop().call_soon(self._write)
        self._writers.append(writer)

    def _write(self) -> None:
        writers, self._writers = self._writers, []
        for writer in writers:
            writer.go_on()


class Writer(Driver):
    """Writes one message after the other, until the connection is to end and all is written."""

    def __init__(self, context: Context, connection: Connection, outbox: Outbox) -> None:
        super().__init__(connection)
        self._context = context
        self._outbox = outbox
        connection.wake = self._on_ready
        self._on_ready()

    def next(self) -> Coroutine[asyncio.Future[object], None, None] | None:
        """The write of the next message."""
        message = self._connection.next()
        if message is not None:
            return self._context.write(message)
        if self._connection.closing.done():
            self.stop()
        return None

    def _on_ready(self) -> None:
        if self._waits is None:
            self._outbox.put(self)
