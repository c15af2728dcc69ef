"""What is logged, for people and for programs, and what strangers cannot fill the log with."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from arena.logs import BURST, JsonFormatter, RateLimit, event

Lines = tuple[logging.Logger, io.StringIO]


@pytest.fixture
def written() -> Iterator[Lines]:
    """A logger whose lines are JSON and limited, and what it has written."""
    log, stream = logging.getLogger("arena.in_tests"), io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(RateLimit(refill_s=1e9))
    log.addHandler(handler)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    yield log, stream
    log.removeHandler(handler)
    log.propagate = True


def documents(stream: io.StringIO) -> list[dict[str, object]]:
    """The documents of all lines."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_is_one_document_with_its_fields(written: Lines) -> None:
    log, stream = written
    event(log, logging.INFO, "match", "match %s is over", "m1", bots=("a", "b"), league="spring")
    [document] = documents(stream)
    assert document["event"] == "match"
    assert document["message"] == "match m1 is over"
    assert document["bots"] == ["a", "b"]
    assert document["league"] == "spring"
    assert str(document["time"]).endswith("+00:00")


def test_a_line_that_holds_lines_stays_one_line_and_a_traceback_is_a_field(written: Lines) -> None:
    log, stream = written
    try:
        raise ValueError("two\nlines")
    except ValueError:
        log.exception("it failed\n%s", "花札")
    [document] = documents(stream)
    assert document["event"] == "log"
    assert document["message"] == "it failed\n花札"
    assert "ValueError: two" in str(document["traceback"])


def test_a_field_takes_the_place_of_no_part_of_the_line(written: Lines) -> None:
    log, stream = written
    event(log, logging.INFO, "match", "text", level="fatal", bot="a")
    [document] = documents(stream)
    assert document["level"] == "info"
    assert document["bot"] == "a"


def test_what_strangers_cause_is_held_back_and_nothing_else_is(written: Lines) -> None:
    log, stream = written
    for number in range(BURST * 3):
        event(log, logging.INFO, "refusal", "refused %d", number, limited=True)
    for _ in range(BURST * 3):
        event(log, logging.INFO, "match", "over")
    kinds = [document["event"] for document in documents(stream)]
    assert kinds.count("refusal") == BURST
    assert kinds.count("match") == BURST * 3


def test_what_a_library_logs_of_strangers_is_held_back_too() -> None:
    limit = RateLimit(refill_s=1e9)
    lines = [logging.LogRecord("grpc._cython", logging.ERROR, "", 0, "raised", (), None) for _ in range(BURST * 3)]
    assert sum(map(limit.filter, lines)) == BURST


def test_the_next_line_tells_how_many_were_held_back() -> None:
    limit = RateLimit(burst=1, refill_s=0.0 + 1e-9)
    records = [logging.LogRecord("arena", logging.INFO, "", 0, "refused %d", (n,), None) for n in range(3)]
    for record in records:
        record.arena_event, record.arena_limited, record.arena_fields = "refusal", True, {}
    assert limit.filter(records[0])
    limit._buckets["refusal"] = (0.0, 1e18, 0)
    assert not limit.filter(records[1])
    limit._buckets["refusal"] = (1.0, 0.0, 1)
    assert limit.filter(records[2])
    assert records[2].getMessage() == "refused 2 (1 more like it were held back)"
