"""The site on a socket, on an event loop that is somebody else's."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Iterator

import uvicorn
from starlette.types import ASGIApp


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Signals are for whoever runs the loop."""
        yield


@contextlib.asynccontextmanager
async def serving(site: ASGIApp, listening: socket.socket) -> AsyncIterator[None]:
    """The site answers on the socket until the end of the block; open answers are cut off then."""
    config = uvicorn.Config(site, log_level="warning", lifespan="off", server_header=False, timeout_graceful_shutdown=1)
    server = _Server(config)
    task = asyncio.create_task(server.serve([listening]))
    try:
        yield
    finally:
        server.should_exit = True
        await task
