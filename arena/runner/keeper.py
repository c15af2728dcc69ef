"""Keeps a bot's program running at its arena."""

import asyncio
import contextlib
import logging
import os
import signal
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.printable import last_lines
from arena.processes import bound_to_parent, status_words, without_hello
from arena.remote.client import Client
from arena.runner.calls import Challenger, Entering
from arena.runner.piped import command_of, hello_of
from arena.runner.program_log import ProgramLog
from arena.runner.relay import Relay, serving
from arena.runner.rules import Rules
from arena.sdk.connection import Endpoint
from hanafuda.arena.v1 import match_pb2

_log = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.5
MAX_PAUSE_S = 60.0
_CHUNK_BYTES = 1 << 16
_LAST_WORDS_S = 1.0
END_S = 5.0
"""How long the program may take to end when it has been asked to."""


class KeeperError(Exception):
    """The bot cannot be kept running; the text says why, and what to do."""


class Keeper:
    """Starts the program, again whenever it ends, and lets it play through a relay that holds to the rules."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path | None,
        endpoint: Endpoint,
        rules: Rules,
        logs: Path,
        say: Callable[[str], None],
    ) -> None:
        self._command = command
        self._folder = folder
        self._is_piped = False
        """Whether the program speaks over its standard input and output."""
        self._log = ProgramLog(logs / "program.log")
        self._say = say
        self._stopping = asyncio.Event()
        self._process: asyncio.subprocess.Process | None = None
        self.relay = Relay(endpoint, rules, logs, say, self._sent)
        standing = self.relay.standing
        self._challenger = Challenger(endpoint, rules, standing, say)
        self._entering = Entering(endpoint, rules, standing, say)

    async def run(self) -> None:
        """Play until `stop`; KeeperError when the arena does not want the bot, or its program cannot be started."""
        with tempfile.TemporaryDirectory(prefix="arena-run-") as folder:
            os.chmod(folder, 0o700)
            async with serving(self.relay, Path(folder)) as address:
                others = [asyncio.create_task(work) for work in (self._challenger.run(), self._entering.run())]
                for task in others:
                    task.add_done_callback(self._report_error)
                try:
                    await self._keep(address)
                finally:
                    for task in others:
                        task.cancel()
                    await asyncio.gather(*others, return_exceptions=True)

    def _report_error(self, task: asyncio.Task[None]) -> None:
        """Say that a task ended by an error that nobody foresaw; the bot plays on without it."""
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("it sends no challenges, or enters no leagues, any more", exc_info=error)
            self._say(f"it sends no challenges, or enters no leagues, any more: {type(error).__name__}: {error}")

    async def _sent(self, match_id: str) -> bool:
        return await self._challenger.sent(match_id)

    async def challenge(self, client: Client, wanted: match_pb2.CreateMatchRequest) -> match_pb2.Match:
        """Have the bot challenge others, once it is connected. Raises RemoteError."""
        return await self._challenger.challenge(client, wanted)

    async def stop(self) -> None:
        """Take no new matches; `run` ends when those under way are over."""
        self._stopping.set()
        if self.relay.standing.connected.is_set():
            await self.relay.drain()
        else:
            self._end_program()

    def kill(self) -> None:
        """Leave at once, with matches under way."""
        self._stopping.set()
        self._end_program(signal.SIGKILL)

    def _end_program(self, number: int = signal.SIGTERM) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def _keep(self, address: str) -> None:
        pause, has_connected = FIRST_PAUSE_S, False
        while not self._stopping.is_set():
            self.relay.standing.bot = ""
            status = await self._play(address)
            if self.relay.standing.refusal:
                raise KeeperError(f"the arena does not take the bot: {self.relay.standing.refusal}")
            if self._stopping.is_set():
                return
            is_connected = bool(self.relay.standing.bot)
            has_connected |= is_connected
            output = last_lines(self._log.tail) or "(it wrote nothing)"
            if not (has_connected or self._is_piped) and (hello := hello_of(self._log.tail)) is not None:
                self._is_piped = True
                self._command = command_of(hello, self._command)
                self._say("the program speaks over its standard input and output: one is started for each match")
                continue
            if not has_connected:
                raise KeeperError(f"the program {status_words(status)} {without_hello(status)}:\n{output}")
            pause = FIRST_PAUSE_S if is_connected else min(pause * 2, MAX_PAUSE_S)
            self._say(f"the program {status_words(status)}; it is started again in {pause:g} s:\n{output}")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stopping.wait()

    async def _play(self, address: str) -> int:
        """Start the program and wait for its end; its exit status."""
        env = {**os.environ, "ARENA_ADDRESS": address, "ARENA_TOKEN": self.relay.token}
        for name in ("ARENA_TLS", "ARENA_TLS_CA", "ARENA_SERVER"):
            env.pop(name, None)
        try:
            self._log.begin()
            self._process = await asyncio.create_subprocess_exec(
                *bound_to_parent(self._command, os.getpid()),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                env=env,
                cwd=self._folder,
                start_new_session=True,
            )
        except OSError as error:
            raise KeeperError(f"{error.filename or self._command[0]}: {error.strerror}") from error
        reading = asyncio.create_task(self._read(self._process.stdout))
        try:
            return await self._process.wait()
        finally:
            self._end_program()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(END_S):
                    await self._process.wait()
            self._end_program(signal.SIGKILL)
            with contextlib.suppress(TimeoutError):  # a process of its own may keep its output open
                async with asyncio.timeout(_LAST_WORDS_S):
                    await reading

    async def _read(self, output: asyncio.StreamReader | None) -> None:
        """Log what the program writes, to its end."""
        assert output is not None
        is_kept = True
        while data := await output.read(_CHUNK_BYTES):
            if not self._log.write(data) and is_kept:
                is_kept = False
                self._say(f"what the program writes cannot be kept in {self._log.file}")
