"""Servers beside the arena's own: plain ones on TCP, one that answers like an old Redis, and a bad line."""

from __future__ import annotations

import asyncio
import random
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from arena_command import Running

from arena.store.client import Client, Value
from arena.store.embedded import find_binary

DEADLINE_S = 60.0


async def until(condition: Callable[[], Awaitable[bool]] | Callable[[], bool], what: str) -> float:
    """Wait until the condition holds, and return the seconds that it took; fails at the deadline."""
    began = time.monotonic()
    while True:
        answer = condition()
        if answer if isinstance(answer, bool) else await answer:
            return time.monotonic() - began
        assert time.monotonic() - began < DEADLINE_S, f"waited in vain until {what}"
        await asyncio.sleep(0.005)


def alive(pid: int) -> bool:
    """Tell whether the process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def free_port() -> int:
    """Return a port below those that the system gives to connections, and below a cluster's limit.

    One that a connection could be given is no port to be down on: a client that tries again and again to reach it is
    given it for its own end some day, and then speaks to itself.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def tell(url: str, command: str) -> bytes:
    """Give a server an order by another way than the code under test; return its answer as sent."""
    with socket.create_connection(("127.0.0.1", urlsplit(url).port or 0), DEADLINE_S) as line:
        line.sendall(command.encode() + b"\r\n")
        answer = line.recv(65536)
    assert not answer.startswith(b"-"), answer
    return answer


class ServerProcess:
    """A server of somebody else's on TCP, in a folder of its own. Started again, it listens where it did before."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self.port = 0
        self._folder = folder
        self._settings = settings
        self._run: Running | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it and wait until it listens. Its first port it has to find free: whoever was quicker keeps theirs."""
        first = self.port == 0
        while not self._listens_on(free_port() if first else self.port):
            assert first, f"port {self.port} is taken"

    def wait_for(self, pattern: str) -> str:
        """What it logs that matches, since its start; fails when it ends without that."""
        return self._run.wait_for(pattern)[0]

    def kill(self) -> None:
        if self._run is not None:
            self._run.close()

    def _listens_on(self, port: int) -> bool:
        """Start it on a port; False when that is taken."""
        self.port = port
        command = [str(find_binary()), "--port", str(port), "--bind", "127.0.0.1", "--save", "", *self._settings]
        process = subprocess.Popen(
            command, cwd=self._folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._run = Running(process, process.stdout)
        # Its own word: a port that answers might be somebody else's.
        listens = self.wait_for("Ready to accept connections|Failed listening") != "Failed listening"
        if not listens:
            self.kill()
        return listens


@contextmanager
def tcp_server(folder: Path, *settings: str) -> Iterator[ServerProcess]:
    """Run a server on a port of its own, which listens."""
    server = ServerProcess(folder, *settings)
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def deaf_port() -> Iterator[int]:
    """A port on which nobody listens, and nobody can."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[Client]:
    """A client of the store's, closed afterwards."""
    client = await Client.connect(url)
    try:
        yield client
    finally:
        await client.close()


@asynccontextmanager
async def fake_redis(info: str) -> AsyncIterator[int]:
    """Speak enough of the protocol to say what `info` says; every other command is answered OK."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                words = []
                for _ in range(int((await reader.readuntil(b"\r\n"))[1:])):
                    size = int((await reader.readuntil(b"\r\n"))[1:])
                    words.append((await reader.readexactly(size + 2))[:-2])
                if words[0].upper() == b"INFO":
                    writer.write(b"$%d\r\n%s\r\n" % (len(info), info.encode()))
                else:
                    writer.write(b"+OK\r\n")
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await server.wait_closed()


class Interleaved:
    """A store's client that lets something else happen before each command of a name but for the first so many."""

    def __init__(self, client: Client, name: str, after: int, event: Callable[[], Awaitable[None]]) -> None:
        self._client = client
        self._name = name
        self._left = after
        self._event = event

    async def call(self, *command: Value) -> Any:
        if command[0] == self._name:
            self._left -= 1
            if self._left < 0:
                await self._event()
        return await self._client.call(*command)


class BadLine:
    """A way to a server that can swallow an answer: the command arrives, and the connection breaks."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.swallow_answer_to = b""
        self.swallowed = 0
        self.port = 0

    @asynccontextmanager
    async def open(self) -> AsyncIterator[BadLine]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for writer in self._writers:
                writer.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers |= {writer, far_writer}
        there = asyncio.create_task(self._forward(reader, far_writer, far_reader, writer))
        self._tasks.add(there)
        with suppress(ConnectionError):
            while data := await far_reader.read(65536):
                if there.done():
                    break
                writer.write(data)
        writer.close()

    async def _forward(
        self,
        reader: asyncio.StreamReader,
        far_writer: asyncio.StreamWriter,
        far_reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(1 << 20):
                if self.swallow_answer_to and self.swallow_answer_to in data:
                    self.swallow_answer_to = b""
                    self.swallowed += 1
                    # The near side is cut first, so that no answer can pass; then the command is sent on.
                    writer.transport.abort()
                    far_writer.write(data)
                    await far_writer.drain()
                    return
                far_writer.write(data)
        far_writer.close()
