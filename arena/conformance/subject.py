"""The bot that is checked: connected to a server of its own, or in a cage."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from msgspec.structs import replace

from arena.launcher.cage.bot import CagedBot, caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.paths import program_at
from arena.launcher.cage.program import Program
from arena.launcher.processes import BotProcess, Launcher, fail_when_dead, running
from arena.launcher.sources import PathBot
from arena.node.server import Listen, Server
from arena.rpc.identity import MemoryTokens
from arena.seats.stream import StreamSeat
from arena.stream.hub import Hub


class Subject(Protocol):
    """A bot that has said Hello. `connected` tells whether it has a connection that can be lost."""

    connected: bool

    @property
    def name(self) -> str:
        """Its name at the hub."""

    @asynccontextmanager
    async def seat(self) -> AsyncIterator[StreamSeat]:
        """A seat of it for one match; the seat fails when the bot ends. NotConnectedError, BotStartError."""
        yield NotImplemented

    async def ended(self) -> None:
        """Wait until it has ended."""

    async def exit_report(self, when: str) -> str:
        """Wait until it has ended, and say how and `when` that was, with the last lines that it wrote."""

    def goodbye(self) -> None:
        """Let it hear a Goodbye."""

    def last_output(self) -> str:
        """The last lines that it wrote."""


class ConnectedSubject:
    """A bot that has connected."""

    connected = True

    def __init__(self, hub: Hub, process: BotProcess) -> None:
        self._hub = hub
        self._process = process
        self.name = process.name

    @asynccontextmanager
    async def seat(self) -> AsyncIterator[StreamSeat]:
        """As of every subject."""
        seat = self._hub.seat(self.name)
        death = asyncio.create_task(fail_when_dead(self._process, seat))
        try:
            yield seat
        finally:
            death.cancel()
            seat.release()

    async def ended(self) -> None:
        """As of every subject."""
        await self._process.process.wait()

    async def exit_report(self, when: str) -> str:
        """As of every subject."""
        return await self._process.exit_report(when)

    def goodbye(self) -> None:
        """As of every subject."""
        self._hub.retire(self.name)

    def last_output(self) -> str:
        """As of every subject."""
        return self._process.last_output()


class CagedSubject:
    """A bot in a cage."""

    connected = False

    def __init__(self, hub: Hub, bot: CagedBot) -> None:
        self._hub = hub
        self._bot = bot
        self.name = bot.name

    @asynccontextmanager
    async def seat(self) -> AsyncIterator[StreamSeat]:
        """As of every subject."""
        seat = self._bot.seat()
        try:
            yield seat
        finally:
            seat.release()

    async def ended(self) -> None:
        """As of every subject."""
        await asyncio.shield(self._bot.process.ended)

    async def exit_report(self, when: str) -> str:
        """As of every subject."""
        ending = await asyncio.shield(self._bot.process.ended)
        return f"bot {self._bot.label} {ending.detail} {when}:\n{ending.last_output or '(it wrote nothing)'}"

    def goodbye(self) -> None:
        """As of every subject."""
        self._hub.retire(self.name)
        self._bot.process.thaw()

    def last_output(self) -> str:
        """As of every subject."""
        return self._bot.process.last_output()


@asynccontextmanager
async def connected_subject(hub: Hub, bot: PathBot, folder: Path) -> AsyncIterator[Subject]:
    """The bot with all rights of this process, and a server to which it connects. Raises BotStartError."""
    tokens = MemoryTokens()
    server = Server(hub, tokens)
    address = f"unix:{folder / 'node.sock'}"
    await server.start(Listen((address,)))
    try:
        launcher = Launcher(hub, tokens, address, folder)
        async with running(launcher, bot, bot.path.stem) as process:
            yield ConnectedSubject(hub, process)
    finally:
        await server.stop()


@asynccontextmanager
async def caged_subject(
    hub: Hub, bot: PathBot, program: Program | None, cages: Cages, patience_s: float
) -> AsyncIterator[Subject]:
    """The bot in a cage, by default as the program of its file. Raises BotStartError, CageError."""
    limits = replace(cages.limits, start_s=patience_s)
    if program is None:
        program = await asyncio.to_thread(program_at, bot.path)
    async with caged(cages, hub, program, bot.path.stem, limits) as started:
        yield CagedSubject(hub, started)
