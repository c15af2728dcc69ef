"""Bots that this node starts as processes of their own."""

import asyncio
import contextlib
import logging
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.launcher.errors import BotStartError, LogFolderError
from arena.launcher.sources import HouseBot, PathBot
from arena.match.model import End
from arena.printable import last_lines
from arena.processes import bound_to_parent, status_words, without_hello
from arena.rpc.identity import BotIdentity, MemoryTokens
from arena.seats.stream import StreamSeat
from arena.stream.hub import Hub

START_S = 30.0
"""How long a bot may take from its start to its Hello."""
END_S = 2.0
"""How long a bot may take from SIGTERM to its end before it is killed."""
_TAIL_BYTES = 2_000

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BotProcess:
    """One running program of a bot, connected to this node under a name that nobody else can have.

    What it writes is in the file `output`, from the place `start` on.
    """

    name: str
    label: str
    process: asyncio.subprocess.Process
    output: Path
    start: int

    def last_output(self) -> str:
        """The last lines that it wrote, without what could steer a terminal, for an error's text."""
        with self.output.open("rb") as file:
            file.seek(max(self.start, self.output.stat().st_size - _TAIL_BYTES))
            return last_lines(file.read())

    async def exit_report(self, when: str = "") -> str:
        """Wait until it has ended; returns how and `when` it did, with its last output, for an error's text.

        By default that was before its Hello.
        """
        status = await self.process.wait()
        when = when or without_hello(status)
        return f"bot {self.label} {status_words(status)} {when}:\n{self.last_output() or '(it wrote nothing)'}"

    async def end(self) -> None:
        """Ask it to end, kill it if it does not."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()
            try:
                async with asyncio.timeout(END_S):
                    await self.process.wait()
            except TimeoutError:
                log.warning("bot %s did not end when it was asked to, and is killed", self.label)
                with contextlib.suppress(ProcessLookupError):
                    self.process.kill()
                await self.process.wait()


def log_of(folder: Path, group: str, label: str) -> Path:
    """The file below a folder of logs to which a bot's output goes."""
    return folder / group.replace(":", "-") / f"{label}.log"


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LogFolderError(f"folder {folder}: {error.strerror}") from error


class Launcher:
    """Starts bots against this node's own address. Their output goes to `folder`, by group and by a bot's name.

    Raises LogFolderError when there cannot be such a folder.
    """

    def __init__(self, hub: Hub, tokens: MemoryTokens, address: str, folder: Path, start_s: float = START_S) -> None:
        self.hub = hub
        self._tokens = tokens
        self._address = address
        self._folder = folder
        self.start_s = start_s
        _make_folder(folder)

    def output(self, label: str, group: str = "") -> Path:
        """The file to which a bot's output is appended; its folder is made. A group is a league or a match.

        Raises LogFolderError.
        """
        file = log_of(self._folder, group, label)
        _make_folder(file.parent)
        return file

    async def start(
        self, bot: HouseBot | PathBot, label: str, *, group: str = "", name: str | None = None
    ) -> BotProcess:
        """Start a bot and wait for its Hello; `label` names it for people, `name` (by default a new one) at the hub.

        Raises BotStartError, LogFolderError.
        """
        if isinstance(bot, PathBot) and bot.runtime == "wasm":
            raise BotStartError(f"bot {label} is WebAssembly, which is played in a cage, and here there is none")
        # A tilde stands in no registered name, so the name cannot be taken by, or for, somebody else's bot.
        name = name or f"{label}~{secrets.token_hex(4)}"
        token = self._tokens.issue(BotIdentity(name))
        # A house bot plays thousands of matches: a line for each would help nobody.
        quiet = {"ARENA_QUIET": "1"} if isinstance(bot, HouseBot) else {}
        output = self.output(label, group)
        with output.open("ab") as file:
            start = file.tell()
            process = await asyncio.create_subprocess_exec(
                *bound_to_parent(bot.command(), os.getpid()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env={**os.environ, **quiet, "ARENA_ADDRESS": self._address, "ARENA_TOKEN": token},
                start_new_session=True,
                cwd=None if isinstance(bot, HouseBot) else bot.folder,
            )
        started = BotProcess(name, label, process, output, start)
        try:
            await self._connected(started)
        except BaseException:
            await started.end()
            raise
        return started

    async def seat(self, bot: BotProcess) -> StreamSeat:
        """A seat of a bot that was started. If its connection is already lost, it has as long again to come back.

        Raises BotStartError.
        """
        while not self.hub.connected(bot.name):
            await self._connected(bot, "before its match began")
        return self.hub.seat(bot.name)

    async def _connected(self, bot: BotProcess, when: str = "") -> None:
        """Wait until the bot has said Hello; BotStartError when it ends before, or takes too long."""
        hello = asyncio.ensure_future(self.hub.wait_until(lambda: self.hub.connected(bot.name), self.start_s))
        death = asyncio.ensure_future(bot.exit_report(when))
        try:
            await asyncio.wait({hello, death}, return_when=asyncio.FIRST_COMPLETED)
            if hello.done() and hello.result():
                return
            if death.done():
                raise BotStartError(death.result())
            output = bot.last_output() or "(it wrote nothing)"
            raise BotStartError(f"bot {bot.label} did not connect within {self.start_s:g} s:\n{output}")
        finally:
            hello.cancel()
            death.cancel()


async def fail_when_dead(bot: BotProcess, seat: StreamSeat) -> None:
    """Fail the seat when the process ends: it does not come back, so the match need not wait for that."""
    seat.fail(End.BOT_ERROR, await bot.exit_report("in the middle of the match"))


@asynccontextmanager
async def running(
    launcher: Launcher, bot: HouseBot | PathBot, label: str, group: str = ""
) -> AsyncIterator[BotProcess]:
    """A bot for one match, ended afterwards. Raises what Launcher.start raises."""
    process = await launcher.start(bot, label, group=group)
    try:
        yield process
    finally:
        await process.end()
