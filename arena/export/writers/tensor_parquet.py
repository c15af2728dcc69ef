"""Tensors as a file of Parquet, a row a decision. Needs the part `[parquet]` of the package."""

from collections.abc import Mapping
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from arena.export.tensor_shape import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ROWS = 4_096
"""Rows of a group: about so many are in memory at once."""


class TensorParquet:
    """Rows in groups; the file's metadata describe them, as JSON under `encoding`."""

    def __init__(self, file: IO[bytes], shape: Shape) -> None:
        self._columns = shape.columns
        types = {name: _type(kind, each) for name, (kind, each) in self._columns.items()} | {"match": pa.string()}
        self._schema = pa.schema(list(types.items()), {"encoding": shape.described()})
        # The schema of Arrow is kept: it says that lists have one length, so that a reader gets arrays of one shape.
        self._file = pq.ParquetWriter(file, self._schema, compression="zstd", write_statistics=_STATISTICS)
        self._pending: list[tuple[str, Mapping[str, NDArray[Any]]]] = []
        self._rows = 0

    def add(self, match_id: str, arrays: "Mapping[str, NDArray[Any]]") -> None:
        """Keep the arrays of a match, and write a group when it is full. Raises OSError."""
        self._pending.append((match_id, arrays))
        self._rows += len(arrays["seat"])
        if self._rows >= _ROWS:
            self._write()

    def finish(self) -> None:
        """Write the last group. Raises OSError."""
        if self._rows:
            self._write()

    def close(self) -> None:
        """Write the foot. Raises OSError."""
        self._file.close()

    def _write(self) -> None:
        columns = [self._column(name) for name in self._columns]
        self._file.write_batch(pa.RecordBatch.from_arrays(columns, schema=self._schema))
        self._pending.clear()
        self._rows = 0

    def _column(self, name: str) -> Any:
        if name == "match":
            rows = [len(arrays["seat"]) for _, arrays in self._pending]
            places = pa.array(np.repeat(np.arange(len(rows)), rows))
            return pa.array([match_id for match_id, _ in self._pending], pa.string()).take(places)
        array = np.concatenate([arrays[name] for _, arrays in self._pending])
        column = pa.array(array.reshape(-1))
        for length in reversed(array.shape[1:]):
            column = pa.FixedSizeListArray.from_arrays(column, length)
        return column


_STATISTICS = ["seat", "action", "match", "result", "place"]
"""The columns by whose values a reader may pass over groups."""


def _type(kind: str, each: tuple[int, ...]) -> Any:
    """Arrow's type of an array's entry for a decision."""
    type_ = pa.from_numpy_dtype(np.dtype(kind))
    for length in reversed(each):
        type_ = pa.list_(type_, length)
    return type_
