"""Reads what a bot sends on a stream."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import grpc

from arena.stream.connection import Connection, Context
from arena.stream.driver import Driver
from arena.stream.session import Session

_END: object = grpc.aio.EOF


class Reader(Driver):
    """Hands the bot's messages to its session until the stream ends or is lost."""

    def __init__(self, context: Context, session: Session, connection: Connection) -> None:
        super().__init__(connection)
        self._context = context
        self._session = session
        self.go_on()

    def next(self) -> Coroutine[asyncio.Future[object], None, Any] | None:
        """The read of the next message."""
        return self._context.read()

    def returned(self, value: Any) -> None:
        """A message, or the stream's end."""
        if value is _END:
            self.stop()
            self._connection.abandon()
        else:
            self._session.receive(value, self._connection)
