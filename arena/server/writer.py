"""Writes on a stream what a connection holds."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.server.connection import Connection
    from arena.server.play import Context


class Writer:
    """Writes one message after the other, each at once when nothing is being written.

    A task that waits for messages would be woken a turn of the event loop after each. Here the coroutine of a write
    runs where the message comes from, as far as it gets without waiting, and goes on when what it waits for calls back.
    """

    __slots__ = ("_connection", "_context", "_waits", "_write", "done", "failure")

    def __init__(self, context: Context, connection: Connection) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the connection is to end and all is written, or when the stream takes nothing more."""
        self.failure: Exception | None = None
        """What the last write raised."""
        self._context = context
        self._connection = connection
        self._write: Coroutine[asyncio.Future[object], None, None] | None = None
        self._waits: asyncio.Future[object] | None = None
        connection.rouse = self._rouse
        self._rouse()

    def stop(self) -> None:
        """Write nothing more; a write under way is given up."""
        if not self.done.done():
            self.done.set_result(None)
        if self._waits is not None:
            self._waits.cancel()

    def _rouse(self) -> None:
        if self._write is None:
            self._go_on()

    def _go_on(self) -> None:
        while not self.done.done():
            if self._write is None:
                message = self._connection.next()
                if message is None:
                    if self._connection.closing.done():
                        self.done.set_result(None)
                    return
                self._write = self._context.write(message)
            try:
                waits = self._write.send(None)
            except StopIteration:
                self._write = None
            except Exception as error:  # noqa: BLE001 - whatever it is, the stream takes nothing more
                self._write = None
                self.failure = error
                self.done.set_result(None)
                self._connection.abandon()
            else:
                self._waits = waits
                waits.add_done_callback(self._on_waited)
                return

    def _on_waited(self, waited: asyncio.Future[Any]) -> None:
        self._waits = None
        if waited.cancelled():
            assert self._write is not None
            self._write.close()
        else:
            self._go_on()
