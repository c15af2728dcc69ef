"""Server-sent events that are written once for all who read them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

SEND_S = 10.0
"""A reader who takes nothing off the connection for so long is let go."""
PING = b": still here\n\n"
"""Keeps a connection open through proxies."""


def frame(event_id: str, data: bytes) -> bytes:
    """An event as it is sent: an id without line breaks, and data in one line."""
    return b"id: %b\ndata: %b\n\n" % (event_id.encode(), data)


class EventStream(Response):
    """An answer of frames, each an event or a `PING`, that goes on until they end or the reader leaves."""

    media_type = "text/event-stream"

    def __init__(self, frames: AsyncGenerator[bytes]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._frames = frames

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        if scope["method"] == "HEAD":
            await send({"type": "http.response.body", "body": b""})
            return
        tasks = (asyncio.create_task(self._write(send)), asyncio.create_task(_until_gone(receive)))
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _write(self, send: Send) -> None:
        async with aclosing(self._frames) as frames:
            async for one in frames:
                async with asyncio.timeout(SEND_S):
                    await send({"type": "http.response.body", "body": one, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
