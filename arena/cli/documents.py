"""The one JSON document that a command prints when it is asked for `--json`, also where it fails."""

from collections.abc import Iterable
from dataclasses import dataclass

import typer

from arena.cli.output import harmless


@dataclass
class _Document:
    requested: bool = False
    printed: bool = False


_document = _Document()
"""A process runs one command."""


def request(requested: bool) -> bool:
    """Note that the command is to print a document, and nothing else."""
    _document.requested = requested
    return requested


def print_document(document: object) -> None:
    """Print the document."""
    import msgspec

    _document.printed = True
    typer.echo(msgspec.json.encode(document).decode())


def print_answer(as_json: bool, document: object, lines: Iterable[str]) -> None:
    """Print the document, or else these lines for people; what an arena answers is not let steer the terminal."""
    if as_json:
        print_document(document)
        return
    for line in lines:
        typer.echo(harmless(line))


def print_failure(reason: str) -> None:
    """Print that the command failed, if a document is requested and none has been printed."""
    if _document.requested and not _document.printed:
        print_document({"ok": False, "error": reason})
