"""The way to a store on which a node is killed at one of the store's scripts: before it ran, or before its answer."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

from arena_command import ARENA
from preloaded import Forked, start

from arena.store.scripts import Script

_CHUNK = 1 << 16


class KillingProxy:
    """Carries bytes both ways until `script` is called for the `nth` time; then `victim` gets SIGKILL.

    Did the script `run`, the store has done its work and nobody was told; else the store has never heard of it. The
    store has to know the script already, so that its first call is the one that counts.
    """

    def __init__(self, url: str, script: Script, nth: int, *, run: bool) -> None:
        self._store = urlsplit(url)
        self._sha = script.sha.encode()
        self._left = nth
        self._run = run
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""
        self.victim: Forked | None = None

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["KillingProxy"]:
        """Listen, at `url`."""
        server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        self.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
        try:
            yield self
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        there, to_store = await asyncio.open_connection(self._store.hostname, self._store.port)
        called = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                back = group.create_task(self._back(there, writer, called))
                await self._forth(reader, to_store, called)
                back.cancel()
        except* (ConnectionError, asyncio.CancelledError):
            pass  # an end is gone
        finally:
            for one in (writer, to_store):
                one.close()
                with suppress(ConnectionError):
                    await one.wait_closed()

    async def _forth(self, reader: asyncio.StreamReader, to_store: asyncio.StreamWriter, called: asyncio.Event) -> None:
        tail = b""
        while chunk := await reader.read(_CHUNK):
            seen = tail + chunk
            calls = seen.count(self._sha)
            tail = b"" if calls else seen[1 - len(self._sha) :]
            if 0 < self._left <= calls:
                if not self._run:
                    self._kill()
                    return
                called.set()
            self._left -= calls
            to_store.write(chunk)
            await to_store.drain()

    async def _back(self, there: asyncio.StreamReader, writer: asyncio.StreamWriter, called: asyncio.Event) -> None:
        while chunk := await there.read(_CHUNK):
            if called.is_set():
                self._kill()
                return
            writer.write(chunk)
            await writer.drain()

    def _kill(self) -> None:
        self.victim.kill()


@asynccontextmanager
async def killable_node(folder: Path, url: str, listen: str = "127.0.0.1:0") -> AsyncIterator[Forked]:
    """A node, which is killed in the end."""
    with (folder / "nodes.log").open("ab") as log:
        command = (ARENA, "serve", "--redis", url, "--listen", listen)
        process = start(command, folder, os.environ, log.fileno(), log.fileno())
    try:
        yield process
    finally:
        process.kill()
        await asyncio.to_thread(process.wait)
