"""A league's page with many bots: how soon its first byte is there, and how large it is."""

import asyncio
import http.client
import socket
import statistics
import tempfile
import time
from pathlib import Path

import uvloop

from arena.bench import Result, say
from arena.bench.house_leagues import begin, finished, house_league
from arena.node.node import running_node
from arena.store import Store
from arena.web.app import create_app
from arena.web.serving import serving
from arena.web.site.routes import site_routes
from arena.web.site.watchable import Watchable

BOTS = 1_000
RUNS = 11
_KIB = 1024


def measure() -> list[Result]:
    """Medians: `web.league.N` of the page made anew from tables that are counted, `.cached` of the page sent again.

    `.size` is the compressed page, as it is sent.
    """
    say(f"the page of a league of {BOTS:,} bots")
    return uvloop.run(_measure())


async def _measure() -> list[Result]:
    division = '[[divisions]]\nvariant = "koikoi"\nrounds = 1\nboards = 1\noptions = { months = 1 }'
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        async with await Store.open(Path(folder)) as store:
            await begin(store, house_league(BOTS, division, "a-bot-of-number-{:04}"), Path(folder))
            async with running_node(store, Path(folder)) as node:
                await finished(store, node)
            anew, sizes = [], []
            cached: list[float] = []
            for _ in range(RUNS):
                with socket.create_server(("127.0.0.1", 0)) as listening:
                    port = listening.getsockname()[1]
                    async with serving(create_app(site_routes(store, Watchable(store.snapshots))), listening):
                        await asyncio.to_thread(_first_byte, port, "/api/v1/leagues/bench/table")
                        seconds, size = await asyncio.to_thread(_first_byte, port, "/leagues/bench")
                        anew.append(seconds)
                        sizes.append(size)
                        cached += [(await asyncio.to_thread(_first_byte, port, "/leagues/bench"))[0] for _ in range(5)]
    return [
        Result(f"web.league.{BOTS}", statistics.median(anew), "s"),
        Result(f"web.league.{BOTS}.cached", statistics.median(cached), "s"),
        Result(f"web.league.{BOTS}.size", max(sizes) / _KIB, "KiB"),
    ]


def _first_byte(port: int, path: str) -> tuple[float, int]:
    """Seconds to the first byte of an answer, and the bytes of its body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.connect()
    began = time.perf_counter()
    connection.request("GET", path, headers={"accept-encoding": "gzip"})
    response = connection.getresponse()
    seconds = time.perf_counter() - began
    size = len(response.read())
    connection.close()
    assert response.status == 200, response.status
    return seconds, size
