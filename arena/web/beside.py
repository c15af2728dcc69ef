"""The site in a process of its own beside a node: what readers ask for takes nothing of the time of its event loop."""

import asyncio
import contextlib
import logging
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from arena.processes import bound_to_parent, status_words

INHERITED = "fd="
"""Before the number of a socket that listens already, where `arena web` takes an address."""
NICE = 10
"""Where a node wants the same processor, the site gets about a tenth of it."""
_NICEST = 19
_STOP_S = 2.0
_FIRST_PAUSE_S = 1.0
_MAX_PAUSE_S = 5.0
"""How long after a process that died the next one is started: the longer, the more of them died soon."""

log = logging.getLogger(__name__)


@contextlib.asynccontextmanager
async def site_process(
    listening: socket.socket, data: Path, redis: str | None = None, config: Path | None = None
) -> AsyncIterator[None]:
    """`arena web` on the socket and the store of a Redis or a data folder until the end of the block, again if it dies.

    While there is no process, whoever connects waits in the socket's queue. To be entered in the main thread: the
    process ends with the thread that started it.
    """
    command = (sys.executable, "-P", "-c", "from arena.cli.app import main; main()", "web")
    options = ["--data", str(data), "--listen", f"{INHERITED}{listening.fileno()}"]
    if config is not None:
        options += ["--config", str(config)]
    # Everybody on the machine sees a command line, and a URL may hold a password.
    env = os.environ if redis is None else {**os.environ, "ARENA_REDIS": redis}
    keeping = asyncio.create_task(_keep((*command, *options), listening, env))
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.wait((keeping,))


async def _keep(command: Sequence[str], listening: socket.socket, env: Mapping[str, str]) -> None:
    pause_s = _FIRST_PAUSE_S
    while True:
        began = time.monotonic()
        try:
            why = status_words(await _run(command, listening, env))
        except OSError as error:
            why = f"cannot be started: {error}"
        log.error("the process of the pages %s; it is started again in %g s", why, pause_s)
        await asyncio.sleep(pause_s)
        lasted = time.monotonic() - began > _MAX_PAUSE_S + pause_s
        pause_s = _FIRST_PAUSE_S if lasted else min(2 * pause_s, _MAX_PAUSE_S)


async def _run(command: Sequence[str], listening: socket.socket, env: Mapping[str, str]) -> int:
    """Run it once; its exit status."""
    process = subprocess.Popen(  # noqa: S603, ASYNC220 - a program of the arena's own, which is not waited for here
        bound_to_parent(command, os.getpid()),
        stdin=subprocess.DEVNULL,
        pass_fds=(listening.fileno(),),
        env=env,
        # Ctrl-C in the terminal is for the node. In a session of its own NICE might count for nothing: see sched(7).
        process_group=0,
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, _NICEST))
    with ThreadPoolExecutor(1, "site-process") as waiter:
        end = asyncio.get_running_loop().run_in_executor(waiter, process.wait)
        try:
            return await asyncio.shield(end)
        except asyncio.CancelledError:
            process.terminate()
            if not (await asyncio.wait((end,), timeout=_STOP_S))[0]:
                process.kill()
            raise
