"""A line between two programs that can be cut, slow, half-open or dead."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

_CHUNK = 1 << 16


@dataclass(eq=False)
class _Connection:
    """The two ends of a connection: of whoever called, and of whoever was called."""

    near: asyncio.StreamWriter
    far: asyncio.StreamWriter
    half_open: bool = False
    """One end has gone, and the other has not been told."""


class Line:
    """Carries bytes both ways between a port of its own and another address."""

    def __init__(self, host: str, port: int) -> None:
        self._to = (host, port)
        self._connections: set[_Connection] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()
        self._flows.set()
        self._delay_s = 0.0
        self.port = 0

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @asynccontextmanager
    async def open(self) -> AsyncIterator["Line"]:
        """Listen while the body runs."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            self.cut()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def is_taken(self) -> bool:
        """Whether there is a connection whose ends both are there."""
        return any(not connection.half_open for connection in self._connections)

    def cut(self) -> None:
        """Break all connections, and tell both ends."""
        for connection in self._connections:
            connection.near.transport.abort()
            connection.far.transport.abort()

    def half_open(self) -> None:
        """Break all connections, and tell only who was called: who called goes on speaking to nobody."""
        for connection in self._connections:
            connection.half_open = True
            connection.far.transport.abort()

    @asynccontextmanager
    async def slow(self, seconds: float) -> AsyncIterator[None]:
        """While the body runs, whatever is said arrives so much later."""
        self._delay_s = seconds
        try:
            yield
        finally:
            self._delay_s = 0.0

    @asynccontextmanager
    async def dead(self) -> AsyncIterator[None]:
        """While the body runs nothing arrives, and nobody is told; then it does, as what TCP sends again."""
        self._flows.clear()
        try:
            yield
        finally:
            self._flows.set()

    async def _serve(self, near_reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await self._flows.wait()
        try:
            far_reader, far = await asyncio.open_connection(*self._to)
        except OSError:
            near.transport.abort()
            return
        connection = _Connection(near, far)
        self._connections.add(connection)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._carry(near_reader, connection, far))
                group.create_task(self._carry(far_reader, connection, near))
        finally:
            self._connections.discard(connection)
            near.transport.abort()
            far.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, connection: _Connection, to: asyncio.StreamWriter) -> None:
        """Carry what one end says to the other; when one has gone the other is told, unless it is half open."""
        with suppress(ConnectionError):
            while data := await reader.read(_CHUNK):
                await self._flows.wait()
                if self._delay_s:
                    await asyncio.sleep(self._delay_s)
                if not connection.half_open:
                    to.write(data)
                    await to.drain()
        if to is connection.far or not connection.half_open:
            connection.near.transport.abort()
            connection.far.transport.abort()
