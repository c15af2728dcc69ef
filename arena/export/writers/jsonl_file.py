"""JSON Lines: an object a line."""

from collections.abc import Mapping
from typing import IO, Any

import msgspec

from arena.export.columns import Kind


class JsonlWriter:
    """Writes rows as objects."""

    def __init__(self, file: IO[bytes], columns: Mapping[str, Kind]) -> None:
        self._file = file
        self._encoder = msgspec.json.Encoder()

    def write(self, row: Mapping[str, Any]) -> None:
        """Write a row."""
        self._file.write(self._encoder.encode(row) + b"\n")

    def finish(self) -> None:
        """Do nothing: every row is written."""
