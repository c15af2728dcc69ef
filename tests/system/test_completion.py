"""Completion in real shells."""

import os
import shutil
from pathlib import Path

import pexpect
import pytest
from arena_command import ARENA, DEADLINE_S, done, refused
from prerequisites import not_run

from arena.store import Store, names
from arena.store.embedded import LOG

SHELLS = {
    "bash": (["--norc", "--noprofile"], 'eval "$(arena completion bash)"'),
    "zsh": (["-f"], 'autoload -Uz compinit; compinit -u -d dump; eval "$(arena completion zsh)"'),
    "fish": (["--no-config"], "arena completion fish | source"),
}

LEAGUE = """
name = "spring"
entries = ["house:random", "house:greedy"]
"""


def completed(line: str, folder: Path) -> list[str]:
    """What bash would get to choose from."""
    asking = {"COMP_WORDS": line, "COMP_BREAKS": "\"'><=;|&(:", "_ARENA_COMPLETE": "complete_bash"}
    return done(cwd=folder, env=asking).split()


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes_commands_values_and_names(shell: str, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        not_run(f"{shell} is not installed: completion in it cannot be tried")
    arguments, set_up = SHELLS[shell]
    (tmp_path / "mine.py").touch()
    replays = tmp_path / "arena-data" / "replays"
    replays.mkdir(parents=True)
    (replays / "local-1.hreplay").touch()
    (tmp_path / "spring.toml").write_text(LEAGUE)
    done("league", "open", "spring.toml", cwd=tmp_path)
    done("bot", "create", "champion", cwd=tmp_path)
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
        terminal.send("\x15arena match play house:gr\t")
        terminal.expect("house:greedy ")
        terminal.send("\x15arena match play mi\t")
        terminal.expect(r"mine\.py ")
        terminal.send("\x15arena match test mine.py --against champ\t")
        terminal.expect("champion ")
        terminal.send("\x15arena league show sp\t")
        terminal.expect("spring ")
        terminal.send("\x15arena replay show lo\t")
        terminal.expect("local-1 ")
    finally:
        terminal.close(force=True)


def test_a_shell_that_is_not_known_is_refused(tmp_path: Path) -> None:
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in refused("completion", "tcsh", cwd=tmp_path)
    assert "_ARENA_COMPLETE=complete_bash" in done("completion", "bash", cwd=tmp_path)


async def test_names_are_those_of_now_and_no_store_is_started_for_them(tmp_path: Path) -> None:
    data = tmp_path / "arena-data"
    assert completed("arena bot set ", tmp_path) == []
    async with await Store.open(data) as store:
        await store.bots.create("first")
        assert completed("arena bot set ", tmp_path) == ["first"]
    started = (data / LOG).read_text("utf-8")
    assert completed("arena bot set f", tmp_path) == ["first"]
    assert completed(f"arena bot set --data {data} f", tmp_path.parent) == ["first"]
    assert completed("arena bot set x", tmp_path) == []
    assert (data / LOG).read_text("utf-8") == started
    (data / names.FILE).write_bytes(b"\xffbroken")
    assert completed("arena bot set f", tmp_path) == []
    assert "first" in done("bot", "list", cwd=tmp_path)
    assert completed("arena bot set f", tmp_path) == ["first"]


def test_bash_puts_a_value_behind_the_last_cut_of_its_own(tmp_path: Path) -> None:
    assert completed("arena match play house:greedy house:se", tmp_path) == ["search"]
    assert completed("arena simulate --variant=hachi", tmp_path) == ["hachihachi"]
