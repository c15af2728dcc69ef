"""Server-sent events that are written once for all who read them."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import NamedTuple, Self

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from arena.web.connections import TRANSPORT

_MOST_WAITING = 16 * 1024
"""Bytes that wait for a slow reader; what comes then is not for them, and their connection ends if it stays so."""


class Frame(NamedTuple):
    """An event, or a comment, as it is sent: in an answer without chunks, and as a chunk."""

    plain: bytes
    chunk: bytes

    @classmethod
    def of(cls, text: bytes) -> Self:
        """The frame of a text that ends with an empty line."""
        return cls(text, b"%x\r\n%b\r\n" % (len(text), text))

    @classmethod
    def event(cls, event_id: str, data: bytes) -> Self:
        """An event: an id without line breaks, and data in one line."""
        return cls.of(b"id: %b\ndata: %b\n\n" % (event_id.encode(), data))


PING = Frame.of(b": still here\n\n")
"""Keeps a connection open through proxies."""


class EventStream(Response):
    """An answer of frames that goes on until it is ended or the reader leaves.

    Frames are written to the reader's connection itself: a step of the server for each of a thousand readers takes
    ten times as long.
    """

    media_type = "text/event-stream"

    def __init__(self, join: Callable[["EventStream"], AbstractContextManager[None]]) -> None:
        """Within `join`'s context frames may be written."""
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._join = join
        self._over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._transport: asyncio.Transport
        self._is_chunked = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        if scope["method"] != "HEAD":
            self._transport = scope["extensions"][TRANSPORT]
            self._is_chunked = scope["http_version"] >= "1.1"
            gone = asyncio.create_task(_until_gone(receive))
            gone.add_done_callback(lambda _: self.end())
            try:
                with self._join(self):
                    await self._over
            finally:
                gone.cancel()
                await asyncio.gather(gone, return_exceptions=True)
        await send({"type": "http.response.body", "body": b""})

    def write(self, frame: Frame) -> bool:
        """Send a frame; whether it was sent, which it is not to a reader who is slow."""
        if self._transport.get_write_buffer_size() > _MOST_WAITING:
            return False
        if not self._transport.is_closing():
            self._transport.write(frame.chunk if self._is_chunked else frame.plain)
        return True

    def end(self) -> None:
        """End the answer."""
        if not self._over.done():
            self._over.set_result(None)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
