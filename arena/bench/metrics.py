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
from arena.metrics import instruments, meters
from arena.metrics.exposition import Exposition
from arena.node import job_loop
from arena.node.metered import MeteredJournal
from arena.node.process import tune_process

STREAMS = 64
WIRE_PAIRS = 15
LEAGUE_PAIRS = 7
SECONDS = 0.8
DECISIONS = 1_000_000
CALLS = 300_000
LEAGUE = (2, 4)
"""Rounds and boards of the leagues."""


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
    league = [_pair(lambda: uvloop.run(connected_matches(*LEAGUE)), first=n % 2 == 0) for n in range(LEAGUE_PAIRS)]
    return [
        Result("metrics.decision", 1e9 * _decision_s(), "ns"),
        *_of_matches(),
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


def _of_matches() -> Iterator[Result]:
    """What counting takes of a match of a league, by how often it is done, and in percent of all that a match takes."""
    calls = dict.fromkeys(_COUNTED, 0)
    with contextlib.ExitStack() as stack:
        for owner, name in _COUNTED:
            stack.enter_context(_watched(owner, name, calls))
        before, began = _played(), time.process_time()
        uvloop.run(connected_matches(*LEAGUE))
        spent = time.process_time() - began
        matches, decisions = (now - then for now, then in zip(_played(), before, strict=True))
    counting = sum(number * _call_s(counted) for counted, number in calls.items()) + decisions * _decision_s()
    yield Result("metrics.match", 1e6 * counting / matches, "us")
    yield Result("metrics.match.share", 100 * counting / spent, "%")


def _played() -> tuple[float, float]:
    """How many matches and decisions were counted so far."""
    shares = (series for (_, share), series in meters.decisions.series.items() if share == "arena")
    return sum(meters.matches.values.values()), sum(sum(series.counts) for series in shares)


@contextlib.contextmanager
def _watched(owner: type, name: str, calls: dict[tuple[type, str], int]) -> Iterator[None]:
    """Count how often a method is called while the body runs."""
    method = getattr(owner, name)

    def called(*arguments: object, **more: object) -> None:
        calls[owner, name] += 1
        method(*arguments, **more)

    setattr(owner, name, called)
    try:
        yield
    finally:
        setattr(owner, name, method)


def _call_s(counted: tuple[type, str]) -> float:
    """What one call takes, in seconds of the processor."""
    call: Callable[..., None] = getattr(
        meters.store_exchanges if counted == _COUNTED[0] else meters.matches, counted[1]
    )
    arguments = (0.001,) if counted == _COUNTED[0] else ("league", "koikoi", "measured")
    began = time.process_time()
    for _ in range(CALLS):
        call(*arguments)
    return (time.process_time() - began) / CALLS


_COUNTED: tuple[tuple[type, str], ...] = ((instruments.Histogram, "observe"), (instruments.Counter, "add"))


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
    """Count nothing while the body runs."""
    replaced = {
        (instruments.Histogram, "observe"): _nothing,
        (instruments.Counter, "add"): _nothing,
        (job_loop, "MeteredJournal"): lambda _, journal: journal,
    }
    before = {(owner, name): getattr(owner, name) for owner, name in replaced}
    for (owner, name), value in replaced.items():
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
