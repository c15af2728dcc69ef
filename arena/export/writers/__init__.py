"""Files of rows: one format a module. A file is at its name only when it is whole."""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Protocol

from arena.export.columns import Table
from arena.export.played import PlayedMatch


class Writer(Protocol):
    """Writes the rows of matches to a file in one format."""

    def __init__(self, file: IO[bytes], table: Table) -> None: ...

    def add(self, match: PlayedMatch) -> int:
        """Write the match's rows, or keep them until enough are there to be written together; return how many.

        Raises what the table's rows raise.
        """

    def close(self) -> None:
        """Write what is left; the file stays open."""


class MissingPartError(Exception):
    """A format needs a part of the package that is not installed; the text says which."""


def need_pyarrow(what: str) -> None:
    """Raise MissingPartError where pyarrow is not installed; it is imported then."""
    try:
        import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingPartError(f"{what} needs pyarrow: pip install 'hanafuda-arena[parquet]'") from error


def _parquet() -> type[Writer]:
    need_pyarrow("Parquet")
    from arena.export.writers.parquet_file import ParquetWriter

    return ParquetWriter


def _csv() -> type[Writer]:
    from arena.export.writers.csv_file import CsvWriter

    return CsvWriter


def _jsonl() -> type[Writer]:
    from arena.export.writers.jsonl_file import JsonlWriter

    return JsonlWriter


FORMATS: dict[str, Callable[[], type[Writer]]] = {"parquet": _parquet, "csv": _csv, "jsonl": _jsonl}
"""By a format's name, which also ends its files' names, what gives its writer. MissingPartError."""


def part_of(target: Path) -> Path:
    """A new name beside a file or folder, for what is not whole yet: `.arena-export-….part`."""
    return target.with_name(f".arena-export-{secrets.token_hex(4)}.part")


@contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """A file that takes the target's place where the body ends well, and is deleted where it does not.

    Until then it lies beside it under another name. Raises OSError.
    """
    part = part_of(target)
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
