"""Text that is longer than a terminal, in the reader's pager."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console


@contextmanager
def paged(console: Console) -> Iterator[None]:
    """Show what is printed in the pager of PAGER, by default less, where a person reads it in a terminal.

    less ends by itself where everything fits the terminal.
    """
    if not (console.is_terminal and sys.stdin.isatty()):
        yield
        return
    os.environ.setdefault("LESS", "FRX")
    with console.pager(styles=True):
        yield
