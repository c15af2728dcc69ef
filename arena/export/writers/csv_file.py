"""CSV as RFC 4180 has it, in UTF-8, with a head; lists are JSON."""

import csv
import io
from collections.abc import Mapping
from datetime import datetime
from typing import IO, Any

import msgspec

from arena.export.columns import Kind


class CsvWriter:
    """Writes rows as lines of values."""

    def __init__(self, file: IO[bytes], columns: Mapping[str, Kind]) -> None:
        self._columns = tuple(columns)
        self._text = io.TextIOWrapper(file, "utf-8", newline="", write_through=False)
        self._lines = csv.writer(self._text)
        self._lines.writerow(self._columns)

    def write(self, row: Mapping[str, Any]) -> None:
        """Write a row."""
        self._lines.writerow([_cell(row[name]) for name in self._columns])

    def finish(self) -> None:
        """Write what is left."""
        self._text.detach()  # which flushes


def _cell(value: object) -> object:
    if isinstance(value, list):
        return msgspec.json.encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value
