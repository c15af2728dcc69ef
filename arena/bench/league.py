"""A league as a whole: matches through the store with bots over gRPC, jobs, pairing, steps and tables, memory."""

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import uvloop

from arena.bench import Result, league_steps, nodes, store_jobs, store_journal
from arena.bench.house_leagues import begin, house_league, matches_per_second
from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from arena.league.pod_costs import floated
from arena.league.pods import pods
from arena.league.results import by_place
from arena.league.values import Seating, parts
from arena.node.node import NodeOptions, running_node
from arena.store import Store

BOTS = 8
ROUNDS = 7
BOARDS = 8
PLAYERS = 9_999
POD_SIZES = (4, 3)
MATCHES_UNDER_WAY = 1_000
JOBS = 100_000


def measure() -> list[Result]:
    """One run of each."""
    return [
        Result("league.matches", uvloop.run(connected_matches()), "matches/s"),
        Result("store.jobs", store_jobs.jobs_per_second(JOBS), "jobs/s"),
        *store_journal.measure(),
        Result(f"pairing.two.{PLAYERS}", _pairing((2,), PLAYERS), "s"),
        Result(f"pairing.pods.{PLAYERS}", _pairing(POD_SIZES, PLAYERS), "s"),
        *league_steps.measure(PLAYERS),
        Result(f"node.rss.{MATCHES_UNDER_WAY}", _memory(MATCHES_UNDER_WAY), "MiB"),
        *nodes.measure(),
    ]


async def connected_matches(rounds: int = ROUNDS, boards: int = BOARDS) -> float:
    """Matches a second of a league of bots that connect over gRPC."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        async with await Store.open(Path(folder)) as store:
            await begin(store, house_league(BOTS, f"rounds = {rounds}\nboards = {boards}"), Path(folder))
            async with running_node(store, Path(folder), options=NodeOptions(house_programs=True)) as node:
                return await matches_per_second(store, lambda: node.progress(timeout=1.0))


def _pairing(sizes: Sequence[int], players: int) -> float:
    """Seconds to seat round 9 of an event whose first eight were seated in the same way and played by chance."""
    dice = random.Random(1)
    field = [Contender(f"bot-{n}") for n in range(players)]
    seconds = 0.0
    for round_number in range(1, 10):
        began = time.perf_counter()
        tables, byes = seat(field, sizes, Lots("bench", str(round_number)))
        seconds = time.perf_counter() - began
        field = after_round(field, tables, byes, sizes[0], dice)
    return seconds


def seat(field: list[Contender], sizes: Sequence[int], lots: Lots, rounds_left: int = 0) -> Seating:
    """A round by the Swiss system, in pairs or in pods of these sizes."""
    if sizes[0] > 2:
        return pods(field, sizes, lots, rounds_left)
    return pair(field, lots, rounds_left)


def after_round(
    field: list[Contender], tables: Sequence[tuple[str, ...]], byes: Sequence[str], usual: int, dice: random.Random
) -> list[Contender]:
    """The field after a round in which chance gave the places at each table; `usual` is the size of most of them."""
    contenders = {contender.name: contender for contender in field}
    full = 2 * parts(usual)
    with_byes = {
        name: contenders[name]._replace(score=contenders[name].score + full, byes=contenders[name].byes + 1)
        for name in byes
    }
    for bots in tables:
        scores = [contenders[name].score for name in bots]
        places = by_place([(dice.randrange(3 * len(bots)),) for _ in bots])
        for name, points in zip(bots, places, strict=True):
            old = contenders[name]
            with_byes[name] = old._replace(
                score=old.score + points,
                met={**old.met, **{opponent: old.met.get(opponent, 0) + 1 for opponent in bots if opponent != name}},
                floated=floated(old.score, scores),
                short=old.short + (len(bots) != usual),
            )
    return list(with_byes.values())


def _memory(matches: int) -> float:
    """Resident memory of a node's process with so many matches under way, bots in another process."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.bench.node_memory", str(matches)],
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)
