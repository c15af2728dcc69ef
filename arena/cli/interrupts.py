"""What a command says where it is stopped before its end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from arena.cli.failures import TerminatedError


@contextmanager
def saying_if_stopped(text: Callable[[], str]) -> Iterator[None]:
    """Say on standard error, where Ctrl-C or a signal ends the work, what was kept of it."""
    try:
        yield
    except (KeyboardInterrupt, TerminatedError):
        typer.echo(text(), err=True)
        raise
