"""A node's traces, as an OpenTelemetry collector gets them."""

import hashlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from arena_command import document, done, league_file, league_is_over, refused, running, until
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue
from opentelemetry.proto.trace.v1.trace_pb2 import Span


class Collector(ThreadingHTTPServer):
    """Takes spans over HTTP, as collectors do."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.services: set[str] = set()
        self.spans: list[Span] = []

    @property
    def url(self) -> str:
        """Where it is, as `--traces` takes it."""
        return f"http://127.0.0.1:{self.server_port}"

    def take(self, request: ExportTraceServiceRequest) -> None:
        """Keep what was sent."""
        for resource in request.resource_spans:
            self.services |= {
                attribute.value.string_value
                for attribute in resource.resource.attributes
                if attribute.key == "service.name"
            }
            for scope in resource.scope_spans:
                self.spans += scope.spans


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/traces":
            self.server.take(ExportTraceServiceRequest.FromString(body))
        self.send_response(200 if self.path == "/v1/traces" else 404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""


@contextmanager
def collector() -> Iterator[Collector]:
    """A collector that runs while the body does."""
    with Collector() as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        try:
            yield made
        finally:
            made.shutdown()
            thread.join()


def told(span: Span) -> dict[str, object]:
    """The attributes of a span."""
    return {attribute.key.removeprefix("arena."): _value(attribute.value) for attribute in span.attributes}


def _value(value: AnyValue) -> object:
    if value.HasField("array_value"):
        return [_value(one) for one in value.array_value.values]
    kind = value.WhichOneof("value")
    return None if kind is None else getattr(value, kind)


def play_league(folder: Path, url: str, *options: str) -> list[str]:
    """Have a node that sends traces there play a league, and end; what the node said."""
    data = folder / "data"
    file = league_file(folder, ("house:random", "house:greedy"), rounds=1, boards=1, more="options = { months = 1 }\n")
    with running("serve", "--listen", "127.0.0.1:0", "--data", data, "--traces", url, *options, cwd=folder) as run:
        run.wait_for("listening on")
        done("league", "open", file, "--data", data)
        done("league", "start", "spring", "--data", data)
        until(lambda: league_is_over(folder, "--data", str(data)), "the league is over")
        run.process.send_signal(signal.SIGTERM)
        assert run.end() == 0
    return run.lines


def test_a_league_is_a_span_a_match_and_one_a_decision(tmp_path: Path) -> None:
    with collector() as taken:
        play_league(tmp_path, taken.url, "--trace-decisions")
    assert taken.services == {"hanafuda-arena"}
    listed = document("replay", "list", "--league", "spring", "--data", tmp_path / "data")
    matches = {str(told(span)["match"]): span for span in taken.spans if span.name == "match"}
    assert matches.keys() == {one["replay"] for one in listed["replays"]}
    for name, span in matches.items():
        known = told(span)
        decisions = [one for one in taken.spans if one.name == "decision" and one.parent_span_id == span.span_id]
        assert span.trace_id == hashlib.sha256(name.encode()).digest()[:16]
        assert {decision.trace_id for decision in decisions} == {span.trace_id}
        assert len(decisions) == known["decisions"] > 10  # type: ignore[operator]
        assert (known["league"], known["variant"], known["end"]) == ("spring", "koikoi", "completed")
        assert {told(decision)["bot"] for decision in decisions} == set(known["bots"])  # type: ignore[call-overload]
        in_order = sorted(decisions, key=lambda one: one.start_time_unix_nano)
        ends = [span.start_time_unix_nano, *(one.end_time_unix_nano for one in in_order)]
        assert all(one.start_time_unix_nano >= end for one, end in zip(in_order, ends, strict=False))
        assert [event.name for event in span.events] == ["begins"]


def test_a_collector_that_hangs_keeps_no_node_from_playing_and_ending(tmp_path: Path) -> None:
    with Collector() as deaf:  # it listens, and reads nothing
        assert not any("Traceback" in line for line in play_league(tmp_path, deaf.url))


def test_what_cannot_be_traced_is_refused(tmp_path: Path) -> None:
    def said(*options: str) -> str:
        return refused("serve", *options, "--data", tmp_path / "data")

    assert "goes with --traces" in said("--trace-decisions")
    assert "takes the URL of a collector" in said("--traces", "127.0.0.1:4318")
    assert "OTEL_EXPORTER_OTLP_HEADERS" in said("--traces", "http://me:secret@127.0.0.1:4318")
    assert not (tmp_path / "data").exists()


def test_a_node_that_sends_no_traces_loads_nothing_that_sends_them() -> None:
    script = "import sys, arena.cli.serve, arena.node.node; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "arena.node.node" in loaded
    assert not {"arena.node.traces", "opentelemetry.exporter", "opentelemetry.sdk.trace"} & set(loaded)
