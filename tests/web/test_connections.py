"""What strangers may hold open of the pages' server."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from arena.web import connections, serving
from arena.web.app import create_app

DEADLINE_S = 60.0
ASK = b"GET /nothing HTTP/1.1\r\nhost: here\r\n\r\n"


@asynccontextmanager
async def site() -> AsyncIterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        async with serving.serving(create_app([]), listening):
            yield listening.getsockname()[1]


async def ended(reader: asyncio.StreamReader) -> None:
    """Read until the server ends the connection."""
    async with asyncio.timeout(DEADLINE_S):
        try:
            await reader.read()
        except ConnectionError:
            return


async def answers(port: int) -> bool:
    """Whether somebody new is answered."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(ASK)
        return (await reader.read(12)) == b"HTTP/1.1 404"
    except ConnectionError:
        return False
    finally:
        writer.close()


async def test_a_connection_without_a_request_ends_and_one_that_asks_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IDLE_S", 0.1)
    async with site() as port:
        for said in (b"", ASK[:20]):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(said)
            await ended(reader)
            writer.close()
        assert await answers(port)


async def test_one_address_has_half_of_the_connections_and_gets_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "connections_limit", lambda: 6)
    async with site() as port:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
        assert not await answers(port)
        held[0][1].close()
        async with asyncio.timeout(DEADLINE_S):
            while not await answers(port):
                pass
        for _, writer in held:
            writer.close()


async def test_who_asks_for_another_protocol_is_answered_in_this_one_and_still_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    upgrade = (
        b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAA\r\n\r\n"
    )
    monkeypatch.setattr(serving, "connections_limit", lambda: 4)
    async with site() as port:
        for _ in range(6):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(ASK.removesuffix(b"\r\n") + upgrade)
            assert await reader.read(12) == b"HTTP/1.1 404"
            writer.close()
            await writer.wait_closed()


async def test_a_request_with_two_ends_is_refused_and_ends_its_connection() -> None:
    ends = b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
    async with site() as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(ASK.removesuffix(b"\r\n") + ends + ASK)
        async with asyncio.timeout(DEADLINE_S):
            answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 400")
        assert answer.count(b"HTTP/1.1") == 1
        writer.close()
