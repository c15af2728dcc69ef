"""The tree of commands, and how an error leaves the program.

The modules of the commands import what is heavy inside the functions that need it, so that `arena` starts fast.
"""

import sys

import typer

from arena.cli import bench, bot, doctor, league, match, replay, serve, simulate, tables
from arena.cli.failures import (
    EXIT_CHECK_FAILED,
    EXIT_TERMINATED,
    EXIT_USAGE,
    CheckFailedError,
    TerminatedError,
    expected,
)

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
for group in (league, match, bot, replay):
    app.add_typer(group.app)
for command in (serve.serve, simulate.simulate, tables.tables, bench.bench, doctor.doctor):
    app.command()(command)


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


def main() -> None:
    """Run the command line. Exit status: 0 done, 1 a check failed, 2 wrong use."""
    try:
        app()
    except CheckFailedError as failure:
        typer.echo(str(failure), err=True)
        sys.exit(EXIT_CHECK_FAILED)
    except TerminatedError:
        sys.exit(EXIT_TERMINATED)
    except expected() as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(EXIT_USAGE)
