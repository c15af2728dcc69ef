"""Reading what stands on a command line."""

import json
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from arena.cli import documents
from arena.cli.failures import WrongUseError

Variant = Annotated[str, typer.Option("--variant", help="Which game, for example koikoi.")]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="K=V",
        help="A house option, repeatable: months=3, points.goko=10; V is JSON, else a string.",
    ),
]
Data = Annotated[Path, typer.Option("--data", help="The folder in which the arena keeps its state.")]
RedisUrl = Annotated[
    str | None, typer.Option("--redis", metavar="URL", help="Use this Redis or Valkey instead of a server of our own.")
]
AsJson = Annotated[
    bool, typer.Option("--json", callback=documents.want, help="Print one JSON document and nothing else.")
]

DecisionMs = Annotated[int, typer.Option(min=0, help="Time for each decision, in ms.")]
BankMs = Annotated[int, typer.Option(min=0, help="Time for the whole match beyond that, in ms.")]
StartMs = Annotated[int, typer.Option(min=1, max=3_600_000, help="Time for a bot to start and connect, in ms.")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Play the default action for a bot that fails, thrice.")]
LeagueName = Annotated[str, typer.Argument(metavar="NAME", help="The league's name.")]

DEFAULT_DATA = Path("arena-data")
_LONGEST_VALUE = 1_000


def place(data: Path, redis: str | None) -> str:
    """What a further command has to be told to find the same store, with a space before it."""
    return f" --redis {quote(redis)}" if redis else f" --data {quote(str(data))}" if data != DEFAULT_DATA else ""


def options_of(pairs: Sequence[str] | None) -> dict[str, object]:
    """`["months=3", "sanko=exact"]` as a mapping. A value is JSON, else it is taken as a string."""
    options: dict[str, object] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise WrongUseError(f"--option wants NAME=VALUE, not {pair!r}")
        if len(value) > _LONGEST_VALUE:
            raise WrongUseError(f"--option {name} has a value of {len(value)} characters")
        if name in options:
            raise WrongUseError(f"--option {name} is given twice")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):  # no JSON, or of more digits or brackets than can mean anything
            options[name] = value
    return options


def names_of(option: str, text: str, *, repeats: bool = False) -> tuple[str, ...]:
    """`"koikoi, kyogi"` as names; WrongUseError where one is empty, or without `repeats` there twice."""
    names = tuple(part.strip() for part in text.split(","))
    if not all(names):
        raise WrongUseError(f"{option} wants names with a comma between each two, not {text!r}")
    if not repeats:
        for name in names:
            if names.count(name) > 1:
                raise WrongUseError(f"{option} names {name!r} twice")
    return names


def check_seats(variant: str, seats: int) -> None:
    """Whether so many bots play the variant; WrongUseError, UnknownVariantError."""
    from core_ext import variant_info

    least, most, _ = variant_info(variant).seats
    if not least <= seats <= most:
        allowed = str(least) if least == most else f"{least} to {most}"
        raise WrongUseError(f"{variant} is played by {allowed} bots, not by {seats}")
