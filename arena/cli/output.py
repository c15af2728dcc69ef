"""What commands print: text for people, or one JSON document where `--json` asks for it, also where they fail."""

import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from arena.cli.failures import WrongUseError

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class OutputClosedError(Exception):
    """Whoever read the standard output has had enough: `arena … | head -1`."""


class _Output(io.TextIOWrapper):
    """The standard output; a reader that has gone raises an error of its own, which nobody takes for a file's."""

    def write(self, text: str) -> int:
        try:
            return super().write(text)
        except BrokenPipeError:
            raise OutputClosedError from None

    def flush(self) -> None:
        try:
            super().flush()
        except BrokenPipeError:
            raise OutputClosedError from None


def prepare() -> None:
    """Have what the terminal's encoding lacks written as escapes, and a reader that has gone raise OutputClosedError.

    A standard stream that was closed is opened on nothing, so that no other file gets its number.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        old = sys.stdout
        sys.stdout = _Output(
            old.buffer, encoding=old.encoding, errors="backslashreplace", line_buffering=old.line_buffering
        )


def give_up() -> None:
    """Drop what was not written yet, so that the end of the process does not try again."""
    if sys.stdout is not None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@dataclass
class _Document:
    requested: bool = False
    printed: bool = False


_document = _Document()
"""A process runs one command."""


def request_document(requested: bool) -> bool:
    """Note that the command is to print a document, and nothing else."""
    _document.requested = requested
    return requested


def print_document(document: object) -> None:
    """Print the document."""
    import msgspec

    print_encoded(msgspec.json.encode(document))


def print_encoded(document: bytes) -> None:
    """Print a document that is JSON already."""
    _document.printed = True
    typer.echo(document.decode())


def say(text: str) -> None:
    """Print a line for people: on standard error where the standard output is for a document alone."""
    typer.echo(harmless(text), err=_document.requested)


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


def score_text(bots: Sequence[str], results: Sequence[int], offender: int, end: str) -> str:
    """How a match ended, in a line: each bot's result, and who forfeited it, if anybody did."""
    score = " : ".join(f"{name} {points}" for name, points in zip(bots, results, strict=True))
    return f"{score} ({bots[offender]} forfeited: {end})" if offender >= 0 else score


def harmless(text: str) -> str:
    """Return the text with control characters and marks of direction, which a terminal would obey, as escapes.

    Lines and tabs stay.
    """
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """Write a new file in the body. Raises WrongUseError where it exists or cannot be written."""
    if file.exists():
        raise WrongUseError(f"{file} is there already; name another file, or remove it")
    try:
        yield
    except OSError as error:
        raise WrongUseError(f"{file}: {error.strerror}") from error
