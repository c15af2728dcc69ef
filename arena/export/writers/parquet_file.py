"""Parquet, compressed with Zstandard. Needs the part `[parquet]` of the package."""

from collections.abc import Mapping
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from arena.export.columns import Kind

_ROWS = 8_192
"""Rows of a group: so many are in memory at once."""

_NUMBERS = pa.list_(pa.int64())
_TYPES: Mapping[Kind, Any] = {
    Kind.TEXT: pa.string(),
    Kind.NUMBER: pa.int64(),
    Kind.TIME: pa.timestamp("us", "UTC"),
    Kind.JSON: pa.string(),
    Kind.TEXTS: pa.list_(pa.string()),
    Kind.NUMBERS: _NUMBERS,
    Kind.LISTS: pa.list_(_NUMBERS),
    Kind.ZONES: pa.list_(
        pa.struct([("kind", pa.string()), ("seat", pa.int64()), ("cards", _NUMBERS), ("count", pa.int64())])
    ),
    Kind.COUNTERS: pa.list_(pa.struct([("name", pa.string()), ("seat", pa.int64()), ("value", pa.int64())])),
}


class ParquetWriter:
    """Writes rows in groups."""

    def __init__(self, file: IO[bytes], columns: Mapping[str, Kind]) -> None:
        self._schema = pa.schema([(name, _TYPES[kind]) for name, kind in columns.items()])
        self._file = pq.ParquetWriter(file, self._schema, compression="zstd")
        self._rows: list[Mapping[str, Any]] = []

    def write(self, row: Mapping[str, Any]) -> None:
        """Keep a row, and write a group when it is full."""
        self._rows.append(row)
        if len(self._rows) == _ROWS:
            self._write_group()

    def finish(self) -> None:
        """Write the last group and the foot."""
        if self._rows:
            self._write_group()
        self._file.close()

    def _write_group(self) -> None:
        self._file.write_batch(pa.RecordBatch.from_pylist(self._rows, schema=self._schema))
        self._rows.clear()
