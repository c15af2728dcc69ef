"""A node knows whether it can cage programs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.launcher.cage import seccomp
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.probe import probe

ROOT = Path(__file__).parents[2]
NOBODY = 65_534
UNPRIVILEGED = """\
import asyncio, os, sys
from pathlib import Path
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.probe import probe

async def main():
    cages = Cages()
    report = await probe(cages)
    cages.close()
    print(report.words())

asyncio.run(main())
"""


async def test_a_cage_that_holds_is_found_to_hold(cages: Cages) -> None:
    report = await probe(cages)
    assert report.works, report.why_not
    assert report.own_user == (os.geteuid() == 0)
    assert set(report.cgroups) == cages.cgroups.controllers - {"freeze"}


async def test_a_cage_without_a_filter_is_found_out(cages: Cages, monkeypatch: pytest.MonkeyPatch) -> None:
    allow_all = seccomp._line(0x06, 0x7FFF0000)
    monkeypatch.setattr(cages, "_filter", allow_all)
    report = await probe(cages)
    assert not report.works
    assert "user namespace: unshare succeeded" in report.why_not


async def test_bubblewrap_that_cannot_work_is_told_in_a_line(cages: Cages, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cages, "_binary", "/bin/false")
    report = await probe(cages)
    assert not report.works
    assert "bubblewrap ended with status 1" in report.why_not
    assert "\n" not in report.words()


def test_without_bubblewrap_there_are_no_cages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCageError, match="bubblewrap is not installed"):
        Cages()


def reachable(path: Path) -> bool:
    """Whether any user can search the way to it."""
    return all(parent.stat().st_mode & 0o001 for parent in path.resolve().parents)


def test_a_cage_holds_for_a_user_without_privileges(tmp_path: Path) -> None:
    if os.geteuid():
        return  # the other tests have shown it
    base = Path(sys.base_prefix)
    if not (reachable(base / "bin") and reachable(ROOT / "arena")):
        pytest.skip("not run: another user cannot reach this Python")
    done = subprocess.run(
        ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", sys.executable, "-c", UNPRIVILEGED],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("it holds; limits by limits of each process, frozen by signals")
