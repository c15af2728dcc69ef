"""A league as a whole: matches through the store with bots over gRPC, jobs, pairing, memory."""

import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import uvloop

from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from arena.league.spec import canonical, digest, parse_league
from arena.store import Entrant, Store
from arena.worker.entries import check
from arena.worker.node import running_node
from benchmarks import Result, store_jobs

BOTS = 8
ROUNDS = 7
BOARDS = 8
PLAYERS = 9_999
MATCHES_UNDER_WAY = 1_000
JOBS = 30_000


def measure() -> list[Result]:
    """One run of each."""
    return [
        Result("league.matches", uvloop.run(_matches()), "matches/s"),
        Result("store.jobs", store_jobs.jobs_per_second(JOBS), "jobs/s"),
        Result(f"pairing.two.{PLAYERS}", _pairing(PLAYERS), "s"),
        Result(f"node.rss.{MATCHES_UNDER_WAY}", _memory(MATCHES_UNDER_WAY), "MiB"),
    ]


async def _matches() -> float:
    """Whole matches a second, from the start of round 2 (every bot is connected by then) to the end of the league."""
    entries = ", ".join(f'{{ name = "bot-{n}", bot = "house:random" }}' for n in range(BOTS))
    text = f'name = "bench"\nrounds = {ROUNDS}\nboards = {BOARDS}\nsecret = "{"00" * 32}"\nentries = [{entries}]\n'
    spec = parse_league(text, "bench.toml")
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        async with await Store.open(Path(folder)) as store:
            await store.leagues.create(spec.name, canonical(spec), digest=digest(spec), secret=bytes(32))
            for name, player in check(spec, Path(folder)).items():
                await store.leagues.enter(spec.name, Entrant(name, payload=msgspec.msgpack.encode(player)))
            await store.leagues.start(spec.name)
            began, before = 0.0, 0
            async with running_node(store, Path(folder)) as node:
                while (league := await store.leagues.get(spec.name)).state != "finished":
                    if not began and league.round > 1:
                        began, before = time.perf_counter(), league.played
                    await node.progress(timeout=1.0)
                return (league.played - before) / (time.perf_counter() - began)


def _pairing(players: int) -> float:
    """Seconds to pair round 9 of an event whose first eight were paired in the same way and played by chance."""
    dice = random.Random(1)
    field = [Contender(f"bot-{n}") for n in range(players)]
    seconds = 0.0
    for round_number in range(1, 10):
        began = time.perf_counter()
        pairing = pair(field, Lots("bench", str(round_number)))
        seconds = time.perf_counter() - began
        known = {contender.name: contender for contender in field}
        if pairing.bye is not None:
            bye = known[pairing.bye]
            known[bye.name] = bye._replace(score=bye.score + 2, byes=bye.byes + 1)
        for pairs in pairing.tables:
            points = dice.choice((0, 1, 2))
            for name, opponent, gained in zip(pairs, reversed(pairs), (points, 2 - points), strict=True):
                old = known[name]
                known[name] = old._replace(score=old.score + gained, met={**old.met, opponent: 1})
        field = list(known.values())
    return seconds


def _memory(matches: int) -> float:
    """Resident memory of a node's process with so many matches under way, bots in another process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.node_memory", str(matches)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[1],
    )
    return float(done.stdout)
