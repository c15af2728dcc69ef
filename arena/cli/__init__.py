"""The command line: `arena …`."""

from arena.cli.app import main

__all__ = ["main"]
