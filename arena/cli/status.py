"""`arena status`."""

import time
from typing import Annotated

import typer

from arena.cli.failures import WrongUseError
from arena.cli.output import print_answer
from arena.cli.targets import StoreOptions
from arena.cli.values import AsJson


def status(
    target: StoreOptions,
    watch: Annotated[
        float | None,
        typer.Option("--watch", metavar="SECONDS", min=0.2, max=3600, help="Show it again and again, until Ctrl-C."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show how an arena is, and what is wrong.

    Its nodes, what its leagues wait for, and its store.
    """
    from arena.status.lines import lines
    from arena.status.report import report

    if watch is not None and as_json:
        raise WrongUseError("--watch is for people: leave it out, or --json")
    while True:
        now = target.read(report)
        if watch is not None:
            typer.echo("\x1b[2J\x1b[H", nl=False)  # an empty screen, from its first line on
        print_answer(as_json, now, lines(now))
        if watch is None:
            return
        time.sleep(watch)
