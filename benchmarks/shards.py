"""Leagues on a cluster: `python -m benchmarks.shards [--masters 1 6] [--leagues 24] [--bots 300] [--nodes 12]`.

All keys of a league lie on one master. The same leagues are played at the same time on clusters of so many masters,
each a process of its own, by nodes that wait in place of playing (`benchmarks.many_nodes`). Of each master the table
has its leagues, the processor time that it took, and by what its memory grew.
"""

import argparse
import asyncio
import bisect
import contextlib
import random
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psutil
import uvloop

from arena.bench.house_leagues import house_league, parsed
from arena.node.process import tune_process
from arena.organizer import steps
from arena.organizer.entries import check, entrants_of
from arena.store import Scope, Store
from arena.store.embedded import find_binary
from benchmarks.many_nodes import light_nodes

SLOTS = 16384
_DURABLE = ("--save", "", "--appendonly", "yes", "--appendfsync", "always")
_LOOK_S = 0.5
_START_S = 60.0
_LEASE_MS = 120_000
"""All nodes share one event loop here, which renews no lease while it is busy with others."""
_MEBIBYTE = 1 << 20


class Server:
    """A master of the cluster."""

    def __init__(self, port: int, process: psutil.Process) -> None:
        self.port = port
        self._process = process

    def ask(self, command: str) -> str:
        """What it answers to a command."""
        with socket.create_connection(("127.0.0.1", self.port), 10) as line:
            line.sendall(command.encode() + b"\r\n")
            return line.recv(1 << 16).decode(errors="replace")

    def wait_for(self, command: str, answer: str) -> None:
        """Wait until it answers so. Raises TimeoutError."""
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            with contextlib.suppress(ConnectionRefusedError):
                if answer in self.ask(command):
                    return
            time.sleep(0.05)
        raise TimeoutError(f"the server at port {self.port} does not answer {command} with {answer.strip()}")

    def used(self) -> tuple[float, float]:
        """Seconds of the processor, and MiB."""
        return sum(self._process.cpu_times()[:2]), self._process.memory_info().rss / _MEBIBYTE


class Run(NamedTuple):
    """How leagues were played: of each master its leagues, seconds of the processor and MiB; and of all nodes."""

    masters: Sequence[tuple[int, float, float]]
    nodes: float
    clock: float
    matches: int


@contextlib.contextmanager
def cluster(folder: Path, masters: int) -> Iterator[list[Server]]:
    """So many masters, which share the slots."""
    bounds = _bounds(masters)
    with ExitStack() as stack:
        servers = []
        for number in range(masters):
            (place := folder / f"master-{number}").mkdir()
            port = _free_port()
            command = [
                str(find_binary()),
                "--port",
                str(port),
                "--dir",
                str(place),
                "--cluster-enabled",
                "yes",
                *_DURABLE,
            ]
            process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL))
            stack.callback(process.kill)
            servers.append(Server(port, psutil.Process(process.pid)))
        for server, first, following in zip(servers, bounds, bounds[1:], strict=False):
            server.wait_for("PING", "PONG")
            server.ask(f"CLUSTER ADDSLOTSRANGE {first} {following - 1}")
            server.ask(f"CLUSTER MEET 127.0.0.1 {servers[0].port}")
        for server in servers:
            server.wait_for("CLUSTER INFO", f"cluster_known_nodes:{masters}\r")
            server.wait_for("CLUSTER INFO", "cluster_state:ok")
        yield servers


def _free_port() -> int:
    """A port that is free, as is the one 10,000 above, which the cluster's servers use among themselves."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as first, socket.socket() as second, contextlib.suppress(OSError):
            first.bind(("127.0.0.1", port))
            second.bind(("127.0.0.1", port + 10_000))
            return port


def _bounds(masters: int) -> list[int]:
    """The first slot of each master, and what is behind the last."""
    return [round(SLOTS * share / masters) for share in range(masters + 1)]


async def played(masters: int, leagues: int, bots: int, nodes: int) -> Run:
    """Play the leagues on a cluster of so many masters."""
    with tempfile.TemporaryDirectory(prefix="shards-") as folder, cluster(Path(folder), masters) as servers:
        url = "redis://" + ",".join(f"127.0.0.1:{server.port}" for server in servers)
        open_store = partial(Store.open, redis=url, lease_ms=_LEASE_MS)
        before = [server.used() for server in servers]
        began, own_s = time.perf_counter(), time.process_time()
        async with await open_store() as store:
            names = [f"league-{number}" for number in range(leagues)]
            for name in names:
                text = house_league(bots, "rounds = 2\nboards = 1").replace('"bench"', f'"{name}"', 1)
                spec = parsed(text)
                await steps.create(store, spec, await entrants_of(store, spec, check(spec, Path(folder))))
                await steps.start(store, name)
            async with light_nodes(open_store, nodes, time.process_time):
                while True:
                    states = [await store.leagues.get(name) for name in names]
                    if all(league.state == "finished" for league in states):
                        break
                    await asyncio.sleep(_LOOK_S)
        own_s, clock = time.process_time() - own_s, time.perf_counter() - began
        slots = [int(servers[0].ask(f"CLUSTER KEYSLOT {Scope.league(name).head}").strip()[1:]) for name in names]
        owned = Counter(bisect.bisect(_bounds(masters), slot) - 1 for slot in slots)
        used = []
        for number, (server, (processor, memory)) in enumerate(zip(servers, before, strict=True)):
            processor_now, memory_now = server.used()
            used.append((owned[number], processor_now - processor, memory_now - memory))
        return Run(used, own_s, clock, sum(league.played for league in states))


def lines(masters: int, run: Run) -> Iterator[str]:
    """Yield the table of a run."""
    yield f"{masters} masters: {run.matches:,} matches in {run.clock:.0f} s; the nodes took {run.nodes:.1f} s"
    yield "| master | leagues | processor, s | share of the processor | memory, MiB |"
    yield "| --- | --- | --- | --- | --- |"
    total = sum(processor for _, processor, _ in run.masters)
    for number, (leagues, processor, memory) in enumerate(run.masters, start=1):
        yield f"| {number} | {leagues} | {processor:.2f} | {processor / total:.2f} | {memory:.1f} |"
    yield f"| all | {sum(of[0] for of in run.masters)} | {total:.2f} | | {sum(of[2] for of in run.masters):.1f} |"


def main() -> None:
    """Print a table for each number of masters."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--masters", type=int, nargs="+", default=[1, 6])
    parser.add_argument("--leagues", type=int, default=24)
    parser.add_argument("--bots", type=int, default=300)
    parser.add_argument("--nodes", type=int, default=12)
    args = parser.parse_args()
    tune_process()
    for masters in args.masters:
        run = uvloop.run(played(masters, args.leagues, args.bots, args.nodes))
        print(*lines(masters, run), sep="\n", flush=True)


if __name__ == "__main__":
    main()
