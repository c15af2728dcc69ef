"""The tree of commands, and how an error leaves the program.

The modules of the commands import what is heavy inside the functions that need it, so that `arena` starts fast.
"""

import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import NoReturn

import typer

from arena.cli import (
    backup,
    bench,
    bot,
    completion,
    config,
    doctor,
    export,
    ladder,
    league,
    match,
    migrate,
    node,
    output,
    owner,
    proto,
    prune,
    replay,
    serve,
    simulate,
    status,
    strength,
    tables,
    web,
)
from arena.cli.commands import command
from arena.cli.config_file import COMMANDS
from arena.cli.failures import (
    EXIT_CHECK_FAILED,
    EXIT_INTERRUPTED,
    EXIT_OUTPUT_CLOSED,
    EXIT_TERMINATED,
    EXIT_USAGE,
    CheckFailedError,
    TerminatedError,
    WrongUseError,
    expected,
)
from arena.processes import shortage_cure

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for group in (league, ladder, match, bot, owner, replay, export, node, config, strength):
    app.add_typer(group.app)
for function, example in (
    (serve.serve, "arena serve --listen 127.0.0.1:7777 --data arena-data"),
    (web.web, "arena web --listen 127.0.0.1:8080"),
    (simulate.simulate, "arena simulate --variant koikoi --matches 100 --bots greedy,random"),
    (tables.tables, "arena tables koikoi"),
    (proto.proto, "arena proto messages"),
    (bench.bench, "arena bench core"),
    (completion.completion, "arena completion bash"),
    (doctor.doctor, "arena doctor --data arena-data"),
    (status.status, "arena status --data arena-data"),
    (prune.prune, "arena prune --replays 90d --logs 30d --dry-run"),
    (backup.backup, "arena backup arena.backup --data arena-data"),
    (backup.restore, "arena restore arena.backup --data new-arena-data"),
    (migrate.migrate, "arena migrate --data arena-data"),
):
    command(app, example, configured=function.__name__ in COMMANDS)(function)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"arena {version('hanafuda-arena')}")
        raise typer.Exit


@app.callback()
def arena(
    _: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """The hanafuda arena: bots, matches, leagues, replays."""


@cache
def commands() -> Callable[[], object]:
    """The tree of commands, ready to be run."""
    return typer.main.get_command(app)


def main() -> None:
    """Run the command line. Exit status: 0 done, 1 a check failed, 2 wrong use, 128 + N ended by signal N."""
    output.prepare()
    completion.prepare()
    try:
        try:
            _check_text(sys.argv[1:])
            commands()()
        except CheckFailedError as failure:
            _fail(str(failure), EXIT_CHECK_FAILED)
        except expected() as error:
            _fail(str(error), EXIT_USAGE, "error: ")
        except OSError as error:
            if error.filename is None:  # a full disk under the output
                output.give_up()
            where = "" if error.filename is None else f"{error.filename}: "
            _fail(f"{where}{error.strerror or error}{shortage_cure(error)}", EXIT_USAGE, "error: ")
    except TerminatedError:
        sys.exit(EXIT_TERMINATED)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except output.OutputClosedError:
        output.give_up()
        sys.exit(EXIT_OUTPUT_CLOSED)


def _check_text(arguments: Sequence[str]) -> None:
    """Whether all arguments are text: names, seeds and paths are kept and sent as such. Raises WrongUseError."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            raise WrongUseError(f"an argument is no UTF-8 text: {os.fsencode(argument)!r}") from error


def _fail(reason: str, status: int, prefix: str = "") -> NoReturn:
    typer.echo(output.harmless(prefix + reason), err=True)
    output.print_failure(reason)
    sys.exit(status)
