"""JSON Lines: an object a line."""

from typing import IO

import msgspec

from arena.export.columns import Table
from arena.export.played import PlayedMatch


class JsonlWriter:
    """Writes rows as objects."""

    def __init__(self, file: IO[bytes], table: Table) -> None:
        self._file = file
        self._table = table
        self._encoder = msgspec.json.Encoder()

    def add(self, match: PlayedMatch) -> int:
        """Write the match's rows."""
        rows = list(self._table.rows(match))
        self._file.write(self._encoder.encode_lines(rows))
        return len(rows)

    def close(self) -> None:
        """Do nothing: every row is written."""
