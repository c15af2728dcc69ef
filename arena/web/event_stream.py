"""Server-sent events that are written once for all who read them."""

import asyncio
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Self

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from arena.web.connections import TRANSPORT

_MAX_WAITING = 16 * 1024
"""Bytes that wait for a slow reader; what comes then is not for them, and their connection ends if it stays so."""


class Frame:
    """An event, or a comment, in every form in which it is sent: in chunks or not, compressed or not."""

    def __init__(self, text: bytes) -> None:
        """`text` ends with an empty line."""
        self._text = text
        self._forms: dict[tuple[bool, bool], bytes] = {}

    @classmethod
    def event(cls, data: bytes, *, name: str = "", event_id: str = "") -> Self:
        """An event of lines of data, with a name where it is no plain message; both names are without line breaks."""
        fields = [("event", name), ("id", event_id)]
        head = "".join(f"{field}: {value}\n" for field, value in fields if value).encode()
        return cls(b"%b%b\n" % (head, b"".join(b"data: %b\n" % line for line in data.splitlines() or [b""])))

    def form(self, *, chunked: bool, compressed: bool) -> bytes:
        """The frame as it is sent; made once."""
        made = self._forms.get((chunked, compressed))
        if made is None:
            body = _compressed(self._text) if compressed else self._text
            made = self._forms[chunked, compressed] = _chunk(body) if chunked else body
        return made


def _chunk(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(body), body)


def _compressed(text: bytes) -> bytes:
    """Return a part of a gzip stream that says nothing of what came before it: it may follow any other one."""
    packer = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH)


_LEVEL = 6
_GZIP_HEAD = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
PING = Frame(b": still here\n\n")
"""Keeps a connection open through proxies."""


class EventStream(Response):
    """An answer of frames that goes on until it is ended or the reader leaves.

    Frames are written to the reader's connection itself: a step of the server for each of a thousand readers takes
    ten times as long. A reader who takes gzip gets one stream of parts that are compressed once for all; it has no
    checksum at its end, which would be another one for each reader.
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
        self._is_compressed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        self._is_compressed = "gzip" in Headers(scope=scope).get("accept-encoding", "")
        if self._is_compressed:
            self.headers["content-encoding"] = "gzip"
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        if scope["method"] != "HEAD":
            self._transport = scope["extensions"][TRANSPORT]
            self._is_chunked = scope["http_version"] >= "1.1"
            if self._is_compressed:
                self._transport.write(_chunk(_GZIP_HEAD) if self._is_chunked else _GZIP_HEAD)
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
        if self._transport.get_write_buffer_size() > _MAX_WAITING:
            return False
        if not self._transport.is_closing():
            self._transport.write(frame.form(chunked=self._is_chunked, compressed=self._is_compressed))
        return True

    def end(self) -> None:
        """End the answer."""
        if not self._over.done():
            self._over.set_result(None)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
