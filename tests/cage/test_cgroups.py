"""Control groups of a process, without cages."""

import logging
import os
import subprocess

import pytest
from prerequisites import not_run

from arena.launcher.cage.cgroups import Cgroups, hierarchies
from arena.launcher.cage.limits import CageLimits


def test_groups_are_removed_though_a_process_is_still_ending_in_one(caplog: pytest.LogCaptureFixture) -> None:
    groups = Cgroups.found()
    if not groups.controllers:
        not_run("this process may not make control groups")
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child, caplog.at_level(logging.WARNING):
        group = groups.group(CageLimits())
        group.add(child.pid)
        groups.release(group)
        assert set(group.processes()) == {child.pid}
        child.kill()
        groups.close()
    assert caplog.messages == []
    assert [one for one in hierarchies() if (one.folder / f"hanafuda-arena-{os.getpid()}").exists()] == []


def test_a_process_that_does_not_end_keeps_its_group_and_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    groups = Cgroups.found()
    if not groups.controllers:
        not_run("this process may not make control groups")
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        group = groups.group(CageLimits())
        group.add(child.pid)
        groups.release(group)
        groups.close()
        assert "cannot be removed: processes are still ending in it" in caplog.text
        child.kill()
        child.wait()
        # The next one removes what is left.
        Cgroups.found().close()
    assert [one for one in hierarchies() if (one.folder / f"hanafuda-arena-{os.getpid()}").exists()] == []
