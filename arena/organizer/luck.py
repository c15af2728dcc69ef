"""Works out the luck of a league's matches from their replays, and keeps it: after the matches, never on their way."""

import asyncio
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import msgspec

from arena.analysis.luck import LUCK_NAME, match_luck_of
from arena.analysis.weights import shipped
from arena.league.errors import LuckValueError
from arena.league.spec import LuckValue
from arena.organizer.known_luck import value_key
from arena.organizer.steps import spec_of
from arena.processes import die_with_parent
from arena.replays import decode
from arena.store import League, Store
from arena.store.errors import BoardStillOpenError, UnknownReplayError
from arena.store.records import match_key

_AT_ONCE = 16
"""Matches whose luck is kept together: what a node that is killed loses."""
_LOWEST_PRIORITY = 19


def luck_value(variant: str) -> LuckValue:
    """Return the value by which this program measures the luck of a variant. Raises WeightsError, OSError."""
    return LuckValue(LUCK_NAME, shipped(variant).sha256)


def check_value(variant: str, value: LuckValue) -> None:
    """Check that luck is worked out here as a league has defined it. Raises LuckValueError."""
    current = luck_value(variant)
    if current != value:
        raise LuckValueError(
            f"{variant}: the league measures luck by {value}, this program by {current}; "
            "the release that it was made with can work it out"
        )


def worker_pool(processes: int | None = None, *, idle: bool = False) -> ProcessPoolExecutor:
    """Make a pool of processes, by default one a processor; `idle` ones work when nobody else has anything to do."""
    # Started anew, not forked: the caller has threads.
    return ProcessPoolExecutor(processes or os.cpu_count(), get_context("spawn"), _begin, (os.getpid(), idle))


def _begin(parent: int, idle: bool) -> None:
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if idle:
        os.nice(_LOWEST_PRIORITY)


def match_luck(replay: bytes) -> tuple[float, ...]:
    """Work out the luck of a match by seat. Raises ReplayError, WeightsError, CoreError."""
    return match_luck_of(decode(replay))


async def work_out(
    store: Store,
    league: League,
    pool: ProcessPoolExecutor,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    limit: int | None = None,
) -> int:
    """Work out the luck of the matches that are played and readable, `limit` of them; return how many there were.

    `progress` is called with how many are done, and of how many. A division whose value is not that of this program
    raises LuckValueError. Replays that were removed in the meantime are left out.
    """
    spec = spec_of(league)
    missing: list[tuple[str, LuckValue, int, str]] = []
    for division in spec.divisions:
        if division.luck_value is not None:
            names = await _missing(store, league.name, division.variant, division.luck_value)
            if names:
                check_value(division.variant, division.luck_value)
            missing += [(division.variant, division.luck_value, *match) for match in names]
    missing = missing[:limit]
    done = 0
    for first in range(0, len(missing), _AT_ONCE):
        batch = missing[first : first + _AT_ONCE]
        lucks = await asyncio.gather(*(_luck(store, pool, league.name, match[0], *match[2:]) for match in batch))
        for (variant, value, round_, name), luck in zip(batch, lucks, strict=True):
            if luck is not None:
                raw = msgspec.msgpack.encode(luck)
                await store.findings.keep_luck(league.name, variant, value_key(value), {(round_, name): raw})
                done += 1
        progress(first + len(batch), len(missing))
    return done


async def _missing(store: Store, league: str, variant: str, value: LuckValue) -> list[tuple[int, str]]:
    """The matches that are played and have no luck yet, by round and name."""
    lucks = await store.findings.luck(league, variant, value_key(value))
    missing: list[tuple[int, str]] = []
    for number in await store.leagues.plans(league, variant):
        results = await store.leagues.results(league, variant, number)
        missing += [(number, name) for name in results if match_key(number, name) not in lucks]
    return missing


async def _luck(
    store: Store, pool: ProcessPoolExecutor, league: str, variant: str, round_: int, name: str
) -> tuple[float, ...] | None:
    try:
        replay = await store.replays.get(f"{league}.{variant}.r{round_}.{name}")
    except (BoardStillOpenError, UnknownReplayError):
        return None  # another match is still played on its board, or the operator has removed the replays
    return await asyncio.get_running_loop().run_in_executor(pool, match_luck, replay)
