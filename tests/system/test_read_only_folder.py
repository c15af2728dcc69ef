"""A data folder that cannot be written can still be read."""

import os
import subprocess
from pathlib import Path

import pytest
from arena_command import ARENA, DEADLINE_S, done, league_file

pytestmark = pytest.mark.usefixtures("bubblewrap")


def read_only(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder that is mounted for reading alone."""
    mounts = ["--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--ro-bind", str(folder), str(folder)]
    return subprocess.run(
        ["bwrap", *mounts, "--chdir", str(folder), "--", str(ARENA), *arguments],
        env={**os.environ, "COLUMNS": "120"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )


def test_leagues_and_replays_are_read_and_nothing_is_changed(tmp_path: Path) -> None:
    file = league_file(
        tmp_path, ["house:greedy", "house:random"], rounds=1, boards=1, more="options = { months = 1 }\n"
    )
    done("league", "run", file, cwd=tmp_path)
    done("match", "play", "house:greedy", "house:random", "--option", "months=1", cwd=tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    for command, words in (
        (("league", "list"), "spring  finished"),
        (("league", "show", "spring"), "after 1 round"),
        (("replay", "list"), "spring.koikoi.r1.t1.b1.a"),
        (("replay", "verify", "spring.koikoi.r1.t1.b1.a"), "verified"),
        (("bot", "list"), ""),
        (("status",), "append-only file"),
    ):
        result = read_only(tmp_path, *command)
        assert result.returncode == 0, (command, result.stdout, result.stderr)
        assert words in result.stdout
    refused = read_only(tmp_path, "bot", "create", "alice")
    assert refused.returncode == 2
    assert "Read-only file system" in refused.stderr
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
