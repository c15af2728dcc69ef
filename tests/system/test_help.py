"""`--help`: every command explains itself at 80 columns, in one style, with an example that is true."""

import io
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest
import typer.core

from arena.cli.app import commands

RUN_BY_OTHERS = {
    *("match challenge", "match list", "match show", "match watch"),
    *("serve", "bench", "match test", "replay view", "web"),
    "strength train",
    *("match delete", "bot submit", "bot versions", "bot activate", "bot retire", "bot take-out"),
    "config show",
    "node drain",
    *("bot run", "bot tune"),
}
"""`serve` and `match test` are run by the tests of the documents, `replay view` and `web` by those of the site, the
commands of versions by `test_submit_commands.py`, `match delete` by `test_serving.py`; `strength train` is run, and
killed, by `test_training.py`; `bench` takes minutes on a quiet machine; `bot run` and
`bot tune` are run by tests of their own."""

ORDER = (
    "doctor",
    "completion",
    "proto",
    "tables",
    "simulate",
    "bot new",
    "bot check",
    "match play",
    "league run",
    "league export",
    "league verify",
    "league owners",
    "league table",
    "league analyse",
    "league report",
    "export matches",
    "export decisions",
    "export deals",
    "export tensors",
    "export league",
    "replay list",
    "replay show",
    "replay verify",
    "replay transcript",
    "replay download",
    "owner create",
    "owner list",
    "owner show",
    "owner limits",
    "owner token",
    "replay rerun",
    "replay analyse",
    "bot ask",
    "replay export",
    "bot create",
    "bot set",
    "bot token",
    "bot list",
    "bot logs",
    "league open",
    "league enter",
    "league close",
    "league reveal",
    "league start",
    "league withdraw",
    "league pause",
    "league resume",
    "league retry",
    "league show",
    "league list",
    "league cancel",
    "ladder open",
    "ladder enter",
    "ladder leave",
    "ladder show",
    "ladder list",
    "ladder close",
    "league schedule",
    "league upcoming",
    "league unschedule",
    "owner end",
    "status",
    "prune",
    "migrate",
    "backup",
    "restore",
)
"""In this order each example finds what it speaks of."""

BOT = """
from arena.sdk import Bot, run

class MyBot(Bot):
    def choose(self, decision):
        return decision.legal[0]

run(MyBot())
"""
LEAGUE = """
name = "{name}"
rounds = 1
boards = 1
options = {{ months = 1 }}
entries = ["house:greedy", "house:random"]
"""


def tree(command: typer.core.TyperGroup, path: tuple[str, ...] = ()) -> Iterator[tuple[str, typer.core.TyperGroup]]:
    """Every command and group, by its words."""
    yield " ".join(path), command
    for name, child in getattr(command, "commands", {}).items():
        yield from tree(child, (*path, name))


ROOT: typer.core.TyperGroup = commands()  # type: ignore[assignment]
EVERY = dict(tree(ROOT))
COMMANDS = {path: command for path, command in EVERY.items() if not hasattr(command, "commands")}


def run(words: list[str]) -> str:
    """What a command prints, which has to succeed."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said), pytest.raises(SystemExit) as ended:
        ROOT.main(words, prog_name="arena")
    assert not ended.value.code, f"{words}\n{said.getvalue()}"
    return said.getvalue()


@cache
def help_of(path: str) -> str:
    """What `--help` prints on a terminal of 80 columns."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "80")
        return run([*path.split(), "--help"])


def examples(path: str) -> list[str]:
    """The command lines that a command shows."""
    _, _, shown = (COMMANDS[path].epilog or "").partition(":\n")
    return [line.strip() for line in shown.splitlines()]


@pytest.mark.parametrize("path", EVERY)
def test_help_is_in_one_style_and_fits_80_columns(path: str) -> None:
    told = help_of(path)
    assert f"Usage: arena {path}".rstrip() in told
    for line in told.splitlines():
        assert len(line) <= 80
        assert line == line.rstrip()
    assert not re.search(r"<\w|\{", told), "types of Python, or braces"
    assert not re.search(r"^  .*\.\.\.$", told, re.MULTILINE), "a sentence that is cut off"
    for name in re.findall(r"^  -.*?--[\w-]+ (\S+)  ", told, re.MULTILINE):
        assert name == name.upper(), f"{name} is no placeholder"


def test_usage_names_arguments_as_their_list_does() -> None:
    assert "Usage: arena match play [OPTIONS] BOT...\n" in help_of("match play")
    assert "\n  BOT...  The bots by seat" in help_of("match play")


def test_help_says_which_options_are_required() -> None:
    required = {path for path, one in COMMANDS.items() if any(p.required for p in one.params if p.opts[0][0] == "-")}
    assert required == {path for path in COMMANDS if "[required]" in help_of(path)} == {"bot set", "league report"}


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_shows_an_example_that_it_understands(path: str) -> None:
    shown = examples(path)
    assert shown
    assert all(line in help_of(path) for line in shown)
    for line in shown:
        program, *words = shlex.split(line)
        assert (program, words[: len(path.split())]) == ("arena", path.split())
        COMMANDS[path].make_context(path, words[len(path.split()) :])


def write_files(here: Path) -> None:
    """The files that examples name."""
    (here / "examples").mkdir()
    (here / "my_bot.py").write_text(BOT)
    for path, name in (("examples/koikoi", "spring"), ("grand", "grand"), ("daily", "daily")):
        (here / f"{path}.toml").write_text(LEAGUE.format(name=name))
    with (here / "daily.toml").open("a") as file:
        file.write('[schedule]\nstart = "every day 03:00"\n')
    (here / "examples" / "evening.toml").write_text(f"{LEAGUE.format(name='evening')}[ladder]\n")


def test_every_command_is_run_by_its_examples() -> None:
    assert {*ORDER, *RUN_BY_OTHERS} == set(COMMANDS)


def test_the_examples_do_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    for line in [line for path in ORDER for line in examples(path)]:
        _, *words = shlex.split(line)
        globbed = [sorted(map(str, Path().glob(word))) if "*" in word else [word] for word in words]
        run([word for words in globbed for word in words])
