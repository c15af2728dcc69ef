"""No bot outlives a node that is killed, whenever that is, and whatever the bot does to hide."""

import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from arena.launcher.cage.cgroups import _kill_all

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).parent / "hostile/outlives.c"
DEADLINE_S = 10.0

# Starts six bots at once, begins each as soon as it is there, and is killed that many milliseconds after the first.
NODE = """\
import asyncio, os, signal, sys, threading
from pathlib import Path
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.program import BOT, Program
from arena.launcher.cage.runtimes import runtime

bot = Path(sys.argv[1])
delay_s = float(sys.argv[2])

async def start(cages):
    process = await cages.start(Program((f"{BOT}/{bot.name}",), runtime("native"), bot))
    process.go()
    await process.ended

async def main():
    cages = Cages()
    if "without" in sys.argv[3]:
        cages.cgroups.close()
    print("starts", flush=True)
    threading.Timer(delay_s, os.kill, (os.getpid(), signal.SIGKILL)).start()
    await asyncio.gather(*(start(cages) for _ in range(6)))

asyncio.run(main())
"""


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A program of a name that no other process has."""
    built = tmp_path / f"outlives{os.getpid() % 1_000_000}"
    subprocess.run(["gcc", "-O1", "-static", "-o", built, SOURCE], check=True)
    return built


def running(bot: Path) -> list[psutil.Process]:
    """What runs the program, by the name that the kernel has for it; one that has ended may wait for its parent."""
    named = [process for process in psutil.process_iter(["name", "status"]) if process.info["name"] == bot.name[:15]]
    return [process for process in named if process.info["status"] != psutil.STATUS_ZOMBIE]


@pytest.mark.parametrize("groups", ["with control groups", "without"])
def test_no_native_bot_outlives_a_node_that_is_killed_while_it_starts_them(bot: Path, groups: str) -> None:
    for delay_ms in range(2, 50, 4):
        command = [sys.executable, "-c", NODE, str(bot), str(delay_ms / 1000), groups]
        assert subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=False).returncode == -9
        deadline = time.monotonic() + DEADLINE_S
        while left := running(bot):
            assert time.monotonic() < deadline, f"killed after {delay_ms} ms, {len(left)} bots run on"
            psutil.wait_procs(left, 0.1)


def test_what_a_killed_node_left_in_a_control_group_is_killed_where_the_kernel_has_no_way_to_kill_a_group(
    tmp_path: Path,
) -> None:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        (tmp_path / "cgroup.procs").write_text(f"{process.pid}\n")  # as the kernel lists them
        _kill_all(tmp_path)
        assert process.wait(DEADLINE_S) == -9
