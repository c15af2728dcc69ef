"""Programs that the chaos run keeps running, whatever happens to them."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from preloaded import ARENA, Forked, start

sys.path.append(str(Path(__file__).parents[1] / "store"))
from store_servers import until

_PAUSE_S = 0.1
"""A program that cannot start must not be started all the time."""
_END_S = 20.0


@dataclass
class Kept:
    """A program that is started again whenever it ends, unless it is held. Its output goes to a file of its own."""

    name: str
    command: Sequence[str | Path]
    log: Path
    env: dict[str, str] = field(default_factory=dict)
    pids: list[int] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)
    """Those with which it ended, by a signal (which are negative) or by itself."""
    _process: "subprocess.Popen[bytes] | Forked | None" = None
    _keeper: asyncio.Task[None] | None = None
    _held: int = 0
    _free: asyncio.Event = field(default_factory=asyncio.Event)
    _waiting: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def start(self) -> None:
        """Start it, and again whenever it ends."""
        self._free.set()
        self._keeper = asyncio.create_task(self._keep())

    def hold(self) -> None:
        """Do not start it again from now on."""
        self._held += 1
        self._free.clear()

    def let_go(self) -> None:
        """Start it again, if nobody else holds it."""
        self._held -= 1
        if not self._held:
            self._free.set()

    def signal(self, number: signal.Signals) -> bool:
        """Send it a signal; False when it does not run just now."""
        pid = self.pid
        if pid is None:
            return False
        with suppress(ProcessLookupError):
            os.kill(pid, number)
            return True
        return False

    async def is_back(self, since: int) -> None:
        """Wait until another process of it runs than the one with this id."""

        def is_back() -> bool:
            if self._keeper is not None and self._keeper.done():
                self._keeper.result()  # nobody starts it any more, and this raises why
            return self.pid not in (None, since)

        await until(is_back, f"{self.name} runs again")

    async def _keep(self) -> None:
        while True:
            await self._free.wait()
            with self.log.open("ab") as log:
                self._process = self._started(log.fileno())
            self.pids.append(self._process.pid)
            status = await asyncio.get_running_loop().run_in_executor(self._waiting, self._process.wait)
            self.statuses.append(status)
            await asyncio.sleep(_PAUSE_S)

    def _started(self, log: int) -> "subprocess.Popen[bytes] | Forked":
        env = {**os.environ, **self.env}
        # What is loaded before Python reaches no fork of a process that is loaded already.
        if "LD_PRELOAD" not in self.env and (self.command[0] == ARENA or str(self.command[0]).endswith(".py")):
            return start(self.command, None, env, log, log)
        program = [sys.executable] if str(self.command[0]).endswith(".py") else []
        return subprocess.Popen(
            [*program, *map(str, self.command)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=env,
            cwd=self.log.parent,
            start_new_session=True,
        )

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    async def end(self) -> None:
        """Let it go: told to stop, killed if it does not."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        process = self._process
        if process is None:
            return
        process.send_signal(signal.SIGCONT)
        process.terminate()
        try:
            await asyncio.to_thread(process.wait, _END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            await asyncio.to_thread(process.wait)
