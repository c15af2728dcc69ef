"""Spectators of one match, as a program: so many of them, each as its page's script does it, until input ends."""

import asyncio
import re
import sys
from functools import partial
from typing import cast

import uvloop

PACE_S = 0.7
"""How long each step is shown before the next one, as the page does it where nobody changes its pace."""
RETRY_S = 2.0
_STATE = re.compile(rb'<main data-version="(\d+)"')
_STEP = re.compile(rb'<template data-at="(\d+)" data-deal="(\d+)"')


def address_of(number: int) -> str:
    """Return an address of this machine for each visitor: what one address asks for has its bounds."""
    return f"127.1.{number // 250}.{number % 250 + 1}"


class _Spectator(asyncio.Protocol):
    """Asks for what is new, shows it step by step, and asks again, on one connection."""

    def __init__(self, port: int, number: int, match: str, live: asyncio.Semaphore) -> None:
        self._port = port
        self._address = address_of(number)
        self._match = match
        self._live = live
        self._at, self._seen, self._deal = "0", "-1", "0"
        self._is_live = self._waits = False
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._ask()

    def _ask(self) -> None:
        if self._transport.is_closing():  # as a browser does where the arena has closed an idle connection
            _connect(self)
            return
        self._waits = True
        query = f"at={self._at}&seen={self._seen}&since={self._deal}&seat=all"
        self._transport.write(
            b"GET /live/%b/steps?%b HTTP/1.1\r\nhost: bench\r\n\r\n" % (self._match.encode(), query.encode())
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, ends, body = bytes(self._buffer).partition(b"\r\n\r\n")
        if not ends:
            return
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(body) < length:
            return
        self._buffer.clear()
        self._waits = False
        loop = asyncio.get_running_loop()
        if not head.startswith(b"HTTP/1.1 200"):
            _counts[1] += 1
            loop.call_later(RETRY_S, self._ask)
            return
        _counts[0] += 1
        if not self._is_live:
            self._is_live = True
            self._live.release()
        steps = _STEP.findall(body)
        if state := _STATE.search(body):
            self._seen = state[1].decode()
        if steps:
            self._at, self._deal = (one.decode() for one in steps[-1])
        loop.call_later(PACE_S * max(len(steps) - 1, 0), self._ask)

    def connection_lost(self, _: Exception | None) -> None:
        if self._waits:
            asyncio.get_running_loop().call_later(RETRY_S, partial(_connect, self))


def _connect(spectator: _Spectator) -> None:
    connecting = asyncio.get_running_loop().create_connection(
        lambda: spectator, "127.0.0.1", spectator._port, local_addr=(spectator._address, 0)
    )
    _TASKS.add(task := asyncio.ensure_future(connecting))
    task.add_done_callback(_TASKS.discard)


_counts = [0, 0]
"""Answers, and refusals."""
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
