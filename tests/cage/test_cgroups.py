"""Control groups of a process, without cages."""

import os
import select
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prerequisites import not_run

from arena.launcher.cage import cgroups
from arena.launcher.cage.cgroups import Cgroups, hierarchies
from arena.launcher.cage.limits import CageLimits
from arena.scratch import lock_folder


@pytest.fixture
def groups() -> Cgroups:
    found = Cgroups.detected()
    if not found.controllers:
        not_run("this process may not make control groups")
    return found


@pytest.fixture
def child(groups: Cgroups) -> "Iterator[subprocess.Popen[bytes]]":
    """A process in a group that is given up."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        group = groups.group(CageLimits())
        group.add(child.pid)
        groups.release(group)
        yield child
        child.kill()


def group_for_processors(groups: Cgroups, limits: CageLimits, *, single_threaded: bool) -> Path:
    """The folder of the group in which a process of a cage takes its share of the processors."""
    hierarchy = next((one for one in hierarchies() if "cpu" in one.controllers), None)
    if hierarchy is None or "cpu" not in groups.controllers:
        not_run("this process may not share out processors")
    group = groups.group(limits, single_threaded=single_threaded)
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        group.add(child.pid)
        holding = [file for file in hierarchy.folder.rglob("cgroup.procs") if f"{child.pid}\n" in file.read_text()]
        child.kill()
    groups.release(group)
    return holding[0].parent


def is_left() -> bool:
    return any((hierarchy.folder / f"hanafuda-arena-{os.getpid()}").exists() for hierarchy in hierarchies())


@pytest.mark.parametrize(
    ("limits", "single_threaded"),
    [(CageLimits(), False), (CageLimits(processors=0.5), True), (CageLimits().aside(), True)],
    ids=["threads", "half a processor", "aside"],
)
def test_a_program_that_could_take_more_than_its_share_of_the_processors_has_a_group_that_limits_it(
    groups: Cgroups, limits: CageLimits, single_threaded: bool
) -> None:
    assert group_for_processors(groups, limits, single_threaded=single_threaded).name.startswith("cage-")
    groups.close()
    assert not is_left()


def test_the_memory_of_a_cage_is_not_swapped_out(groups: Cgroups) -> None:
    hierarchy = next((one for one in hierarchies() if "memory" in one.controllers), None)
    if hierarchy is None or "memory" not in groups.controllers:
        not_run("this process may not limit memory")
    group = groups.group(CageLimits())
    file = "memory.swappiness" if hierarchy.version == 1 else "memory.swap.max"
    settings = [path.read_text() for path in hierarchy.folder.glob(f"hanafuda-arena-{os.getpid()}/cage-*/{file}")]
    groups.release(group)
    groups.close()
    assert settings == ["0\n"]


def test_a_single_threaded_program_is_woken_without_accounts_of_its_own(groups: Cgroups) -> None:
    folder = group_for_processors(groups, CageLimits(), single_threaded=True)
    limit = folder / ("cpu.max" if (folder / "cpu.max").exists() else "cpu.cfs_quota_us")
    assert limit.read_text().split()[0] in ("max", "-1")
    if limit.name == "cpu.cfs_quota_us":
        assert folder.name == f"hanafuda-arena-{os.getpid()}"
    groups.close()
    assert not is_left()


def test_groups_are_removed_though_a_process_ends_only_then(
    groups: Cgroups,
    child: "subprocess.Popen[bytes]",
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def select_once_it_is_killed(*arguments: Any) -> Any:
        child.kill()
        return select.select(*arguments)

    monkeypatch.setattr(cgroups, "_select", select_once_it_is_killed)
    groups.close()
    assert caplog.messages == []
    assert not is_left()


def test_a_process_gets_its_group_though_another_one_looks_at_it_or_removes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hierarchy = next((one for one in hierarchies() if os.access(one.folder, os.W_OK)), None)
    if hierarchy is None:
        not_run("this process may not make control groups")
    own = hierarchy.folder / f"hanafuda-arena-{os.getpid()}"
    done = []

    def swept_before_it_is_locked(folder: Path) -> int | None:
        if folder == own and "removed" not in done:
            done.append("removed")
            folder.rmdir()
        elif folder == own and "held" not in done:
            done.append("held")
            held.append(lock_folder(folder))
        return lock_folder(folder)

    def released(_: float) -> None:
        if held:
            done.append("released")
            os.close(held.pop())

    held: list[int | None] = []
    monkeypatch.setattr(cgroups, "lock_folder", swept_before_it_is_locked)
    monkeypatch.setattr(cgroups, "_sleep", released)
    Cgroups.detected().close()
    assert done == ["removed", "held", "released"]
    assert not is_left()


def test_a_process_that_does_not_end_keeps_its_group_and_is_reported(
    groups: Cgroups, child: "subprocess.Popen[bytes]", caplog: pytest.LogCaptureFixture
) -> None:
    groups.close()
    assert "cannot be removed: processes are still ending in it" in caplog.text
    assert is_left()
    child.kill()
    child.wait()
    Cgroups.detected().close()
    assert not is_left()
