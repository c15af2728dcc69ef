"""`arena proto`: the messages, for programs in other languages."""

from pathlib import Path
from typing import Annotated

import typer

_PLACES = (Path(__file__).parents[1] / "proto", Path(__file__).parents[2] / "proto")
"""Where it is installed, beside which another package may be called proto, and in a checkout."""


def proto(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write to; it is made.")],
) -> None:
    """Write the protocol's .proto files.

    Other languages make their messages from them. They lie in DIR as their imports name them,
    hanafuda/arena/v1/play.proto, so that DIR is the path to look in.
    """
    root = next(place for place in _PLACES if place.is_dir())
    for file in sorted(root.rglob("*.proto")):
        target = folder / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.read_bytes())
        typer.echo(target)
