"""Decisions as the tensors of `arena.envs`."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from arena.export.played import PlayedMatch
from arena.export.tensor_shape import Shape
from arena.export.writers import need_pyarrow, replacing
from arena.replays.verify import start
from arena.sdk.tensors import layout_of
from core_ext.tensors import Layout, encode_decisions

if TYPE_CHECKING:
    from numpy.typing import NDArray


class MixedMatchesError(ValueError):
    """The matches are not all of one variant with one number of seats, whose tensors have one shape."""


Read = Callable[[Callable[[PlayedMatch], int]], Awaitable[object]]
"""Calls what it is given for each match; what that returns is a number of rows."""


class TensorFile(Protocol):
    """Takes the arrays of matches, one after the other."""

    def add(self, match_id: str, arrays: "Mapping[str, NDArray[Any]]") -> None:
        """Write the arrays of a match. Raises OSError."""

    def finish(self) -> None:
        """Write what is left: all matches were added. Raises OSError."""

    def close(self) -> None:
        """Close what is open."""


async def shape_of(read: Read) -> Shape:
    """Look at all matches. MixedMatchesError, and what `read` raises."""
    shape = Shape("", 0, 0)

    def add(match: PlayedMatch) -> int:
        nonlocal shape
        record = match.record
        kind = (record.variant, len(record.names))
        if shape.variant and kind != shape[:2]:
            raise MixedMatchesError(
                f"{record.match_id} is {kind[0]} with {kind[1]} seats, others are {shape.variant} with {shape.seats}:"
                " choose one variant and number of seats"
            )
        shape = Shape(*kind, shape.decisions + record.decisions)
        return record.decisions

    await read(add)
    return shape


async def write_tensors(folder: Path, shape: Shape, read: Read) -> None:
    """Write the decisions of the matches that were looked at as files of NumPy, into a folder that is there.

    Raises what `read` raises, what `arena.replays.verify.positions` raises, and OSError.
    """
    from arena.export.writers.tensor_folder import TensorFolder

    with closing(TensorFolder(folder, shape)) as files:
        await _write(files, shape, read)


async def write_parquet(target: Path, shape: Shape, read: Read) -> None:
    """Write them as a file of Parquet, in place of one that is there. MissingPartError, and as `write_tensors`."""
    need_pyarrow("Parquet")
    from arena.export.writers.tensor_parquet import TensorParquet

    with replacing(target) as file, closing(TensorParquet(file, shape)) as written:
        await _write(written, shape, read)


async def _write(files: TensorFile, shape: Shape, read: Read) -> None:
    layout, columns = layout_of(shape.variant, shape.seats), shape.columns
    core = Layout(shape.seats, layout.planes, layout.counters)
    matches = written = 0

    def add(match: PlayedMatch) -> int:
        nonlocal matches, written
        record = match.record
        count = record.decisions
        made: dict[str, NDArray[Any]] = {name: np.empty((count, *each), kind) for name, (kind, each) in columns.items()}
        encode_decisions(
            start(record),
            record.packed,
            count,
            core,
            *(made[name] for name in ("cards", "numbers", "action_mask", "seat", "action")),
        )
        made["match"][:] = matches
        made["result"][:] = np.array(record.results)[made["seat"]]
        made["place"][:] = np.array(match.placing)[made["seat"]]
        files.add(record.match_id, made)
        matches += 1
        written += count
        return count

    await read(add)
    if written != shape.decisions:
        raise MixedMatchesError("matches were played or deleted meanwhile: try again")
    files.finish()
