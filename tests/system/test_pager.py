"""Long text is shown in a pager, in a terminal alone."""

import os
import shutil
from pathlib import Path

import pexpect
from arena_command import ARENA, DEADLINE_S, done
from prerequisites import not_run


def terminal(folder: Path, rows: int, *arguments: str) -> pexpect.spawn:
    """Run a command in a terminal of so many rows."""
    environment = {**os.environ, "TERM": "xterm"}
    for name in ("LESS", "PAGER"):
        environment.pop(name, None)
    place = {"cwd": folder, "env": environment, "dimensions": (rows, 100)}
    return pexpect.spawn(str(ARENA), [*arguments], encoding="utf-8", timeout=DEADLINE_S, **place)


def test_a_long_table_waits_in_the_pager_and_a_short_terminal_text_does_not(tmp_path: Path) -> None:
    if shutil.which("less") is None:
        not_run("less is not installed: the pager cannot be tried")
    shown = terminal(tmp_path, 20, "tables", "koikoi")
    shown.expect("aotan")
    shown.expect("\n:")  # less asks what to do
    shown.send("q")
    shown.expect(pexpect.EOF)
    shown.close()
    assert shown.exitstatus == 0
    whole = terminal(tmp_path, 500, "tables", "koikoi")
    whole.expect(pexpect.EOF)
    assert "aotan" in whole.before
    whole.close()
    assert whole.exitstatus == 0
    assert "aotan" in done("tables", "koikoi", cwd=tmp_path)
