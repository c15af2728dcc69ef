"""Live events go straight to the connections: what readers do to these, and what comes before and after, on sockets."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web import connections
from arena.web.app import create_app
from arena.web.event_stream import EventStream, Frame
from arena.web.serving import serving

DEADLINE_S = 60.0
ASK = b"GET /events HTTP/1.1\r\nhost: here\r\n\r\n"
NEXT = b"GET /nothing HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n"
HELLO = b"id: 1\ndata: hello\n\n"
AS_CHUNK = b"13\r\n" + HELLO + b"\r\n"


class Events:
    """A site with one stream of events, which the test writes."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.readers: list[EventStream] = []
        self._changed = asyncio.Event()

    async def answer(self, _: Request) -> Response:
        return EventStream(self._join)

    @contextmanager
    def _join(self, reader: EventStream) -> Iterator[None]:
        self.readers.append(reader)
        self._changed.set()
        reader.write(Frame.event(b"hello", event_id="1"))
        yield
        self.readers.remove(reader)
        self._changed.set()

    async def connect(self, said: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(said)
        return reader, writer

    async def until(self, readers: int) -> None:
        """Wait until there are so many."""
        async with asyncio.timeout(DEADLINE_S):
            while len(self.readers) != readers:
                await self._changed.wait()
                self._changed.clear()


@asynccontextmanager
async def site() -> AsyncIterator[Events]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        events = Events(listening.getsockname()[1])
        async with serving(create_app([Route("/events", events.answer)]), listening):
            yield events


async def rest(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(DEADLINE_S):
        return await reader.read()


async def test_when_the_events_are_over_the_connection_takes_the_next_request_even_one_that_came_before() -> None:
    async with site() as events:
        for before, after in ((NEXT, b""), (b"", NEXT)):
            reader, writer = await events.connect(ASK + before)
            async with asyncio.timeout(DEADLINE_S):
                head = await reader.readuntil(b"\r\n\r\n")
                assert b"200 OK" in head
                assert b"chunked" in head.lower()
                assert await reader.readexactly(len(AS_CHUNK)) == AS_CHUNK
            events.readers[0].end()
            writer.write(after)
            over, _, answer = (await rest(reader)).partition(b"0\r\n\r\n")
            assert over == b""
            assert answer.startswith(b"HTTP/1.1 404")
            writer.close()


async def test_an_old_reader_gets_no_chunks_and_who_asks_for_the_head_alone_no_events() -> None:
    async with site() as events:
        reader, writer = await events.connect(b"GET /events HTTP/1.0\r\n\r\n")
        await events.until(readers=1)
        events.readers[0].end()
        assert (await rest(reader)).partition(b"\r\n\r\n")[2] == HELLO
        writer.close()
        reader, writer = await events.connect(b"HEAD /events HTTP/1.1\r\nhost: here\r\n\r\n" + NEXT)
        head, _, answer = (await rest(reader)).partition(b"\r\n\r\n")
        assert b"text/event-stream" in head
        assert answer.startswith(b"HTTP/1.1 404")
        writer.close()


async def test_for_who_takes_nothing_little_is_kept_and_the_connection_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IDLE_S", 0.1)
    async with site() as events:
        with socket.socket() as slow:
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            slow.setblocking(False)
            await asyncio.get_running_loop().sock_connect(slow, ("127.0.0.1", events.port))
            await asyncio.get_running_loop().sock_sendall(slow, ASK)
            await events.until(readers=1)
            [stream] = events.readers
            large, sent = Frame.event(b"x" * 4_096), 0
            while stream.write(large):
                sent += 1
                await asyncio.sleep(0)
            assert sent < 2_000  # what the kernel keeps, and no more than 16 KiB and a frame besides
            kept = stream._transport.get_write_buffer_size()
            assert kept < 16 * 1024 + 2 * len(large.form(chunked=True, compressed=False))
            await events.until(readers=0)


@pytest.mark.parametrize("asked", ["/events", "/nothing"])
async def test_who_goes_on_with_nonsense_is_cut_off_and_nothing_is_logged(
    asked: str, caplog: pytest.LogCaptureFixture
) -> None:
    begun = f"GET {asked} HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n".encode()
    with caplog.at_level(logging.WARNING):
        async with site() as events:
            other, writer = await events.connect(ASK)
            await events.until(readers=1)
            reader, bad = await events.connect(begun)
            async with asyncio.timeout(DEADLINE_S):
                await reader.readuntil(b"\r\n\r\n")
            bad.write(b"no length\r\n")
            with suppress(ConnectionError):
                await rest(reader)
            await events.until(readers=1)
            events.readers[0].end()
            async with asyncio.timeout(DEADLINE_S):
                await other.readuntil(AS_CHUNK + b"0\r\n\r\n")
            for one in (bad, writer):
                one.close()
    assert not caplog.records
