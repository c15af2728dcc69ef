"""Data folders of earlier key schemas, made by the versions of their time."""

from __future__ import annotations

import json
import tarfile
from dataclasses import dataclass
from pathlib import Path

_KEPT = Path(__file__).parents[1] / "golden" / "schemas"
NAMES = sorted(path.name.removesuffix(".tar.xz") for path in _KEPT.glob("*.tar.xz"))
"""Each is called by its schema and the day of the version that made it."""


@dataclass
class Past:
    """A data folder of an arena that was killed in round 2 of the league `kept`, and what that version told of it."""

    folder: Path
    schema: int
    league_file: Path
    tokens: dict[str, str]
    """The tokens of the bots `Modern` and `ann`."""
    tables: dict[str, dict[str, list[list[object]]]]
    """Of the leagues `done` and `kept`, by variant: name, match points and game points after their complete rounds."""


def unpack(name: str, folder: Path) -> Past:
    """Lay a data folder of the past out as `folder`."""
    folder.mkdir(mode=0o700)
    with tarfile.open(_KEPT / f"{name}.tar.xz") as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.3 and older have none
        archive.extractall(folder)
    told = json.loads((folder / "told.json").read_text("utf-8"))
    return Past(folder, int(name.partition("-")[0]), folder / "kept.toml", told["tokens"], told["tables"])
