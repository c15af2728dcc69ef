"""CSV as RFC 4180 has it, in UTF-8, with a head; lists are JSON."""

import csv
import io
from datetime import datetime
from typing import IO

import msgspec

from arena.export.columns import Table
from arena.export.played import PlayedMatch


class CsvWriter:
    """Writes rows as lines of values."""

    def __init__(self, file: IO[bytes], table: Table) -> None:
        self._table = table
        self._text = io.TextIOWrapper(file, "utf-8", newline="")
        self._lines = csv.writer(self._text)
        self._lines.writerow(table.columns)

    def add(self, match: PlayedMatch) -> int:
        """Write the match's rows."""
        lines = [[_cell(value) for value in row.values()] for row in self._table.rows(match)]
        self._lines.writerows(lines)
        return len(lines)

    def close(self) -> None:
        """Write what is left."""
        self._text.detach()  # which flushes


def _cell(value: object) -> object:
    if isinstance(value, list):
        return msgspec.json.encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value
