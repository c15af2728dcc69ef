"""What the metrics cost: decisions and matches a second with them, as a part of those without, in one run.

Both are measured in turn, many times, one right after the other; the ratios are medians over these pairs: of the rates,
and of the processor time that the node's process takes for each, on which other processes have less influence. Without
metrics nothing is counted or timed, and matches have no journal that measures; with them, the whole is also written out
once a second, which is more often than Prometheus asks for it.
"""

import asyncio
import contextlib
import itertools
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import NamedTuple

import uvloop

from arena.bench import Result, say
from arena.bench.league import connected_matches
from arena.bench.wire import Counter, metered_server, rate
from arena.match.journal import Journal, Played
from arena.metrics import instruments
from arena.metrics.exposition import Exposition
from arena.node import job_loop
from arena.node.metered import MeteredJournal
from arena.node.process import tune_process

STREAMS = 64
WIRE_PAIRS = 15
LEAGUE_PAIRS = 7
SECONDS = 0.8
DECISIONS = 1_000_000


class Ratio(NamedTuple):
    """What a pair of runs gave: with metrics over without them."""

    rate: float
    processor: float
    """Of the processor time a decision, or of a whole league."""


def measure() -> list[Result]:
    """One run of each."""
    say("decisions over the wire with and without metrics")
    wire = uvloop.run(_wire())
    say("matches of a league with and without metrics")
    league = [_pair(lambda: uvloop.run(connected_matches(2, 4)), first=n % 2 == 0) for n in range(LEAGUE_PAIRS)]
    return [
        Result("metrics.decision", 1e9 * _decision_s(), "ns"),
        *_results("metrics.wire", wire),
        *_results("metrics.league", league),
    ]


def _decision_s() -> float:
    """What counting a decision takes by itself, in seconds of the processor."""
    spent = {}
    entry = Played(0, 0, 12, None, 0)
    for counted, journal in _JOURNALS.items():
        write = journal("koikoi", Counter()).write
        began = time.process_time()
        for _ in range(DECISIONS):
            write(entry)
        spent[counted] = time.process_time() - began
    return (spent[True] - spent[False]) / DECISIONS


def _results(name: str, ratios: Sequence[Ratio]) -> Iterator[Result]:
    yield Result(name, statistics.median(ratio.rate for ratio in ratios), "ratio")
    yield Result(f"{name}.cpu", statistics.median(ratio.processor for ratio in ratios), "ratio")


def _pair(run: Callable[[], float], *, first: bool) -> Ratio:
    """A league with metrics and one without, one after the other; `first` says whether with them first."""
    rates, spent = {}, {}
    for counted in (first, not first):
        with contextlib.nullcontext() if counted else _uncounted():
            began = time.process_time()
            rates[counted] = run()
            spent[counted] = time.process_time() - began
    return Ratio(rates[True] / rates[False], spent[True] / spent[False])


@contextlib.contextmanager
def _uncounted() -> Iterator[None]:
    """Nothing is counted while the body runs."""
    held = {
        (instruments.Histogram, "observe"): _nothing,
        (instruments.Counter, "add"): _nothing,
        (job_loop, "MeteredJournal"): lambda _, journal: journal,
    }
    before = {(owner, name): getattr(owner, name) for owner, name in held}
    for (owner, name), value in held.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for (owner, name), value in before.items():
            setattr(owner, name, value)


def _nothing(*_: object, **__: object) -> None:
    """Count nothing."""


_JOURNALS: dict[bool, Callable[[str, Journal], Journal]] = {True: MeteredJournal, False: lambda _, journal: journal}
"""The journal of a match, by whether it measures."""


async def _wire() -> list[Ratio]:
    tune_process()
    ratios = []
    for n in range(WIRE_PAIRS):
        rates, spent = {}, {}
        for counted in (n % 2 == 0, n % 2 == 1):
            with tempfile.TemporaryDirectory(prefix="wire-") as folder:
                async with metered_server(f"unix:{folder}/s", STREAMS, _JOURNALS[counted]) as count, _written(counted):
                    began, before = time.process_time(), count()
                    rates[counted] = await rate(count, SECONDS)
                    spent[counted] = (time.process_time() - began) / (count() - before)
        ratios.append(Ratio(rates[True] / rates[False], spent[True] / spent[False]))
    return ratios


@contextlib.asynccontextmanager
async def _written(counted: bool) -> AsyncIterator[None]:
    """Write all metrics out once a second while the body runs, if they are counted."""
    exposition = Exposition()

    async def write() -> None:
        for _ in itertools.count():
            await asyncio.sleep(1)
            exposition.text()

    writing = asyncio.create_task(write() if counted else asyncio.sleep(0))
    try:
        yield
    finally:
        writing.cancel()
        await asyncio.wait((writing,))
