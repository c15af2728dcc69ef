"""Completion in real shells."""

import os
import shutil
from pathlib import Path

import pexpect
import pytest
from arena_command import ARENA, DEADLINE_S, done, refused
from prerequisites import not_run

SHELLS = {
    "bash": (["--norc", "--noprofile"], 'eval "$(arena completion bash)"'),
    "zsh": (["-f"], 'autoload -Uz compinit; compinit -u -d dump; eval "$(arena completion zsh)"'),
    "fish": (["--no-config"], "arena completion fish | source"),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands_and_values(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        not_run(f"{shell} is not installed: completion in it cannot be tried")
    arguments, set_up = SHELLS[shell]
    path = os.pathsep.join([str(Path(ARENA).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path, "TERM": "dumb", "HOME": str(tmp_path), "PS1": "$ "}
    place = {"cwd": tmp_path, "env": environment, "dimensions": (40, 120)}
    terminal = pexpect.spawn(shell, arguments, encoding="utf-8", timeout=DEADLINE_S, **place)
    try:
        terminal.sendline(set_up)
        terminal.sendline("echo is''ready")
        terminal.expect("isready")
        terminal.send("arena league tab\t")
        terminal.expect("arena league table ")
        terminal.send("\x15arena simulate --variant hachi\t")
        terminal.expect("hachihachi")
    finally:
        terminal.close(force=True)


def test_a_shell_that_is_not_known_is_refused(tmp_path: Path) -> None:
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in refused("completion", "tcsh", cwd=tmp_path)
    assert "_ARENA_COMPLETE=complete_bash" in done("completion", "bash", cwd=tmp_path)
