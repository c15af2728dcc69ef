"""Decisions as the tensors of `arena.envs`: files of NumPy, which can be mapped into memory."""

import json
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.lib import format as npy

from arena.export.played import PlayedMatch
from arena.replays.verify import start
from arena.sdk.tensors import CARDS, ENCODING_VERSION, layout_of
from core_ext import variant_info
from core_ext.tensors import Layout, encode_decisions

if TYPE_CHECKING:
    from numpy.typing import NDArray

ENCODING = "encoding.json"


class MixedMatchesError(ValueError):
    """The matches are not all of one variant with one number of seats, whose tensors have one shape."""


class Shape(NamedTuple):
    """Of the matches: their variant and seats, and how many decisions they have; ("", 0, 0) where there are none."""

    variant: str
    seats: int
    decisions: int


Read = Callable[[Callable[[PlayedMatch], int]], Awaitable[object]]
"""Calls what it is given for each match; what that returns is a number of rows."""


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
    """Write the decisions of the matches that were looked at into a folder that is there.

    Raises what `read` raises, what `arena.replays.verify.positions` raises, and OSError.
    """
    layout = layout_of(shape.variant, shape.seats)
    info = variant_info(shape.variant)
    core = Layout(shape.seats, layout.planes, layout.counters)
    rows: dict[str, tuple[str, tuple[int, ...]]] = {
        "cards": ("u1", (len(layout.planes), CARDS)),
        "numbers": ("<f4", (len(layout.number_names),)),
        "action_mask": ("i1", (len(info.actions),)),
        "seat": ("i1", ()),
        "action": ("<i2", ()),
        "match": ("<i4", ()),
        "result": ("<i8", ()),
        "place": ("i1", ()),
    }
    matches: list[str] = []
    written = 0
    with ExitStack() as open_files:
        files = {name: open_files.enter_context((folder / f"{name}.npy").open("xb")) for name in rows}
        for name, (kind, each) in rows.items():
            _begin(files[name], kind, (shape.decisions, *each))

        def add(match: PlayedMatch) -> int:
            nonlocal written
            record = match.record
            count = record.decisions
            made: dict[str, NDArray[Any]] = {
                name: np.empty((count, *each), kind) for name, (kind, each) in rows.items()
            }
            encode_decisions(
                start(record),
                record.packed,
                count,
                core,
                *(made[name] for name in ("cards", "numbers", "action_mask", "seat", "action")),
            )
            made["match"][:] = len(matches)
            made["result"][:] = np.array(record.results)[made["seat"]]
            made["place"][:] = np.array(match.placing)[made["seat"]]
            for name, array in made.items():
                array.tofile(files[name])
            matches.append(record.match_id)
            written += count
            return count

        await read(add)
    if written != shape.decisions:
        raise MixedMatchesError("matches were played or deleted meanwhile: try again")
    encoding = {
        "variant": shape.variant,
        "seats": shape.seats,
        "encoding_version": ENCODING_VERSION,
        "rules_version": info.rules_version,
        "decisions": shape.decisions,
        "planes": layout.plane_names,
        "numbers": layout.number_names,
        "actions": info.actions,
        "matches": matches,
    }
    (folder / ENCODING).write_text(json.dumps(encoding, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _begin(file: IO[bytes], kind: str, shape: tuple[int, ...]) -> None:
    """Write the head of a file of an array of this shape, whose rows follow."""
    descr = npy.dtype_to_descr(np.dtype(kind))
    npy.write_array_header_2_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
