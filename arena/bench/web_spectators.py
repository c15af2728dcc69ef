"""Spectators of one match, as a program: so many of them, each as its page's script does it, until input ends."""

import asyncio
import random
import re
import sys
from functools import partial
from typing import cast

import uvloop

RETRY_S = 2.0
_VERSION = re.compile(rb'<div id="board"[^>]* data-version="(\d+)"')
_HEAD_ENDS = b"\r\n\r\n"
_STREAM_ENDS = b"0\r\n\r\n"


def address_of(number: int) -> str:
    """Return an address of this machine for each visitor: what one address asks for has its bounds."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


class _Spectator(asyncio.Protocol):
    """Opens the match's page and follows its events, on one connection; opens it again when they end.

    What it is told is counted and not looked at: a spectator's browser is on another machine.
    """

    def __init__(self, port: int, number: int, match: str, live: asyncio.Semaphore) -> None:
        self._port = port
        self._address = address_of(number)
        self._match = match.encode()
        self._live = live
        self._is_live = self._follows = self._is_streaming = False
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._ask()

    def _ask(self) -> None:
        self._follows = self._is_streaming = False
        self._send(b"/live/%b" % self._match)

    def _send(self, path: bytes) -> None:
        self._buffer.clear()
        if self._transport.is_closing():  # as a browser does where the arena has closed an idle connection
            _connect(self)
            return
        packed = b"accept-encoding: gzip\r\n" if self._follows else b""
        self._transport.write(b"GET %b HTTP/1.1\r\nhost: bench\r\n%b\r\n" % (path, packed))

    def data_received(self, data: bytes) -> None:
        if self._is_streaming:
            self._count_event(data)
            return
        self._buffer += data
        head, ends, body = bytes(self._buffer).partition(_HEAD_ENDS)
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0] or 0)
        if not ends or len(body) < length:
            return
        if not head.startswith(b"HTTP/1.1 200"):
            _counts[1] += not head.startswith(b"HTTP/1.1 204")
            asyncio.get_running_loop().call_later(RETRY_S * (0.5 + random.random()), self._ask)
        elif not self._follows:
            version = _VERSION.search(body)
            self._follows = True
            self._send(b"/live/%b/events?seen=%b" % (self._match, version[1] if version else b""))
        else:
            self._is_streaming = True
            if not self._is_live:
                self._is_live = True
                self._live.release()
            if body:
                self._count_event(body)

    def _count_event(self, data: bytes) -> None:
        """Count an event. Compressed parts end otherwise than a stream does."""
        _counts[0] += 1
        if data.endswith(_STREAM_ENDS):
            self._is_streaming = False
            asyncio.get_running_loop().call_later(RETRY_S * random.random(), self._ask)

    def connection_lost(self, _: Exception | None) -> None:
        asyncio.get_running_loop().call_later(RETRY_S * (0.5 + random.random()), partial(_connect, self))


def _connect(spectator: _Spectator) -> None:
    connecting = asyncio.get_running_loop().create_connection(
        lambda: spectator, "127.0.0.1", spectator._port, local_addr=(spectator._address, 0)
    )
    _TASKS.add(task := asyncio.ensure_future(connecting))
    task.add_done_callback(_TASKS.discard)


_counts = [0, 0]
"""Events, and refusals."""
_TASKS: set[asyncio.Future[tuple[asyncio.Transport, _Spectator]]] = set()


async def _watch(port: int, count: int, match: str) -> None:
    """Be so many spectators until the end; a line says when all of them see it, another one what they had."""
    live = asyncio.Semaphore(0)
    for number in range(count):
        _connect(_Spectator(port, number, match, live))
        await asyncio.sleep(0.005)
    for _ in range(count):
        await live.acquire()
    print("live", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(*_counts)


if __name__ == "__main__":
    uvloop.run(_watch(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
