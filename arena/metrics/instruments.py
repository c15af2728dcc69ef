"""Counters and histograms that cost a fraction of a microsecond: they stand beside every decision.

prometheus_client's own take a lock each time, and loading it takes longer than a short command. So it only writes what
these hold (`arena.metrics.exposition`), in processes that are asked for their metrics. All instruments belong to the
thread of the event loop.
"""

from collections import defaultdict
from collections.abc import Sequence

from arena.metrics.series import Series

Labels = tuple[str, ...]


class Counter:
    """How often something happened, by the values of its labels."""

    def __init__(self, name: str, text: str, labels: Labels = ()) -> None:
        self.name, self.text, self.labels = name, text, labels
        self.values: defaultdict[Labels, float] = defaultdict(float)
        if not labels:
            self.values[()] = 0.0

    def add(self, *labels: str, amount: float = 1.0) -> None:
        """Count it once, or by this amount."""
        self.values[labels] += amount


class Histogram:
    """How values are distributed over classes; `bounds` are the upper ends of all but the last class."""

    def __init__(self, name: str, text: str, labels: Labels = (), *, bounds: Sequence[float]) -> None:
        self.name, self.text, self.labels = name, text, labels
        self.bounds = tuple(bounds)
        self.series: dict[Labels, Series] = {}
        if not labels:
            self.of()

    def of(self, *labels: str) -> Series:
        """The series with these values of the labels."""
        series = self.series.get(labels)
        if series is None:
            series = self.series[labels] = Series(self.bounds)
        return series

    def observe(self, value: float, *labels: str, times: int = 1) -> None:
        """Count a value, or so many equal ones."""
        self.of(*labels).observe(value, times)


Instrument = Counter | Histogram
