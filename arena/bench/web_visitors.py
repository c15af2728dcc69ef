"""What those who look at its pages cost a league that is being played: 1,000 live readers, and a crawl."""

import asyncio
import os
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import uvloop

from arena.bench import Result, say
from arena.bench.house_leagues import create, finished, house_league
from arena.bench.processor_time import children, is_of_pages, processor_s
from arena.node.node import running_node
from arena.organizer.steps import start
from arena.store import Store
from arena.web.beside import site_process

READERS = 1_000
CRAWLERS = 8
RUNS = 3
VISITORS = {f"readers.{READERS}": ("web_readers", READERS), "crawl": ("web_crawl", CRAWLERS)}
_NOBODY = "nobody"
_LOWEST = 19
_BOTS = 64
_ROUNDS = 8
_BOARDS = 4


class _Run(NamedTuple):
    """What a league with visitors came to: its matches/s, seconds of a processor for a match, shares of a processor."""

    matches: float
    cpu: float
    pages: float
    visitors: float
    answers: float


def measure() -> list[Result]:
    """Medians of `RUNS` runs of each kind, taken in turn; as `arena serve --web` does it, pages are beside the node.

    `web.readers.1000` and `web.crawl` are the share of a league's matches/s that these visitors cost. Readers follow
    the league's events, and fetch its page as often as the page's script would; a crawl asks on `CRAWLERS` connections
    for every page that it finds, as fast as it is answered. `.cpu` is by how much more processor time node and store
    take for a match: it says more on a busy machine. `.pages` and `.visitors` are the shares of a processor that the
    process of the pages and the visitors' take, `.answers` how many events and pages the visitors get in a second.

    Visitors are no part of the arena: their process has the lowest priority and may use every processor, also where
    the measurement itself is kept on one (`taskset -c 0 arena bench web`), as node, store and pages are then.
    """
    runs: dict[str, list[_Run]] = {kind: [] for kind in (_NOBODY, *VISITORS)}
    for number in range(RUNS):
        for name, of_kind in runs.items():
            say(f"a league's matches/s: {name}, {number + 1} of {RUNS}")
            of_kind.append(uvloop.run(_league(*VISITORS.get(name, ("", 0)))))
    results = [Result("web.matches", statistics.median(run.matches for run in runs[_NOBODY]), "matches/s")]
    for name in VISITORS:
        pairs = list(zip(runs[_NOBODY], runs[name], strict=True))
        results += [
            Result(
                f"web.{name}", statistics.median(1 - pair.matches / alone.matches for alone, pair in pairs), "ratio"
            ),
            Result(f"web.{name}.cpu", statistics.median(pair.cpu / alone.cpu - 1 for alone, pair in pairs), "ratio"),
            Result(f"web.{name}.matches", statistics.median(run.matches for run in runs[name]), "matches/s"),
            Result(f"web.{name}.pages", statistics.median(run.pages for run in runs[name]), "ratio"),
            Result(f"web.{name}.visitors", statistics.median(run.visitors for run in runs[name]), "ratio"),
            Result(f"web.{name}.answers", statistics.median(run.answers for run in runs[name]), "answers/s"),
        ]
    return results


async def _league(module: str, count: int) -> _Run:
    """Play a league with so many visitors of this kind."""
    division = f'[[divisions]]\nvariant = "koikoi"\nrounds = {_ROUNDS}\nboards = {_BOARDS}'
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        data, port = Path(folder), listening.getsockname()[1]
        listening.listen(READERS)
        async with await Store.open(data) as store, site_process(listening, data):
            assert store.embedded is not None
            await create(store, house_league(_BOTS, division, "bot-{:02}"), data)
            await answered(port)
            visitors = await _visitors(module, port, count) if count else None
            [pages] = [pid for pid in children() if is_of_pages(pid)]
            others = (pages, visitors.pid) if visitors else (pages,)
            pids = (store.embedded.pid, *others)
            cpu_began = [processor_s(pid) for pid in pids]
            began, own_began = time.perf_counter(), time.process_time()
            await start(store, "bench")
            async with running_node(store, data) as node:
                played = (await finished(store, node)).divisions[0].played
                seconds, own_s = time.perf_counter() - began, time.process_time() - own_began
                cpu = [
                    processor_s(pid) - before
                    for pid, before in zip((store.embedded.pid, *others), cpu_began, strict=True)
                ]
            answers = await _answers(visitors) if visitors else 0
    shares = [used_s / seconds for used_s in cpu[1:]] + [0.0]
    return _Run(played / seconds, (own_s + cpu[0]) / played, shares[0], shares[1], answers / seconds)


async def answered(port: int) -> None:
    """Wait until the pages have answered for the first time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET / HTTP/1.0\r\n\r\n")
    await reader.read()
    writer.close()


async def _visitors(module: str, port: int, count: int) -> asyncio.subprocess.Process:
    """The process of the visitors, once all of them are there."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"arena.bench.{module}", str(port), str(count)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, _LOWEST)
    os.sched_setaffinity(process.pid, range(os.cpu_count() or 1))
    assert process.stdout is not None
    await process.stdout.readline()
    return process


async def _answers(visitors: asyncio.subprocess.Process) -> int:
    """End the visitors; how many answers they had."""
    output, _ = await visitors.communicate(b"")
    return int(output)
