"""Where the processor time of a start goes: `python -m benchmarks.start_time`.

Milliseconds of processor time, not of the clock, for a Python bot that is started, says Hello, and is ended: of the
node's process, of bubblewrap, of the fork server, and of the bot that it forks. Each is the least of several rounds:
whatever else the machine does adds to it. Where bots are not forked, bubblewrap's time has the bot's in it.
"""

import resource
import tempfile
import time
from dataclasses import astuple, dataclass, replace
from pathlib import Path

import psutil
import uvloop

from arena.bench import Result, cage, lines
from arena.launcher.cage.bot import caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import Program
from arena.node.process import tune_process
from arena.stream.hub import Hub


@dataclass(frozen=True)
class _Used:
    """Seconds that each has used until now."""

    node: float
    bubblewrap: float
    fork_server: float
    bots: float

    @classmethod
    def now(cls) -> "_Used":
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        servers = [child.cpu_times() for child in psutil.Process().children(recursive=True) if "python" in child.name()]
        return cls(
            time.process_time(),
            ended.ru_utime + ended.ru_stime,
            sum(server.user + server.system for server in servers),
            sum(server.children_user + server.children_system for server in servers),
        )


def measure(starts: int = 100, rounds: int = 5) -> list[Result]:
    """Measure for so many `rounds` of `starts` each. Raises NoCageError where nothing can be caged."""
    with tempfile.TemporaryDirectory(prefix="start-") as folder:
        path = Path(folder) / "bot.py"
        path.write_text(cage.PYTHON_BOT)
        rows = uvloop.run(_measure(replace(cage.python(path), frozen=True), starts, rounds))
    names = ("node", "bubblewrap", "fork_server", "bot")
    return [
        Result(f"start_time.{name}", min(column) * 1e3 / starts, "ms")
        for name, column in zip(names, zip(*rows, strict=True), strict=True)
    ]


async def _measure(program: Program, starts: int, rounds: int) -> list[tuple[float, ...]]:
    """Seconds that each used in each round."""
    tune_process()
    cages = Cages()
    rows = []
    try:
        await _start(cages, program)  # the fork server, and copies of the runtime's files
        for _ in range(rounds):
            before = astuple(_Used.now())
            for _ in range(starts):
                await _start(cages, program)
            ended = astuple(_Used.now())
            rows.append(tuple(late - early for late, early in zip(ended, before, strict=True)))
    finally:
        cages.close()
    return rows


async def _start(cages: Cages, program: Program) -> None:
    async with caged(cages, Hub(), program, "bot"):
        pass


if __name__ == "__main__":
    print(*lines(measure()), sep="\n")
