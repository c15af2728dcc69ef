"""A node knows whether it can cage programs."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from arena.launcher.cage import seccomp
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.probe import probe
from arena.scratch import scratch_folder

ROOT = Path(__file__).parents[2]
NOBODY = 65_534
UNPRIVILEGED = """\
import asyncio, os, sys
from pathlib import Path
import arena.launcher.cage, arena.metrics, arena.seats  # what is compiled is installed beside the packages
for package in (arena.launcher.cage, arena.metrics, arena.seats):
    package.__path__.append(sys.path[2] + "/" + package.__name__.replace(".", "/"))
from arena.launcher.cage import cages
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.probe import probe
cages._FIRST = Path(sys.path[2]) / "arena/launcher/cage"

async def main():
    cages = Cages()
    held_by = await probe(cages)
    cages.close()
    print(held_by)

asyncio.run(main())
"""


async def test_a_cage_that_holds_is_found_to_hold(cages: Cages) -> None:
    held_by = await probe(cages)
    assert held_by.startswith("it holds; ")
    assert ("each program as a user of its own" in held_by) == (os.geteuid() == 0)
    if limiting := sorted(cages.cgroups.controllers - {"freeze"}):
        assert f"limits by control groups ({', '.join(limiting)}), " in held_by
    else:
        assert "limits by process, of which a bot has one, " in held_by


async def test_a_cage_without_a_filter_is_found_out(cages: Cages, monkeypatch: pytest.MonkeyPatch) -> None:
    allow_all = seccomp._line(0x06, 0x7FFF0000)
    monkeypatch.setattr(cages, "_filters", dict.fromkeys(cages._filters, allow_all))
    with pytest.raises(NoCageError, match="user namespace: unshare succeeded"):
        await probe(cages)


async def test_bubblewrap_that_cannot_work_is_told_in_a_line(cages: Cages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cages, "_binary", "/bin/false")
    with pytest.raises(NoCageError, match="bubblewrap ended with status 1") as caught:
        await probe(cages)
    assert "\n" not in str(caught.value)


def test_without_bubblewrap_there_are_no_cages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCageError, match="bubblewrap is not installed"):
        Cages()


# Refuses what a kernel before Linux 5.0 does not know, or a container's own filter does not let through.
WITHOUT_QUESTIONS = """\
import asyncio, ctypes
from arena.launcher.cage import fork_server, seccomp
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.probe import probe

line, own = seccomp._line, seccomp.machine_of()
rules = b"".join([
    line(0x20, 0), line(0x15, own.seccomp, 0, 3), line(0x20, 24), line(0x15, 8, 0, 1), line(0x06, 0x00050016),
    line(0x06, 0x7FFF0000),
])
assert fork_server._libc.prctl(22, 2, ctypes.byref(fork_server._Filter(len(rules) // 8, rules)), 0, 0) == 0

async def main():
    cages = Cages()
    for _ in range(2):
        try:
            print(await probe(cages))
        except NoCageError as error:
            print(error)
        cages.fork_servers.close()
    cages.close()

asyncio.run(main())
"""


def test_a_kernel_that_does_not_ask_about_calls_has_no_cage_and_says_so(as_root: None) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_QUESTIONS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    asks = (
        "to have the kernel ask about calls (SECCOMP_FILTER_FLAG_NEW_LISTENER, Linux 5.5 or later) failed with error 22"
    )
    forked, afresh = done.stdout.splitlines()
    assert asks in forked
    assert asks in afresh


# Makes folders of this machine reachable for a program of another user, by mounts that nobody else sees.
MOUNT = """\
set -e
while [ "$1" != -- ]; do mkdir -m 755 "$2"; mount -o bind,ro "$1" "$2"; shift 2; done
shift
exec "$@"
"""


def test_a_cage_holds_for_a_user_without_privileges() -> None:
    if os.geteuid():
        return  # the other tests have shown it
    with scratch_folder() as folder:
        folder.chmod(0o755)
        sources = [Path(sys.base_prefix), Path(sysconfig.get_path("purelib")), ROOT]
        python, packages, root = seen = [folder / "python", folder / "packages", folder / "root"]
        mounts = [str(path) for pair in zip(sources, seen, strict=True) for path in pair]
        program = [python / "bin" / Path(sys._base_executable).resolve().name, "-c", UNPRIVILEGED]
        done = subprocess.run(
            [
                *("unshare", "--mount", "--propagation", "private", "sh", "-c", MOUNT, "sh", *mounts, "--"),
                *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *program),
            ],
            cwd="/",
            env={"PATH": os.environ["PATH"], "PYTHONPATH": f"{root}:{packages}"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("it holds; limits by process, of which a bot has one, frozen by signals")


READ_ONLY_GROUPS = """\
for place in $(awk '$3 ~ /^cgroup/ { print $2 }' /proc/mounts); do
  mount -o bind "$place" "$place"
  mount -o remount,bind,ro "$place"
done
exec "$@"
"""


def test_a_cage_holds_where_control_groups_are_read_only_as_in_a_container() -> None:
    if os.geteuid():
        return  # nobody else could make them so
    arena = Path(sys.executable).parent / "arena"
    doctor = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "sh", "-c", READ_ONLY_GROUPS, "sh", arena, "doctor"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert doctor.returncode == 0, doctor.stdout + doctor.stderr
    assert "cage for bots: it holds; limits by process, of which a bot has one" in doctor.stdout
