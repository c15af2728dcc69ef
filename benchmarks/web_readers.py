"""What live readers cost a league that is being played: matches a second with 1,000 of them, and with none."""

import asyncio
import http.client
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

import uvloop

from arena.league.reader import parse_league
from arena.node.node import running_node
from arena.organizer.entries import check, entrants_of
from arena.organizer.steps import create, start
from arena.store import Store
from arena.web.app import create_app
from arena.web.serving import serving
from arena.web.site.routes import site_routes
from benchmarks import Result

READERS = 1_000
PAIRS = 3
_BOTS = 64
_ROUNDS = 8
_BOARDS = 4


def measure() -> list[Result]:
    """`web.readers.1000`: the share of a league's matches/s that the readers cost; the median of `PAIRS` pairs of runs.

    Pages and league are in one process, as in `arena serve --web`; the readers are in one of their own, and each
    fetches the page anew as often as the page's script would.
    """
    costs = []
    speeds: dict[int, list[float]] = {0: [], READERS: []}
    for _ in range(PAIRS):
        for readers, found in speeds.items():
            found.append(uvloop.run(_league(readers)))
        costs.append(1 - speeds[READERS][-1] / speeds[0][-1])
    return [
        Result(f"web.readers.{READERS}", statistics.median(costs), "ratio"),
        Result("web.readers.0.matches", statistics.median(speeds[0]), "matches/s"),
        Result(f"web.readers.{READERS}.matches", statistics.median(speeds[READERS]), "matches/s"),
    ]


async def _league(readers: int) -> float:
    """The matches/s of a league with so many readers."""
    entries = ", ".join(f'{{ name = "bot-{n:02}", bot = "house:random" }}' for n in range(_BOTS))
    division = f'[[divisions]]\nvariant = "koikoi"\nrounds = {_ROUNDS}\nboards = {_BOARDS}\n'
    spec = parse_league(f'name = "bench"\nsecret = "{"00" * 32}"\nentries = [{entries}]\n{division}', "bench.toml")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder, socket.create_server(("127.0.0.1", 0)) as listening:
        listening.listen(READERS)
        async with await Store.open(Path(folder)) as store:
            await create(store, spec, await entrants_of(store, spec, check(spec, Path(folder))))
            async with serving(create_app(site_routes(store)), listening):
                port = listening.getsockname()[1]
                command = [sys.executable, "-m", "benchmarks.web_readers", str(port), str(readers)]
                process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
                assert process.stdout is not None
                try:
                    await process.stdout.readline()  # they are all there
                    began = time.perf_counter()
                    await start(store, spec.name)
                    async with running_node(store, Path(folder), in_process=True) as node:
                        while (league := await store.leagues.get(spec.name)).state != "finished":
                            await node.progress(timeout=1.0)
                    seconds = time.perf_counter() - began
                finally:
                    process.terminate()
                    await process.wait()
    return league.divisions[0].played / seconds


async def _read(port: int, count: int) -> None:
    """Be so many readers until the end; a line is printed when all of them are live."""
    live = asyncio.Semaphore(0)
    readers = [asyncio.create_task(_reader(port, live)) for _ in range(count)]
    for _ in readers:
        await live.acquire()
    print("live", flush=True)
    await asyncio.get_running_loop().create_future()


async def _reader(port: int, live: asyncio.Semaphore) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /leagues/bench/events HTTP/1.1\r\nhost: bench\r\n\r\n")
    fetch_at = 0.0
    waits = True
    while line := await reader.readline():
        if waits and line.startswith(b"data:"):
            live.release()
            waits = False
        refresh = line.partition(b'"refresh_s":')[2]
        if refresh and time.monotonic() >= fetch_at:
            fetch_at = time.monotonic() + float(refresh.rstrip(b"}\r\n"))
            await asyncio.to_thread(_fetch, port)


def _fetch(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/leagues/bench", headers={"accept-encoding": "gzip"})
    connection.getresponse().read()
    connection.close()


if __name__ == "__main__":
    asyncio.run(_read(int(sys.argv[1]), int(sys.argv[2])))
