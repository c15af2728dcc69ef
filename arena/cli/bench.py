"""`arena bench`."""

from typing import Annotated, Literal, get_args

import typer

from arena.cli.output import print_answer
from arena.cli.values import AsJson

Part = Literal["core", "wire", "league", "cage", "web"]


def bench(
    part: Annotated[Part, typer.Argument(metavar="|".join(get_args(Part)), help="What to measure.")],
    as_json: AsJson = False,
) -> None:
    """Measure what the documents claim: medians of one run. A quiet machine gives the truest figures."""
    from importlib import import_module

    results = import_module(f"benchmarks.{part}").measure()
    lines = import_module("benchmarks").lines(results)
    print_answer(as_json, {"results": [result._asdict() for result in results]}, lines)
