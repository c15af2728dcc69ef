"""What is counted, in Prometheus's text form as its own parser reads it."""

from prometheus_client.parser import text_string_to_metric_families

from arena.metrics import meters
from arena.metrics.exposition import Exposition, Gauge
from arena.metrics.instruments import Counter, Histogram, Instrument


def samples(*instruments: Instrument, gauges: tuple[Gauge, ...] = ()) -> dict[tuple[str, tuple[str, ...]], float]:
    """The samples of an exposition, by name and values of labels."""
    families = text_string_to_metric_families(Exposition(instruments).text(gauges).decode())
    return {
        (sample.name, tuple(sample.labels.values())): sample.value for family in families for sample in family.samples
    }


def test_a_counter_tells_how_often_by_its_labels() -> None:
    counter = Counter("arena_tests", "Tests.", ("end",))
    counter.add("good")
    counter.add("good")
    counter.add("bad", amount=3)
    told = samples(counter)
    assert told["arena_tests_total", ("good",)] == 2
    assert told["arena_tests_total", ("bad",)] == 3


def test_a_counter_without_labels_is_there_before_it_has_counted() -> None:
    assert samples(Counter("arena_tests", "Tests."))["arena_tests_total", ()] == 0


def test_a_histogram_tells_how_many_values_are_at_most_each_bound() -> None:
    histogram = Histogram("arena_seconds", "Seconds.", bounds=(0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 7.0):
        histogram.observe(value)
    told = samples(histogram)
    assert [told["arena_seconds_bucket", (bound,)] for bound in ("0.1", "1.0", "+Inf")] == [2, 3, 4]
    assert told["arena_seconds_count", ()] == 4
    assert abs(told["arena_seconds_sum", ()] - 7.65) < 1e-9


def test_a_process_tells_of_itself_and_of_its_gauges() -> None:
    told = samples(gauges=(Gauge("arena_now", "Now.", ("what",), {("bots",): 4}),))
    assert told["arena_now", ("bots",)] == 4
    assert told["process_open_fds", ()] > 2
    assert told["process_resident_memory_bytes", ()] > 1 << 20


def test_labels_that_hold_anything_are_read_back_as_they_are() -> None:
    counter = Counter("arena_tests", "Tests.", ("end",))
    counter.add('a "quoted" \\ line\nand another')
    assert samples(counter)["arena_tests_total", ('a "quoted" \\ line\nand another',)] == 1


def test_every_instrument_has_a_name_of_its_own_and_a_text() -> None:
    names = [instrument.name for instrument in meters.INSTRUMENTS]
    assert len(names) == len(set(names)) > 10
    assert all(instrument.text.endswith(".") for instrument in meters.INSTRUMENTS)
