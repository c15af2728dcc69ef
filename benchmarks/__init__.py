"""Measured claims. Each module has `measure() -> list[Result]`; `arena bench` prints them."""

import sys
from typing import NamedTuple

from arena.node.process import configure_grpc

configure_grpc()  # before any of them imports gRPC


class Result(NamedTuple):
    """One figure: its name, its value and its unit."""

    name: str
    value: float
    unit: str


def say(what: str) -> None:
    """Tell on standard error what is measured now."""
    print(f"measuring {what}", file=sys.stderr, flush=True)
