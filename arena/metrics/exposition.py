"""The metrics of a process in Prometheus's text form, by its own client library."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

import msgspec
from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from arena.metrics.instruments import Counter, Instrument, Labels
from arena.metrics.meters import INSTRUMENTS

CONTENT_TYPE = CONTENT_TYPE_LATEST


class Gauge(msgspec.Struct, frozen=True):
    """What something is now, by the values of its labels."""

    name: str
    text: str
    labels: Labels
    values: dict[Labels, float]


class _Instruments(Collector):
    def __init__(self, instruments: Iterable[Instrument]) -> None:
        self._instruments = instruments

    def collect(self) -> Iterator[Metric]:
        """What all instruments hold."""
        for instrument in self._instruments:
            yield _family(instrument)


def _family(instrument: Instrument) -> Metric:
    if isinstance(instrument, Counter):
        counter = CounterMetricFamily(instrument.name, instrument.text, labels=instrument.labels)
        for labels, value in instrument.values.items():
            counter.add_metric(labels, value)
        return counter
    histogram = HistogramMetricFamily(instrument.name, instrument.text, labels=instrument.labels)
    bounds = [*map(str, instrument.bounds), "+Inf"]
    for labels, series in instrument.series.items():
        histogram.add_metric(labels, list(zip(bounds, accumulate(series.counts), strict=True)), series.total)
    return histogram


class _Gauges(Collector):
    def __init__(self) -> None:
        self.now: Sequence[Gauge] = ()

    def collect(self) -> Iterator[Metric]:
        """The gauges as they were read last."""
        for gauge in self.now:
            family = GaugeMetricFamily(gauge.name, gauge.text, labels=gauge.labels)
            for labels, value in gauge.values.items():
                family.add_metric(labels, value)
            yield family


class Exposition:
    """The registry of a process: what it counts, its memory, descriptors and processor time, and gauges."""

    def __init__(self, instruments: Iterable[Instrument] = INSTRUMENTS) -> None:
        self._registry = CollectorRegistry()
        self._gauges = _Gauges()
        for collector in (_Instruments(tuple(instruments)), self._gauges):
            self._registry.register(collector)
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def text(self, gauges: Sequence[Gauge] = ()) -> bytes:
        """All metrics, with these gauges."""
        self._gauges.now = gauges
        return generate_latest(self._registry)
