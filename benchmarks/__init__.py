"""Measured claims. Each module has `measure() -> list[Result]`; `arena bench` prints them."""

from typing import NamedTuple

import arena  # noqa: F401 - before any of them imports gRPC: it says how gRPC is to deal with forks


class Result(NamedTuple):
    """One figure: its name, its value and its unit."""

    name: str
    value: float
    unit: str
