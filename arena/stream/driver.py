"""Runs the coroutines of a stream, one after the other."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from arena.stream.connection import Connection


class Driver:
    """Runs coroutines one after the other without a task, by the callbacks of the futures that they wait for.

    A task would resume one turn of the event loop later each time. Subclasses say which coroutine is `next` and what
    to do with what one `returned`.
    """

    def __init__(self, connection: Connection) -> None:
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when no more coroutines will run."""
        self.failure: BaseException | None = None
        """What the last coroutine raised, or the handling of its result."""
        self._connection = connection
        self._runs: Coroutine[asyncio.Future[object], None, Any] | None = None
        self._waits: asyncio.Future[object] | None = None

    def stop(self) -> None:
        """Run nothing more, and abandon the coroutine under way."""
        if not self.done.done():
            self.done.set_result(None)
        if self._waits is not None:
            self._waits.cancel()

    def go_on(self) -> None:
        """Run the next coroutine, if there is one and none is under way."""
        try:
            while self._waits is None and not self.done.done() and self._step():
                pass
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - whatever it is, the stream is lost
            self._runs = None
            self.failure = error
            self.stop()
            self._connection.abandon()

    def next(self) -> Coroutine[asyncio.Future[object], None, Any] | None:
        """The coroutine to run now, None when there is none."""
        return None

    def returned(self, value: Any) -> None:
        """What a coroutine returned."""

    def _step(self) -> bool:
        """Run until the coroutine waits for something or ends. False when there was nothing to run."""
        if self._runs is None:
            self._runs = self.next()
            if self._runs is None:
                return False
        try:
            waits = self._runs.send(None)
        except StopIteration as end:
            self._runs = None
            self.returned(end.value)
        else:
            self._waits = waits
            waits.add_done_callback(self._on_waited)
        return True

    def _on_waited(self, waited: asyncio.Future[Any]) -> None:
        self._waits = None
        if waited.cancelled():
            assert self._runs is not None
            self._runs.close()
        else:
            self.go_on()
