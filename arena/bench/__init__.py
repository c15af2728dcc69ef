"""What `arena bench` measures: a module for each part, with `measure() -> list[Result]`, and what those share."""

import math
import statistics
import sys
from collections.abc import Sequence
from typing import NamedTuple

from arena.node.process import configure_grpc

configure_grpc()  # before any of them imports gRPC


class MissingProgramError(Exception):
    """A program that is measured with is not installed; the text says how to install it."""


class Result(NamedTuple):
    """One figure: its name, its value and its unit."""

    name: str
    value: float
    unit: str


def lines(results: Sequence[Result]) -> list[str]:
    """The figures for people, a line each."""
    width = max(len(result.name) for result in results)
    return [f"{result.name:<{width}}  {result.value:>14,.4g} {result.unit}" for result in results]


def half_interval(values: Sequence[float]) -> float:
    """Half of the 95 % interval of a mean."""
    return 1.96 * statistics.stdev(values) / math.sqrt(len(values))


def say(what: str) -> None:
    """Tell on standard error what is measured now."""
    print(f"measuring {what}", file=sys.stderr, flush=True)
