"""Control groups of a process, without cages."""

import os
import select
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from prerequisites import not_run

from arena.launcher.cage import cgroups
from arena.launcher.cage.cgroups import Cgroups, hierarchies
from arena.launcher.cage.limits import CageLimits


@pytest.fixture
def groups() -> Cgroups:
    found = Cgroups.found()
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


def is_left() -> bool:
    return any((one.folder / f"hanafuda-arena-{os.getpid()}").exists() for one in hierarchies())


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


def test_a_process_that_does_not_end_keeps_its_group_and_is_reported(
    groups: Cgroups, child: "subprocess.Popen[bytes]", caplog: pytest.LogCaptureFixture
) -> None:
    groups.close()
    assert "cannot be removed: processes are still ending in it" in caplog.text
    assert is_left()
    child.kill()
    child.wait()
    Cgroups.found().close()
    assert not is_left()
