"""Without `--uncaged` no bot by path runs outside a cage, whatever goes wrong: it is refused, with what to do."""

import os
import resource
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from arena_command import ARENA, arena, document, refused
from bots_in_tests import FIRST, write_bot
from prerequisites import not_run

from arena.scratch import scratch_folder

SHORT = ("--seed", "7", "--option", "months=1")
NO_BUBBLEWRAP = {"PATH": "/nonexistent"}
NOBODY = 65_534


@pytest.fixture
def escaped(tmp_path: Path) -> Path:
    """What a bot of these tests writes where it runs outside a cage."""
    return tmp_path / "escaped"


@pytest.fixture
def bot(tmp_path: Path, escaped: Path) -> Path:
    return write_bot(
        tmp_path, "bot", f"import contextlib\nwith contextlib.suppress(OSError):\n    {_touches(escaped)}\n{FIRST}"
    )


def _touches(file: Path) -> str:
    return f"open({str(file)!r}, 'w').close()"


LEAGUE = """
name = "spring"
variant = "koikoi"
rounds = 1
boards = 1
options = { months = 1 }
entries = ["./bot.py", "house:random"]
"""


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (("match", "play", "./bot.py", "house:random", *SHORT), 2),
        (("match", "test", "./bot.py", "house:random", "--boards-max", "1", "--option", "months=1"), 2),
        (("bot", "check", "./bot.py"), 2),
        (("league", "run", "league.toml"), 1),
    ],
    ids=lambda command: " ".join(command[:2]) if isinstance(command, tuple) else "",
)
def test_without_bubblewrap_a_bot_by_path_is_refused_with_what_to_install_and_how_to_play_ones_own(
    bot: Path, escaped: Path, tmp_path: Path, command: tuple[str, ...], status: int
) -> None:
    (tmp_path / "league.toml").write_text(LEAGUE)
    said = refused(*command, cwd=tmp_path, env=NO_BUBBLEWRAP, status=status)
    assert not escaped.exists()
    assert "bubblewrap is not installed" in said
    assert "apt-get install bubblewrap" in said
    assert "--uncaged" in said


def test_ones_own_bot_plays_uncaged_where_there_is_no_bubblewrap(bot: Path, escaped: Path, tmp_path: Path) -> None:
    match = ("match", "play", "./bot.py", "house:random", *SHORT, "--uncaged")
    assert document(*match, cwd=tmp_path, env=NO_BUBBLEWRAP)["end"] == "completed"
    assert escaped.exists()


@pytest.mark.usefixtures("bubblewrap")
def test_where_files_run_out_no_bot_runs_outside_a_cage(bot: Path, escaped: Path, tmp_path: Path) -> None:
    write_bot(tmp_path, "other", bot.read_text())
    trial = ("match", "test", "./bot.py", "./other.py", "--boards-max", "150", "--concurrency", "64")
    done = subprocess.run(
        [str(ARENA), *trial, "--option", "months=1"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)),
    )
    assert not escaped.exists(), done.stderr
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Too many open files" in done.stderr
    assert "raise the limit (`ulimit -n`)" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("bubblewrap")
def test_another_users_folder_for_copies_ends_the_match_and_no_bot_runs(
    bot: Path, escaped: Path, tmp_path: Path
) -> None:
    if os.geteuid():
        not_run("only root can give a folder to another user")
    with scratch_folder() as folder:
        theirs = folder / f"hanafuda-arena-cages-{os.geteuid()}"
        theirs.mkdir()
        os.chown(theirs, NOBODY, NOBODY)
        said = refused("match", "play", "./bot.py", "house:random", *SHORT, cwd=tmp_path, env={"TMPDIR": str(folder)})
    assert not escaped.exists()
    assert f"{theirs} is not this user's own folder" in said
    assert "set TMPDIR" in said


@pytest.mark.usefixtures("bubblewrap")
@pytest.mark.parametrize("kind", ["a script", "a dynamic program"])
def test_a_program_that_no_cage_can_start_forfeits_and_is_not_run(kind: str, escaped: Path, tmp_path: Path) -> None:
    program = tmp_path / "bot"
    if kind == "a script":
        program.write_text(f"#!/bin/sh\n: > {shlex.quote(str(escaped))}\nexec {sys.executable} bot.py\n")
        program.chmod(0o755)
    else:
        source = tmp_path / "bot.c"
        source.write_text(f'#include <stdio.h>\nint main(void) {{ return !fopen("{escaped}", "w"); }}\n')
        subprocess.run(["gcc", "-o", program, source], check=True)
    result = arena("match", "play", "./bot", "house:random", *SHORT, cwd=tmp_path)
    assert result.returncode == 1, result.stderr
    assert not escaped.exists()
    assert "no runtime of the cage can start it" in result.stderr
    assert "--uncaged" in result.stderr
