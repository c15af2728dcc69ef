"""Tensors as files of NumPy, which can be mapped into memory, with `encoding.json` that describes them."""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib import format as npy

from arena.export.tensor_shape import Shape

if TYPE_CHECKING:
    from numpy.typing import NDArray


class TensorFolder:
    """Files in a folder that is there, one an array."""

    def __init__(self, folder: Path, shape: Shape) -> None:
        self._folder, self._shape = folder, shape
        self._matches: list[str] = []
        with ExitStack() as opened:
            self._files = {name: opened.enter_context((folder / f"{name}.npy").open("xb")) for name in shape.columns}
            self._opened = opened.pop_all()
        for name, (kind, each) in shape.columns.items():
            descr = npy.dtype_to_descr(np.dtype(kind))
            head = {"descr": descr, "fortran_order": False, "shape": (shape.decisions, *each)}
            npy.write_array_header_2_0(self._files[name], head)

    def add(self, match_id: str, arrays: "Mapping[str, NDArray[Any]]") -> None:
        """Write the arrays of a match behind those before. Raises OSError."""
        for name, array in arrays.items():
            array.tofile(self._files[name])
        self._matches.append(match_id)

    def finish(self) -> None:
        """Describe the arrays. Raises OSError."""
        text = self._shape.described(matches=self._matches)
        (self._folder / "encoding.json").write_text(text, encoding="utf-8")

    def close(self) -> None:
        """Close the files. Raises OSError."""
        self._opened.close()
