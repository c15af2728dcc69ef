"""What live readers cost a league that is being played: matches a second with 1,000 of them, and with none."""

import asyncio
import os
import random
import socket
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import cast

import uvloop

from arena.node.node import running_node
from arena.organizer.steps import start
from arena.store import Store
from arena.web.app import create_app
from arena.web.serving import serving
from arena.web.site.routes import site_routes
from benchmarks import Result, say
from benchmarks.house_leagues import create, finished, house_league

READERS = 1_000
PAIRS = 3
_BOTS = 64
_ROUNDS = 8
_BOARDS = 4


def measure() -> list[Result]:
    """`web.readers.1000`: the share of a league's matches/s that the readers cost; the median of `PAIRS` pairs of runs.

    Pages and league are in one process, as in `arena serve --web`; the readers are in one of their own, which takes
    only the processor time that the arena leaves. Each fetches the page anew as often as the page's script would.
    `.cpu` is by how much more processor time the arena's process takes for a match: it says more on a busy machine.
    """
    costs, cpu_costs = [], []
    speeds: dict[int, list[float]] = {0: [], READERS: []}
    cpu: dict[int, list[float]] = {0: [], READERS: []}
    for pair in range(PAIRS):
        for readers in speeds:
            say(f"a league with {readers} readers, {pair + 1} of {PAIRS}")
            matches_s, cpu_s = uvloop.run(_league(readers))
            speeds[readers].append(matches_s)
            cpu[readers].append(cpu_s)
        costs.append(1 - speeds[READERS][-1] / speeds[0][-1])
        cpu_costs.append(cpu[READERS][-1] / cpu[0][-1] - 1)
    return [
        Result(f"web.readers.{READERS}", statistics.median(costs), "ratio"),
        Result(f"web.readers.{READERS}.cpu", statistics.median(cpu_costs), "ratio"),
        Result("web.readers.0.matches", statistics.median(speeds[0]), "matches/s"),
        Result(f"web.readers.{READERS}.matches", statistics.median(speeds[READERS]), "matches/s"),
    ]


async def _league(readers: int) -> tuple[float, float]:
    """The matches/s of a league with so many readers, and the processor time of this process for a match in seconds."""
    division = f'[[divisions]]\nvariant = "koikoi"\nrounds = {_ROUNDS}\nboards = {_BOARDS}'
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        listening.listen(READERS)
        async with await Store.open(Path(folder)) as store:
            await create(store, house_league(_BOTS, division, "bot-{:02}"), Path(folder))
            async with serving(create_app(site_routes(store)), listening):
                port = listening.getsockname()[1]
                command = [sys.executable, "-m", "benchmarks.web_readers", str(port), str(readers)]
                process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
                assert process.stdout is not None
                try:
                    await process.stdout.readline()  # they are all there
                    began, cpu_began = time.perf_counter(), time.process_time()
                    await start(store, "bench")
                    async with running_node(store, Path(folder), in_process=True) as node:
                        league = await finished(store, node)
                    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu_began
                finally:
                    process.terminate()
                    await process.wait()
    played = league.divisions[0].played
    return played / seconds, cpu / played


class _Reader(asyncio.Protocol):
    """Follows the league's events, and fetches its page at the moments that they name."""

    def __init__(self, port: int, live: asyncio.Semaphore) -> None:
        self._port = port
        self._live = live
        self._is_live = False
        self._fetch_at = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.WriteTransport", transport).write(b"GET /leagues/bench/events HTTP/1.1\r\nhost: bench\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        if b"data: " not in data:
            return
        if not self._is_live:  # this is how the league stands; what follows are changes
            self._is_live = True
            self._live.release()
            return
        refresh = data.rpartition(b'"refresh_s":')[2].partition(b"}")[0]
        if time.monotonic() >= self._fetch_at:
            # As the page's script does: readers fetch at different moments.
            wait_s = float(refresh) * (0.5 + random.random())
            self._fetch_at = time.monotonic() + wait_s
            asyncio.get_running_loop().call_later(wait_s, self._fetch)

    def _fetch(self) -> None:
        fetching = asyncio.get_running_loop().create_connection(_Fetch, "127.0.0.1", self._port)
        _FETCHES.add(task := asyncio.ensure_future(fetching))
        task.add_done_callback(_FETCHES.discard)


class _Fetch(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.WriteTransport", transport).write(
            b"GET /leagues/bench HTTP/1.1\r\nhost: bench\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n"
        )


_FETCHES: set[asyncio.Future[tuple[asyncio.Transport, _Fetch]]] = set()


async def _read(port: int, count: int) -> None:
    """Be so many readers until the end; a line is printed when all of them are live."""
    os.nice(19)
    live = asyncio.Semaphore(0)
    loop = asyncio.get_running_loop()
    for _ in range(count):
        await loop.create_connection(partial(_Reader, port, live), "127.0.0.1", port)
    for _ in range(count):
        await live.acquire()
    print("live", flush=True)
    await loop.create_future()


if __name__ == "__main__":
    uvloop.run(_read(int(sys.argv[1]), int(sys.argv[2])))
