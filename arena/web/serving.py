"""The site on a socket, on an event loop that is somebody else's."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.processes import connections_limit
from arena.web.connections import bounded


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are for whoever runs the loop."""
        yield


class _Ending:
    """Ends the answers that are open when the server ends: live events, and whoever waits for news."""

    def __init__(self, site: ASGIApp) -> None:
        self._site = site
        self._open: set[asyncio.Task[object]] = set()
        self._ends = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        task = asyncio.current_task()
        assert task is not None
        started = False

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        self._open.add(task)
        try:
            await self._site(scope, receive, noted)
        except asyncio.CancelledError:
            if not self._ends:
                raise
            if not started:
                await send({"type": "http.response.start", "status": 503, "headers": []})
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._open.discard(task)

    def end(self) -> None:
        """End them now."""
        self._ends = True
        for task in self._open:
            task.cancel()


@contextlib.asynccontextmanager
async def serving(site: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    """The site answers on the socket until the end of the block; open answers end then."""
    ending = _Ending(site)
    config = uvicorn.Config(
        ending,
        # Its warnings are of what strangers send, of which there is no end.
        log_level="error",
        lifespan="off",
        server_header=False,
        timeout_graceful_shutdown=1,
        http=bounded(connections_limit()),
        ws="none",  # who changed the protocol would not be counted any more
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve([listening]))
    try:
        yield
    finally:
        server.should_exit = True
        ending.end()
        await task
