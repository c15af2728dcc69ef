"""Standard output that is closed, full, or of an encoding that lacks what is to be written; Ctrl-C."""

import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from arena_command import ARENA, DEADLINE_S, arena, done, league_file, running, until
from preloaded import start

Run = Callable[[Sequence[str], Path, int], tuple[int, bytes]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a league was played."""
    made = tmp_path_factory.mktemp("played")
    file = league_file(made, ["house:random", "house:greedy"], rounds=1, boards=1, more="options = { months = 1 }\n")
    done("league", "run", file, cwd=made)
    done("league", "export", "spring", "spring.zip", cwd=made)
    return made


def afresh(command: Sequence[str], folder: Path, stdout: int) -> tuple[int, bytes]:
    """Status and standard error of a command that a user starts, whose interpreter ends as well."""
    ended = subprocess.run(
        [ARENA, *command], cwd=folder, stdout=stdout, stderr=subprocess.PIPE, timeout=DEADLINE_S, check=False
    )
    return ended.returncode, ended.stderr


def forked(command: Sequence[str], folder: Path, stdout: int) -> tuple[int, bytes]:
    """The same as a fork of the loaded program."""
    with tempfile.TemporaryFile() as stderr:
        status = start([ARENA, *command], folder, os.environ, stdout, stderr.fileno()).wait(DEADLINE_S)
        stderr.seek(0)
        return status, stderr.read()


@pytest.mark.parametrize(
    ("run", "command"),
    [
        (afresh, ("--help",)),
        (forked, ("tables", "sangohana")),
        (forked, ("tables", "sangohana", "--json")),
        (forked, ("simulate", "--variant", "koikoi")),
        (afresh, ("league", "list")),
        (forked, ("league", "show", "spring")),
        (forked, ("league", "verify", "spring.zip")),
        (forked, ("replay", "show", "spring.koikoi.r1.t1.b1.a")),
        (forked, ("replay", "list")),
    ],
)
def test_a_command_whose_reader_has_gone_ends_without_a_word(folder: Path, run: Run, command: Sequence[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        assert run(command, folder, writer) == (128 + signal.SIGPIPE, b"")
    finally:
        os.close(writer)


@pytest.mark.parametrize(
    ("run", "command"),
    [
        (afresh, ("tables", "sangohana")),
        (forked, ("league", "list")),
        (forked, ("simulate", "--variant", "koikoi")),
    ],
)
def test_a_full_disk_is_named(folder: Path, run: Run, command: Sequence[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        assert run(command, folder, full.fileno()) == (2, b"error: No space left on device\n")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_command_works_with_standard_streams_closed(folder: Path, closed: str) -> None:
    for command in ("league list", "simulate --variant koikoi --transcript games.jsonl"):
        script = f"exec {shlex.quote(str(ARENA))} {command} {closed}"
        subprocess.run(["/bin/sh", "-c", script], cwd=folder, capture_output=True, timeout=DEADLINE_S, check=True)
    assert (folder / "games.jsonl").read_text().count("\n") == 1


def test_tables_say_which_yaku_count_with_their_option_alone() -> None:
    yaku, _, _ = arena("tables", "koikoi").stdout.partition("what it does")
    rows = {row.split()[0]: row for row in yaku.splitlines() if row.strip()}
    assert "3, with the option" in rows["omote_sugawara"]
    assert "with the option" not in rows["sanko"]


def test_a_terminal_without_japanese_gets_escapes() -> None:
    said = arena("tables", "sangohana", env={"PYTHONIOENCODING": "ascii"})
    assert said.returncode == 0
    assert "\\u73ca\\u745a" in said.stdout


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "--variant", "koikoi", "--matches", "1000000", "--transcript", "games.jsonl"),
        ("match", "test", "house:greedy", "house:greedy", "--boards-max", "50000"),
    ],
)
def test_ctrl_c_ends_a_long_command_without_a_traceback(tmp_path: Path, command: tuple[str, ...]) -> None:
    with running(*command, cwd=tmp_path) as run:
        if command[0] == "match":
            run.wait_for("^seed ")
        else:
            games = tmp_path / "games.jsonl"
            until(lambda: games.exists() and games.stat().st_size, "transcripts are written")
        run.process.send_signal(signal.SIGINT)
        assert run.end() == 130
        assert not any("Traceback" in line for line in run.lines)


def test_ctrl_c_while_the_program_loads_ends_it_without_a_word(tmp_path: Path) -> None:
    # A module of its own in the place of one that is loaded late tells when the program is loading.
    (tmp_path / "typer.py").write_text("import signal\n\nprint('loading', flush=True)\nsignal.pause()\n")
    with running("--version", env={"PYTHONPATH": str(tmp_path)}) as run:
        run.wait_for("loading")
        run.process.send_signal(signal.SIGINT)
        assert run.end() == -signal.SIGINT
        assert run.lines == ["loading"]


def test_names_and_digests_stay_whole_on_60_columns(tmp_path: Path) -> None:
    entries = "".join(f'{{ name = "search-{number}", bot = "house:greedy" }}, ' for number in (1, 2, 3))
    more = f'boards = 1\nrounds = 1\noptions = {{ months = 1 }}\nentries = [{entries}"house:random"]\n'
    (tmp_path / "spring.toml").write_text(f'name = "spring"\n{more}')
    (tmp_path / "evening.toml").write_text(f'name = "evening"\n{more}[ladder]\n')
    narrow = {"COLUMNS": "60"}
    league = done("league", "run", "spring.toml", cwd=tmp_path, env=narrow)
    done("ladder", "open", "evening.toml", cwd=tmp_path)
    ladder = done("ladder", "show", "evening", cwd=tmp_path, env=narrow)
    for text in (league, ladder):
        assert all(f" search-{number} " in text for number in (1, 2, 3)), text
    assert "left out, for want of room: last played (UTC)" in ladder
    assert len(set(re.findall(r"\b[0-9a-f]{64}\b", league))) == 2
