"""The bot that is checked: connected to a server of its own, or in a cage."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.paths import program_at
from arena.launcher.cage.program import Program
from arena.launcher.processes import fail_when_dead, running
from arena.launcher.sources import HouseBot, PathBot
from arena.node.serving import serving
from arena.node.tokens import NodeTokens
from arena.seats.stream import StreamSeat
from arena.stream.hub import Hub


@dataclass(frozen=True)
class Subject:
    """A bot that has said Hello. `name` is its name at the hub."""

    name: str
    connected: bool
    """Whether it has a connection that can be lost."""
    seat: Callable[[ExitStack], StreamSeat]
    """A seat of it for one match, until the stack is closed; it fails when the bot ends. NotConnectedError."""
    ended: Callable[[], Awaitable[object]]
    """Wait until it has ended."""
    exit_report: Callable[[str], Awaitable[str]]
    """Wait until it has ended, and say how and when that was, with the last lines that it wrote."""
    goodbye: Callable[[], None]
    """Send it a Goodbye."""
    last_output: Callable[[], str]
    """The last lines that it wrote."""


@asynccontextmanager
async def connected_subject(hub: Hub, bot: HouseBot | PathBot, folder: Path) -> AsyncIterator[Subject]:
    """The bot with all rights of this process, and a server to which it connects. Raises BotStartError."""
    async with (
        serving(hub, NodeTokens(), folder) as (_, seat_provider),
        running(seat_provider.launcher, bot, bot.name if isinstance(bot, HouseBot) else bot.path.stem) as process,
    ):

        def seat(stack: ExitStack) -> StreamSeat:
            seat = hub.seat(process.name)
            stack.callback(seat.release)
            stack.callback(asyncio.create_task(fail_when_dead(process, seat)).cancel)
            return seat

        yield Subject(
            process.name,
            connected=True,
            seat=seat,
            ended=process.process.wait,
            exit_report=process.exit_report,
            goodbye=lambda: hub.retire(process.name),
            last_output=process.last_output,
        )


@asynccontextmanager
async def caged_subject(
    hub: Hub, bot: PathBot, program: Program | None, cages: Cages, patience_s: float
) -> AsyncIterator[Subject]:
    """The bot in a cage, by default as the program of its file. Raises BotStartError, CageError."""
    limits = replace(cages.limits, start_s=patience_s)
    if program is None:
        program = await asyncio.to_thread(program_at, bot.path)
    async with caged(cages, hub, program, bot.path.stem, limits) as started:

        def seat(stack: ExitStack) -> StreamSeat:
            seat = started.seat()
            stack.callback(seat.release)
            return seat

        async def exit_report(when: str) -> str:
            return (await asyncio.shield(started.process.ended)).text(started.label, when)

        def goodbye() -> None:
            hub.retire(started.name)
            started.let_run()

        yield Subject(
            started.name,
            connected=False,
            seat=seat,
            ended=lambda: asyncio.shield(started.process.ended),
            exit_report=exit_report,
            goodbye=goodbye,
            last_output=started.process.last_output,
        )
