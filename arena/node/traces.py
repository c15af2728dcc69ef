"""Traces of matches, by OpenTelemetry: a span a match and, where that is wanted, a span a decision.

Imported only by a node that is to send traces: `pip install 'hanafuda-arena[traces]'`.
"""

import asyncio
import hashlib
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from importlib.metadata import version
from typing import Any

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span, Tracer, set_span_in_context

from arena.match.journal import Entry, Journal, Played

SERVICE = "hanafuda-arena"
_EXPORT_S = 5.0
"""How long the collector may take for a batch; one that it does not take is lost."""
_LAST_S = 2.0
"""How long a node that ends waits until the collector has the last spans."""
_MS = 1_000_000
"""Nanoseconds."""


@asynccontextmanager
async def sent_to(url: str, *, decisions: bool) -> AsyncIterator["MatchTraces"]:
    """Traces that go to a collector, at the URL to which OTLP over HTTP is posted, while the body runs."""
    processor = BatchSpanProcessor(OTLPSpanExporter(endpoint=url, timeout=_EXPORT_S))
    try:
        yield MatchTraces(processor, decisions=decisions)
    finally:
        # A collector that hangs would hold the node up for longer than it may take to end.
        ending = threading.Thread(target=processor.shutdown, daemon=True)
        ending.start()
        await asyncio.to_thread(ending.join, _LAST_S)


class MatchTraces:
    """The traces of the matches that a node plays, given to a processor of spans."""

    def __init__(self, processor: SpanProcessor, *, decisions: bool) -> None:
        self._ids, self._decisions = _MatchIds(), decisions
        resource = Resource.create({SERVICE_NAME: SERVICE, SERVICE_VERSION: version("hanafuda-arena")})
        provider = TracerProvider(resource=resource, id_generator=self._ids, shutdown_on_exit=False)
        provider.add_span_processor(processor)
        self._tracer = provider.get_tracer(__name__)

    @contextmanager
    def match(self, match: str, **facts: Any) -> Iterator["MatchTrace"]:
        """Open the span of a match that a node has taken, by its id, with `facts` about it, while the body runs.

        An error of the body is noted in it.
        """
        self._ids.match = match
        with self._tracer.start_as_current_span("match", attributes=_named({"match": match, **facts})) as span:
            yield MatchTrace(span, self._tracer if self._decisions and span.is_recording() else None)


class MatchTrace:
    """The span of a match, and those of its decisions if there is a tracer for them."""

    def __init__(self, span: Span, tracer: Tracer | None) -> None:
        self._span, self._tracer = span, tracer

    def begins(self, decisions: int) -> None:
        """Note that the match's bots are there, and how many decisions were made before it came here."""
        self._span.add_event("begins", _named({"decisions": decisions}))

    def journal(self, journal: Journal, names: Sequence[str]) -> Journal:
        """The journal of the match between these bots, with a span of each decision where that is wanted."""
        return journal if self._tracer is None else _TracedJournal(journal, self._tracer, self._span, names)

    def over(self, ended: Mapping[str, Any]) -> None:
        """Note how the match ended."""
        self._span.set_attributes(_named(ended))


class _TracedJournal:
    """A match's journal that makes a span of each decision: from the one before, until it is written down."""

    def __init__(self, journal: Journal, tracer: Tracer, match: Span, names: Sequence[str]) -> None:
        self._journal, self._tracer, self._names = journal, tracer, names
        self._within = set_span_in_context(match)
        self._began_ns = time.time_ns()

    def write(self, entry: Entry) -> Awaitable[None] | None:
        """Write an entry down."""
        written = self._journal.write(entry)
        if not isinstance(entry, Played):
            return written
        answered_ns = time.time_ns()
        if written is None:
            self._end(entry, answered_ns)
            return None
        return self._written(entry, answered_ns, written)

    async def _written(self, entry: Played, answered_ns: int, written: Awaitable[None]) -> None:
        await written
        self._end(entry, answered_ns)

    def _end(self, entry: Played, answered_ns: int) -> None:
        now_ns = time.time_ns()
        facts = {
            "bot": self._names[entry.seat],
            "seat": entry.seat,
            "clock_ms": entry.clock_ms,
            "store_ms": (now_ns - answered_ns) / _MS,
            "refused": entry.refused or "",
        }
        span = self._tracer.start_span("decision", self._within, attributes=_named(facts), start_time=self._began_ns)
        span.end(now_ns)
        self._began_ns = now_ns


class _MatchIds(RandomIdGenerator):
    """Makes trace ids of match ids: what several nodes do for a match is one trace."""

    match = ""
    """The match of the span that begins now."""

    def generate_trace_id(self) -> int:
        """Return the trace's id."""
        return int.from_bytes(hashlib.sha256(self.match.encode()).digest()[:16])


def _named(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {f"arena.{name}": value for name, value in attributes.items()}
