"""Whether this node can cage programs, found out by really trying to break out."""

import asyncio
import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from msgspec import Struct

from arena.launcher.cage.cages import Cages
from arena.launcher.cage.cgroups import FREEZE
from arena.launcher.cage.ending import Cause
from arena.launcher.cage.errors import CageError
from arena.launcher.cage.process import CagedProcess
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import lacking, runtime
from arena.scratch import scratch_folder

_SECONDS = 30.0
_PROGRAM = Path(__file__).with_name("escape.py")
_MOST_BYTES = 1 << 16


class CageReport(Struct, frozen=True):
    """Whether programs can be caged here, and by what their limits are kept."""

    works: bool
    why_not: str = ""
    """One line; empty where it works."""
    cgroups: tuple[str, ...] = ()
    """The controllers that limit cages: of `memory`, `pids` and `cpu`."""
    freezes_by_cgroup: bool = False
    own_user: bool = False
    """Whether each cage runs as a user of its own, other than the node's."""
    lacking: tuple[str, ...] = ()
    """Why runtimes are not offered here, a line for each."""

    def summary(self) -> str:
        """The report in a line, for people."""
        if not self.works:
            return f"no cage: {self.why_not}"
        kept = f"control groups ({', '.join(self.cgroups)})" if self.cgroups else "limits of each process"
        frozen = "a control group" if self.freezes_by_cgroup else "signals"
        user = "a user of its own" if self.own_user else "this user"
        parts = (f"it holds; limits by {kept}, frozen by {frozen}, each program as {user}", *self.lacking)
        return "; ".join(parts)


async def probe(cages: Cages) -> CageReport:
    """Run a program that tries to get out of a cage, and see what it got."""
    try:
        got = await _escape(cages)
    except CageError as error:
        return CageReport(False, " ".join(str(error).split()))
    if got:
        return CageReport(
            False, "the cage does not hold: " + "; ".join(f"{name}: {what}" for name, what in got.items())
        )
    controllers = cages.cgroups.controllers
    return CageReport(
        True,
        cgroups=tuple(sorted(controllers - {FREEZE})),
        freezes_by_cgroup=FREEZE in controllers,
        own_user=not os.geteuid(),
        lacking=tuple(lacking().values()),
    )


async def _escape(cages: Cages) -> dict[str, str]:
    """What the program got. Raises CageError when it could not be run."""
    with _baits() as baits:
        program = Program(("/usr/bin/python", f"{BOT}/{_PROGRAM.name}", *baits), runtime("python"), _PROGRAM)
        process = await cages.start(program)
        process.go()
        try:
            return await _told(process)
        finally:
            await process.close()


async def _told(process: CagedProcess) -> dict[str, str]:
    try:
        async with asyncio.timeout(_SECONDS):
            ending = await asyncio.shield(process.ended)
    except TimeoutError:
        process.kill(Cause.SILENT, f"did not end within {_SECONDS:g} s")
        ending = await process.ended
    if ending.status != 0:
        raise CageError(ending.text("probe"))
    report: dict[str, str] = json.loads(os.read(process.stdout, _MOST_BYTES))
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
