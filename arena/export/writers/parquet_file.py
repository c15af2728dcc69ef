"""Parquet, compressed with Zstandard. Needs the part `[parquet]` of the package."""

from collections.abc import Mapping
from typing import IO, Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from arena.export.columns import Kind, Table
from arena.export.played import PlayedMatch
from arena.export.writers.decision_batches import DecisionBatches

_ROWS = 32_768
"""Rows of a group: about so many are in memory at once."""

_NUMBERS = pa.list_(pa.int64())
_CARDS = pa.list_(pa.uint8())
_TYPES: Mapping[Kind, Any] = {
    Kind.TEXT: pa.string(),
    Kind.NUMBER: pa.int64(),
    Kind.SMALL: pa.uint16(),
    Kind.SEAT: pa.int8(),
    Kind.TIME: pa.timestamp("us", "UTC"),
    Kind.JSON: pa.string(),
    Kind.TEXTS: pa.list_(pa.string()),
    Kind.NUMBERS: _NUMBERS,
    Kind.CARDS: _CARDS,
    Kind.HANDS: pa.list_(_CARDS),
    Kind.CODES: pa.list_(pa.uint16()),
    Kind.ZONES: pa.list_(
        pa.struct([("kind", pa.string()), ("seat", pa.int8()), ("cards", _CARDS), ("count", pa.uint8())])
    ),
    Kind.COUNTERS: pa.list_(pa.struct([("name", pa.string()), ("seat", pa.int8()), ("value", pa.int64())])),
}


class _Batches(Protocol):
    """Collects the rows of matches."""

    schema: Any

    @property
    def rows(self) -> int:
        """How many are kept."""

    def add(self, match: PlayedMatch) -> int:
        """Keep the match's rows; return how many."""

    def take(self) -> Any:
        """The rows as a record batch; then none are kept."""


class ParquetWriter:
    """Writes rows in groups."""

    def __init__(self, file: IO[bytes], table: Table) -> None:
        self._batches: _Batches = DecisionBatches() if table.name == "decisions" else RowBatches(table)
        # The schema of Arrow is not kept: that a text was a number of a list is nobody's business who reads it.
        self._file = pq.ParquetWriter(
            file, self._batches.schema, compression="zstd", store_schema=False, write_statistics=_STATISTICS
        )

    def add(self, match: PlayedMatch) -> int:
        """Keep the match's rows, and write a group when it is full."""
        rows = self._batches.add(match)
        if self._batches.rows >= _ROWS:
            self._file.write_batch(self._batches.take())
        return rows

    def close(self) -> None:
        """Write the last group and the foot."""
        if self._batches.rows:
            self._file.write_batch(self._batches.take())
        self._file.close()


_STATISTICS = ["match", "league", "round", "time", "variant", "bot", "seat", "month", "result", "place"]
"""The columns by whose values a reader may pass over groups."""


class RowBatches:
    """Collects rows as they are."""

    def __init__(self, table: Table) -> None:
        self.schema = pa.schema([(name, _TYPES[column.kind]) for name, column in table.columns.items()])
        self._table = table
        self._rows: list[Mapping[str, Any]] = []

    @property
    def rows(self) -> int:
        """How many are kept."""
        return len(self._rows)

    def add(self, match: PlayedMatch) -> int:
        """Keep the match's rows; return how many."""
        before = len(self._rows)
        self._rows.extend(self._table.rows(match))
        return len(self._rows) - before

    def take(self) -> Any:
        """The rows as a record batch; then none are kept."""
        batch = pa.RecordBatch.from_pylist(self._rows, schema=self.schema)
        self._rows.clear()
        return batch
