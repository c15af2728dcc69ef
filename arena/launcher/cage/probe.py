"""Whether this node can cage programs, found out by really trying to break out."""

import asyncio
import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.cgroups import FREEZE
from arena.launcher.cage.errors import CageError, NoCageError
from arena.launcher.cage.process import CagedProcess
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import lacking, runtime
from arena.scratch import scratch_folder

_SECONDS = 30.0
_PROGRAM = Path(__file__).with_name("escape.py")
_MAX_BYTES = 1 << 16


async def probe(cages: Cages) -> str:
    """Run a program that tries to get out of a cage. Returns in a line by what the limits of cages are kept.

    Raises NoCageError where the program got something, or could not be run.
    """
    try:
        got = await _escape(cages)
    except CageError as error:
        raise NoCageError(" ".join(str(error).split())) from error
    if got:
        raise NoCageError("the cage does not hold: " + "; ".join(f"{name}: {what}" for name, what in got.items()))
    limiting = sorted(cages.cgroups.controllers - {FREEZE})
    groups = [f"control groups ({', '.join(limiting)})"] if limiting else []
    by_process = [] if "memory" in limiting else ["by process, of which a bot has one"]
    enforcers = " and ".join([*(f"by {group}" for group in groups), *by_process])
    frozen = "a control group" if FREEZE in cages.cgroups.controllers else "signals"
    user = "this user" if os.geteuid() else "a user of its own"
    parts = (f"it holds; limits {enforcers}, frozen by {frozen}, each program as {user}", *lacking().values())
    return "; ".join(parts)


async def _escape(cages: Cages) -> dict[str, str]:
    """Return what the program got. Raises CageError when it could not be run."""
    with _baits() as baits:
        program = Program(("/usr/bin/python", f"{BOT}/{_PROGRAM.name}", *baits), runtime("python"), _PROGRAM)
        process = await cages.start(program)
        process.go()
        try:
            return await _report(process)
        finally:
            await process.close()


async def _report(process: CagedProcess) -> dict[str, str]:
    try:
        async with asyncio.timeout(_SECONDS):
            ending = await asyncio.shield(process.ended)
    except TimeoutError:
        process.kill(f"did not end within {_SECONDS:g} s")
        ending = await process.ended
    if ending.status != 0:
        raise CageError(ending.text("probe"))
    report: dict[str, str] = json.loads(os.read(process.stdout, _MAX_BYTES))
    return report


@contextmanager
def _baits() -> Iterator[tuple[str, ...]]:
    """What a program outside of a cage could get: a file, an abstract socket, a port, and this process."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        folder.chmod(0o755)
        file = folder / "secret"
        file.write_text("secret")
        name = f"hanafuda-bait-{secrets.token_hex(8)}"
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{name}")
        abstract.listen()
        port = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        yield str(file), name, str(port.getsockname()[1]), str(os.getpid())
