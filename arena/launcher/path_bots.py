"""Bots by path: in cages, or, where that was asked for, as programs with all rights of this process.

A bot that was to be caged is never run without: what cannot be caged is refused, whatever the reason.
"""

import asyncio
import re
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
    "it ran in a cage without a network, where it sees its own files, Python's standard library, arena.sdk, protobuf "
    "and NumPy alone; commands on one's own machine take --uncaged"
)
_LACKING = re.compile(
    "No module named|ImportError|cannot (open|load)|not found|No such file|Read-only|[Pp]ermi(ssion|tted)|Errno|signal"
)
"""What a bot says that wants something which its cage does not have."""
UNCAGED_HINT = "a bot of your own also plays without a cage, with all your rights: --uncaged"


class Confinement(StrEnum):
    """Where bots by path run."""

    CAGED = "caged"
    """In cages or not at all."""
    UNCAGED = "uncaged"
    """With all rights of this process, as `--uncaged` demands."""


class PathBots:
    """Starts bots by path, each for one match. What they write goes to the launcher's logs."""

    def __init__(self, hub: Hub, launcher: Launcher, confinement: Confinement, cages: SharedCages) -> None:
        self.confinement = confinement
        self._hub = hub
        self._launcher = launcher
        self._cages = cages
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
        if self.confinement is Confinement.UNCAGED:
            return await self._uncaged(stack, bot, name, group)
        try:
            program = await self._program(bot)
        except RuntimeUnknownError as error:
            # WebAssembly is played in a cage or not at all.
            hint = "" if bot.runtime == "wasm" else f"; {UNCAGED_HINT}"
            raise BotStartError(f"{error}{hint}") from error
        except NoCageError as error:
            raise NoCageError(
                f"bot {name} was not started, as nothing can be caged here: {error}; {UNCAGED_HINT}"
            ) from error
        try:
            return await self._caged(stack, program, name, group)
        except BotStartError as error:
            hint = f"\n{CAGE_HINT}" if _LACKING.search(str(error)) else ""
            raise BotStartError(f"{error}{hint}") from error
        except CageStartError as error:
            raise CageStartError(f"bot {name} was not started: {error}") from error.__cause__ or error

    async def _uncaged(self, stack: AsyncExitStack, bot: PathBot, name: str, group: str) -> StreamSeat:
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

    async def _program(self, bot: PathBot) -> Program:
        """The program to run in a cage. Raises BotStartError, RuntimeUnknownError, NoCageError, OSError."""
        self._cages.get()
        return await (asyncio.to_thread(program_at, bot.path) if bot.manifest is None else self._copy(bot.path))

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
