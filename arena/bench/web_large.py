"""The pages of a large arena while a thousand people watch one match: how soon they answer, what it costs a league."""

import asyncio
import contextlib
import json
import os
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import NamedTuple

import uvloop

from arena.bench import Result, say
from arena.bench.house_leagues import create, finished, house_league
from arena.bench.processor_time import children, is_of_pages, processor_s
from arena.bench.site import house_record
from arena.bench.web_visitors import answered
from arena.match.journal import Played
from arena.match.live import LiveMatches
from arena.match.model import MatchSpec
from arena.node.node import Node, running_node
from arena.organizer.steps import start
from arena.replays import ReplayRecord
from arena.replays.verify import start as begin
from arena.store import Store
from arena.web.beside import site_process

BOTS = 10_000
ROUNDS = 1_000
SPECTATORS = 1_000
RUNS = 3
MOVE_S = 0.5
"""How long each move of the match takes that is watched."""
_MATCH = "watched"
_DIVISION = '[[divisions]]\nvariant = "koikoi"\nrounds = {}\nboards = {}'
_SHORT = "\noptions = {{ months = 1 }}"
_LOWEST = 19


class _Run(NamedTuple):
    """A league's matches/s, seconds of a processor that node and store take for a match, shares of a processor.

    `looks` is how soon pages answered meanwhile, in seconds, with their addresses.
    """

    matches: float
    cpu: float
    pages: float
    spectators: float
    looks: list[tuple[float, int, str]]
    shown: int
    refused: int


def measure() -> list[Result]:
    """`web.large.median` and `.most`: pages of an arena with a league of `BOTS` bots, one of `ROUNDS` rounds and one
    that is played as fast as can be, while `SPECTATORS` watch a match; the second is that of 99 of 100.

    `web.spectators` is the share of the league's matches/s that the spectators cost, the median of `RUNS` pairs of
    leagues with and without them; somebody looks at pages in both. `.cpu` is by how much more processor time node and
    store take for a match, `.pages` and `.own` are the shares of a processor that the process of the pages and that of
    the spectators take, `.shown` how many events they get in a second. Spectators ask as the page's script does. Their
    process has the lowest priority, as they are no part of the arena.
    """
    return uvloop.run(_measure())


async def _measure() -> list[Result]:
    record = await house_record("koikoi", _MATCH)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        data = Path(folder)
        async with await Store.open(data) as store:
            async with running_node(store, data) as node:
                for name, bots, rounds in (("many", BOTS, 1), ("long", 4, ROUNDS)):
                    say(f"a league of {bots:,} bots and {rounds:,} rounds is played")
                    text = house_league(bots, _DIVISION.format(rounds, 1) + _SHORT.format(), "a-bot-of-number-{:05}")
                    await _play(store, node, data, name, text)
            runs = []
            for number in range(RUNS):
                for spectators in (0, SPECTATORS):
                    say(f"a league's matches/s, {spectators:,} spectators, {number + 1} of {RUNS}")
                    runs.append(await _run(store, data, record, f"fast-{number}-{spectators}", spectators))
    alone, watched = runs[::2], runs[1::2]
    return [*_looked(watched), *_costs(alone, watched)]


def _looked(runs: Sequence[_Run]) -> list[Result]:
    looks = sorted(look for run in runs for look in run.looks)
    wrong = [(status, address) for _, status, address in looks if status != 200 and not address.endswith(_MATCH)]
    assert not wrong, wrong
    seconds = [look[0] for look in looks]
    for took, _, address in looks[-8:]:
        say(f"{took:.3f} s: {address}")
    return [
        Result("web.large.median", statistics.median(seconds), "s"),
        Result("web.large.most", seconds[int(0.99 * len(seconds))], "s"),
        Result("web.large.looks", len(seconds), "answers"),
    ]


def _costs(alone: Sequence[_Run], watched: Sequence[_Run]) -> list[Result]:
    pairs = list(zip(alone, watched, strict=True))
    costs = [1 - run.matches / base.matches for base, run in pairs]
    name = f"web.spectators.{SPECTATORS}"
    return [
        Result(name, statistics.median(costs), "ratio"),
        Result(f"{name}.cpu", statistics.median(run.cpu / base.cpu - 1 for base, run in pairs), "ratio"),
        Result(f"{name}.pages", statistics.median(run.pages for run in watched), "ratio"),
        Result(f"{name}.own", statistics.median(run.spectators for run in watched), "ratio"),
        Result(f"{name}.matches", statistics.median(run.matches for run in watched), "matches/s"),
        Result(f"{name}.shown", statistics.median(run.shown for run in watched), "events/s"),
        Result(f"{name}.refused", sum(run.refused for run in watched), "answers"),
    ]


async def _play(store: Store, node: Node, data: Path, name: str, text: str) -> int:
    """Play a league to its end; how many matches it has."""
    await create(store, text, data, name)
    await start(store, name)
    return (await finished(store, node, name)).divisions[0].played


async def _run(store: Store, data: Path, record: ReplayRecord, name: str, spectators: int) -> _Run:
    """Play a league at the side of a match that so many watch."""
    live = LiveMatches()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        listening.listen(SPECTATORS)
        async with running_node(store, data, live=live) as node, _playing(live, record), site_process(listening, data):
            await answered(port)
            watching = await _program("web_spectators", port, spectators, _MATCH) if spectators else None
            looking = await _program("web_looks", port, BOTS, ROUNDS, _MATCH, name)
            assert store.embedded is not None
            [pages] = [pid for pid in children() if is_of_pages(pid)]
            pids = (store.embedded.pid, pages, *([watching.pid] if watching else []))
            before = [processor_s(pid) for pid in pids]
            began, own_began = time.perf_counter(), time.process_time()
            played = await _play(store, node, data, name, house_league(64, _DIVISION.format(16, 8), "bot-{:02}"))
            seconds, own_s = time.perf_counter() - began, time.process_time() - own_began
            of_store, *shares = (processor_s(pid) - then for pid, then in zip(pids, before, strict=True))
            of_pages, of_spectators = (used_s / seconds for used_s in (*shares, 0.0)[:2])
            looks = json.loads(await _output(looking))
            shown, refused = map(int, (await _output(watching)).split()) if watching else (0, 0)
    return _Run(
        matches=played / seconds,
        cpu=(own_s + of_store) / played,
        pages=of_pages,
        spectators=of_spectators,
        looks=[tuple(look) for look in looks],
        shown=round(shown / seconds),
        refused=refused,
    )


@contextlib.asynccontextmanager
async def _playing(live: LiveMatches, record: ReplayRecord) -> AsyncIterator[None]:
    """A match that is played at a person's pace, over and over, until the end of the block."""

    async def play() -> None:
        choices, _ = begin(record).apply_packed(record.packed, record.decisions)
        while True:
            spec = MatchSpec(_MATCH, record.variant, record.seed, record.names, record.options)
            with live.playing(spec, None, (), whole=True) as match:
                for choice in choices:
                    match.write(Played(0, choice, 0, None, 0))
                    await asyncio.sleep(MOVE_S)

    task = asyncio.create_task(play())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait([task])


async def _program(module: str, *arguments: object) -> asyncio.subprocess.Process:
    """A program of this package, once it says that it has begun."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"arena.bench.{module}", *map(str, arguments)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=1 << 26,
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, _LOWEST if module == "web_spectators" else 0)
    assert process.stdout is not None
    await process.stdout.readline()
    return process


async def _output(process: asyncio.subprocess.Process) -> bytes:
    """End a program; what it tells."""
    output, _ = await process.communicate(b"")
    return output
