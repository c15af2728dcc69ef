"""Bots that this node starts as processes of their own."""

import asyncio
import contextlib
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from arena.processes import bound_to_parent
from arena.server.hub import Hub
from arena.server.identity import BotIdentity, MemoryTokens
from arena.worker.errors import BotStartError
from arena.worker.sources import HouseBot, PathBot

START_S = 30.0
"""How long a bot may take from its start to its Hello."""
END_S = 5.0
"""How long a bot may take from Goodbye to its end before it is killed."""
_TAIL_BYTES = 2_000
_SHORT_LIFE_S = 5.0
_SHORT_LIVES = 5
_FIRST_PAUSE_S = 0.1

log = logging.getLogger(__name__)


class BotProcess:
    """One running program of a bot, connected to this node under a name that nobody else can have."""

    def __init__(self, name: str, process: asyncio.subprocess.Process, output: Path) -> None:
        self.name = name
        self.process = process
        self._output = output

    def last_words(self) -> str:
        """The end of what it wrote, for an error's text."""
        with self._output.open("rb") as file:
            file.seek(max(0, self._output.stat().st_size - _TAIL_BYTES))
            return file.read().decode("utf-8", "replace").strip()

    async def end(self) -> None:
        """Ask it to end, kill it if it does not."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()
            try:
                async with asyncio.timeout(END_S):
                    await self.process.wait()
            except TimeoutError:
                log.warning("bot %s did not end when it was told to; killing it", self.name)
                with contextlib.suppress(ProcessLookupError):
                    self.process.kill()
                await self.process.wait()


class Launcher:
    """Starts bots against this node's own address. Their output goes to files of `folder`, one a bot's name."""

    def __init__(self, hub: Hub, tokens: MemoryTokens, address: str, folder: Path, start_s: float = START_S) -> None:
        self._hub = hub
        self._tokens = tokens
        self._address = address
        self._folder = folder
        self._start_s = start_s
        folder.mkdir(parents=True, exist_ok=True)

    async def start(self, bot: HouseBot | PathBot, label: str, *, name: str | None = None) -> BotProcess:
        """Start a bot and wait for its Hello; `label` names it for people, `name` (by default a new one) at the hub.

        Raises BotStartError.
        """
        # A tilde stands in no registered name, so the name cannot be taken by, or for, somebody else's bot.
        name = name or f"{label}~{secrets.token_hex(4)}"
        token = self._tokens.issue(BotIdentity(name=name, stateless=isinstance(bot, HouseBot)))
        output = self._folder / f"{label}.log"
        with output.open("ab") as file:
            process = await asyncio.create_subprocess_exec(
                *bound_to_parent(bot.command(), os.getpid()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                env={**os.environ, "ARENA_ADDRESS": self._address, "ARENA_TOKEN": token},
                start_new_session=True,
            )
        started = BotProcess(name, process, output)
        try:
            await self._connected(started, label)
        except BaseException:
            await started.end()
            raise
        return started

    async def _connected(self, bot: BotProcess, label: str) -> None:
        """Wait until the bot has said Hello; BotStartError when it ends before, or takes too long."""
        hello = asyncio.ensure_future(self._hub.wait_until(lambda: self._hub.connected(bot.name), self._start_s))
        death = asyncio.ensure_future(bot.process.wait())
        try:
            await asyncio.wait({hello, death}, return_when=asyncio.FIRST_COMPLETED)
            if hello.done() and hello.result():
                return
            if death.done():
                what = f"ended with status {death.result()} before it connected"
            else:
                what = f"did not connect within {self._start_s:g} s"
            raise BotStartError(f"bot {label} {what}:\n{bot.last_words() or '(it wrote nothing)'}")
        finally:
            hello.cancel()
            death.cancel()


class KeptBot:
    """A house bot that is kept running: started anew under the same name when it dies, so that its matches go on."""

    def __init__(self, launcher: Launcher, bot: HouseBot, label: str) -> None:
        self._launcher = launcher
        self._bot = bot
        self._label = label
        self.name = f"{label}~{secrets.token_hex(4)}"
        self._failure: BotStartError | None = None
        self._first = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep())

    async def ready(self) -> None:
        """Wait for the first start. Raises BotStartError when the bot cannot be started, now or any more."""
        await asyncio.shield(self._first)
        if self._failure is not None:
            raise self._failure

    async def end(self) -> None:
        """End the bot for good."""
        self._keeper.cancel()
        await asyncio.gather(self._keeper, return_exceptions=True)

    async def _keep(self) -> None:
        short_lives = 0
        while True:
            began = time.monotonic()
            try:
                process = await self._launcher.start(self._bot, self._label, name=self.name)
            except BotStartError as error:
                short_lives += 1
                log.warning("%s", error)
                if short_lives >= _SHORT_LIVES or not self._first.done():
                    self._failure = error
                    self._started()
                    return
            else:
                self._started()
                try:
                    status = await process.process.wait()
                finally:
                    await process.end()
                short_lives = short_lives + 1 if time.monotonic() - began < _SHORT_LIFE_S else 0
                log.warning("bot %s ended with status %s and is started again", self._label, status)
            await asyncio.sleep(_FIRST_PAUSE_S * 2**short_lives)

    def _started(self) -> None:
        if not self._first.done():
            self._first.set_result(None)


@asynccontextmanager
async def running(launcher: Launcher, bot: HouseBot | PathBot, label: str) -> AsyncIterator[BotProcess]:
    """A bot for one match, ended afterwards. Raises BotStartError."""
    process = await launcher.start(bot, label)
    try:
        yield process
    finally:
        await process.end()
