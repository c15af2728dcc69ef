"""The programs beside this file, as processes that tests talk to, stop and kill."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from store_servers import DEADLINE_S

HERE = Path(__file__).parent


class Process:
    """One of the programs beside this file, talked to by lines."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.pid = process.pid

    async def line(self) -> str:
        raw = await asyncio.wait_for(self._process.stdout.readline(), DEADLINE_S)
        return raw.decode().strip()

    def tell(self, text: str) -> None:
        self._process.stdin.write(text.encode() + b"\n")

    def signal(self, which: signal.Signals) -> None:
        self._process.send_signal(which)

    async def end(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
        await self._process.communicate()


@asynccontextmanager
async def running(program: str, *arguments: str) -> AsyncIterator[Process]:
    process = Process(
        await asyncio.create_subprocess_exec(
            sys.executable,
            str(HERE / program),
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
    )
    try:
        yield process
    finally:
        await process.end()
