"""One series of a histogram."""

from collections.abc import Sequence
from typing import final

@final
class Series:
    """How many values fell between two bounds, and the sum of all."""

    def __init__(self, bounds: Sequence[float]) -> None: ...
    @property
    def counts(self) -> list[int]:
        """How many values fell into each class: up to the first bound, up to each of the others, and above the last."""
    @property
    def total(self) -> float:
        """The sum of all values."""
    def observe(self, value: float, times: int = 1) -> None:
        """Count a value, or so many equal ones."""
