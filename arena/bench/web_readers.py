"""Live readers of a league's page, as a program: so many of them, until its standard input ends."""

import asyncio
import random
import sys
import time
from functools import partial
from typing import cast

import uvloop


class _Reader(asyncio.Protocol):
    """Follows the league's events, and fetches its page at the moments that they name."""

    def __init__(self, port: int, live: asyncio.Semaphore) -> None:
        self._port = port
        self._live = live
        self._is_live = False
        self._fetch_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.WriteTransport", transport).write(b"GET /leagues/bench/events HTTP/1.1\r\nhost: bench\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        if b"data: " not in data:
            return
        if not self._is_live:  # this is how the league stands; what follows are changes
            self._is_live = True
            self._live.release()
            return
        _answers[0] += 1
        refresh = data.rpartition(b'"refresh_s":')[2].partition(b"}")[0]
        if time.monotonic() >= self._fetch_at:
            # As the page's script does: readers fetch at different moments. Those here have been at it for a while.
            wait_s = float(refresh) * (random.random() + (0.5 if self._fetch_at else 0.0))
            self._fetch_at = time.monotonic() + wait_s
            asyncio.get_running_loop().call_later(wait_s, self._fetch)

    def _fetch(self) -> None:
        fetching = asyncio.get_running_loop().create_connection(_Fetch, "127.0.0.1", self._port)
        _FETCHES.add(task := asyncio.ensure_future(fetching))
        task.add_done_callback(_FETCHES.discard)


class _Fetch(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.WriteTransport", transport).write(
            b"GET /leagues/bench HTTP/1.1\r\nhost: bench\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n"
        )

    def data_received(self, data: bytes) -> None:
        _answers[0] += data.startswith(b"HTTP/1.1 200")


_answers = [0]
_FETCHES: set[asyncio.Future[tuple[asyncio.Transport, _Fetch]]] = set()


async def _read(port: int, count: int) -> None:
    """Be so many readers until the end; a line says when all of them are live, another one what they had."""
    live = asyncio.Semaphore(0)
    loop = asyncio.get_running_loop()
    for _ in range(count):
        await loop.create_connection(partial(_Reader, port, live), "127.0.0.1", port)
    for _ in range(count):
        await live.acquire()
    print("live", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(_answers[0])


if __name__ == "__main__":
    uvloop.run(_read(int(sys.argv[1]), int(sys.argv[2])))
