"""Files of rows: one format a module. A file is at its name only when it is whole."""

import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Protocol

from arena.export.columns import Kind


class Writer(Protocol):
    """Writes rows to a file in one format."""

    def __init__(self, file: IO[bytes], columns: Mapping[str, Kind]) -> None: ...

    def write(self, row: Mapping[str, Any]) -> None:
        """Write a row, or keep it until enough are there to be written together."""

    def finish(self) -> None:
        """Write what is left; the file stays open."""


class MissingPartError(Exception):
    """A format needs a part of the package that is not installed; the text says which."""


def _parquet() -> type[Writer]:
    try:
        import_module("pyarrow")
    except ImportError as error:
        raise MissingPartError("Parquet needs pyarrow: pip install 'hanafuda-arena[parquet]'") from error
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


@contextmanager
def replacing(target: Path) -> Iterator[IO[bytes]]:
    """A file that takes the target's place where the body ends well, and is deleted where it does not.

    Until then it lies beside it as `.arena-export-….part`. Raises OSError.
    """
    part = target.with_name(f".arena-export-{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
