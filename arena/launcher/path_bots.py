"""Bots by path: in cages, or as programs with all rights of this process."""

import asyncio
import logging
from contextlib import AsyncExitStack, ExitStack
from enum import StrEnum
from pathlib import Path

from msgspec.structs import replace

from arena.launcher.cage.bot import caged
from arena.launcher.cage.errors import CageStartError, NoCageError, RuntimeUnknownError
from arena.launcher.cage.paths import program_at, program_in
from arena.launcher.cage.program import Program
from arena.launcher.cage.shared import SharedCages
from arena.launcher.errors import BotStartError
from arena.launcher.processes import Launcher, fail_when_dead, running
from arena.launcher.sources import PathBot
from arena.packs.errors import SubmissionError
from arena.packs.packing import pack, unpack
from arena.scratch import scratch_folder
from arena.seats.stream import StreamSeat
from arena.stream.hub import Hub

CAGE_HINT = (
    "it ran in a cage, where it sees its own files, Python's standard library, arena.sdk, protobuf and NumPy alone; "
    "commands on one's own machine take --uncaged"
)

log = logging.getLogger(__name__)


class Confinement(StrEnum):
    """Where bots by path run."""

    CAGED = "caged"
    """In cages or not at all: for a node that serves others."""
    CAGED_IF_POSSIBLE = "caged_if_possible"
    """In cages, and without where none can be had: for commands on one's own machine."""
    UNCAGED = "uncaged"


class PathBots:
    """Starts bots by path, each for one match. What they write goes to the launcher's logs."""

    def __init__(self, hub: Hub, launcher: Launcher, confinement: Confinement, cages: SharedCages) -> None:
        self.confinement = confinement
        self._hub = hub
        self._launcher = launcher
        self._cages = cages
        self._noted: set[str] = set()
        self._folders = ExitStack()
        self._unpacked: dict[Path, Program] = {}
        self._unpacking = asyncio.Lock()

    def close(self) -> None:
        """Remove the copies of bots' folders."""
        self._folders.close()

    async def seat(self, stack: AsyncExitStack, bot: PathBot, name: str, group: str) -> StreamSeat:
        """The seat of a bot that is started for one match; it is gone when the stack is closed.

        Raises BotStartError, whose cause is the bot, and CageError, LogFolderError and OSError, whose cause is not.
        """
        if not bot.path.exists():
            raise BotStartError(f"bot {name}: there is no {bot.path}")
        program = await self._program(bot)
        if program is not None:
            try:
                return await self._caged(stack, program, name, group)
            except BotStartError as error:
                raise BotStartError(f"{error}\n{CAGE_HINT}") from error
            except CageStartError as error:
                self._without(str(error), error)
        process = await stack.enter_async_context(running(self._launcher, bot, name, group))
        seat = await self._launcher.seat(process)
        stack.callback(seat.release)
        stack.callback(asyncio.create_task(fail_when_dead(process, seat)).cancel)
        return seat

    async def _caged(self, stack: AsyncExitStack, program: Program, name: str, group: str) -> StreamSeat:
        cages = self._cages.get()
        limits = replace(cages.limits, start_s=self._launcher.start_s)
        output = self._launcher.output(name, group)
        started = await stack.enter_async_context(caged(cages, self._hub, program, name, limits, output))
        return started.seat()

    async def _program(self, bot: PathBot) -> Program | None:
        """The program to run in a cage; None where the bot runs uncaged. Raises BotStartError, NoCageError, OSError."""
        if self.confinement is Confinement.UNCAGED:
            return None
        try:
            self._cages.get()
            return await (asyncio.to_thread(program_at, bot.path) if bot.manifest is None else self._copy(bot.path))
        except RuntimeUnknownError as error:
            if self.confinement is Confinement.CAGED:
                raise BotStartError(str(error)) from error
            self._note(f"{bot.path.name} runs without a cage: {error}")
        except NoCageError as error:
            self._without(str(error), error)
        return None

    async def _copy(self, folder: Path) -> Program:
        """The program of a bot's folder, as it is when it is first needed: what a submission would hold of it.

        Raises BotStartError, RuntimeUnknownError, NoCageError, OSError.
        """
        async with self._unpacking:
            if folder not in self._unpacked:
                copy = self._folders.enter_context(scratch_folder()) / "bot"
                try:
                    content = await asyncio.to_thread(lambda: unpack(pack(folder).data, copy))
                except SubmissionError as error:
                    raise BotStartError(str(error)) from error
                self._unpacked[folder] = program_in(copy, content.manifest)
            return self._unpacked[folder]

    def _without(self, why: str, error: Exception) -> None:
        """Go on without cages where the confinement allows that."""
        if self.confinement is Confinement.CAGED:
            raise error
        self._cages.give_up(why)
        self.confinement = Confinement.UNCAGED
        self._note(f"bots run without a cage: {' '.join(why.split())}")

    def _note(self, line: str) -> None:
        if line not in self._noted:
            self._noted.add(line)
            log.warning("%s", line)
