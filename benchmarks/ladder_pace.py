"""What a standing ladder takes from a league's pace: `python -m benchmarks.ladder_pace [RUNS]`.

The same league of house bots is played on a node with an open ladder and on one without, in turn, each on a store of
its own, after the ladder has played for a while. Told are the seconds from the league's start to its end, and the
processor time that the node and all its processes took for it, each as the ratio of the medians; and how many jobs of
the ladder were committed from the league's first one to its last.
"""

import argparse
import asyncio
import resource
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from typing import NamedTuple

import psutil

from arena.league.reader import parse_league
from arena.node.job_loop import JobLoop
from arena.node.serving import serving
from arena.node.tokens import NodeTokens
from arena.organizer import ladders, steps
from arena.organizer.entries import check, entrants_of
from arena.store import Job, Store
from arena.stream.hub import Hub

BOTS = 'entries = ["house:level1", "house:level2", "house:level3", "house:greedy", "house:random", "house:search"]\n'
LEAGUE = f'name = "cup"\nrounds = 5\nboards = {{boards}}\n{BOTS}'
LADDER = f'name = "idle"\nrounds = 1000\n{BOTS}[ladder]\n'
_IDLE_S = 5.0
"""How long the ladder has the node to itself first."""
_LOOK_S = 2.0
"""How often a node looks after its ladders."""


class Run(NamedTuple):
    """A league: seconds, seconds of processors, and jobs of the ladder among its own."""

    wall_s: float
    processor_s: float
    between: int


async def played(folder: Path, boards: int, *, with_ladder: bool) -> Run:
    """Play the league, beside a ladder or without one."""
    committed: list[str] = []
    over = asyncio.Event()

    def note(job: Job) -> None:
        committed.append(job.scope.name)
        over.set()

    async with await Store.open(folder / "data") as store, AsyncExitStack() as stack:
        if with_ladder:
            spec = parse_league(LADDER, "idle.toml")
            await ladders.open_ladder(store, spec, await entrants_of(store, spec, check(spec, folder)))
        cup = parse_league(LEAGUE.format(boards=boards), "cup.toml")
        await steps.create(store, cup, await entrants_of(store, cup, check(cup, folder)))
        _, players = await stack.enter_async_context(serving(Hub(), NodeTokens(), folder / "logs"))
        tasks = [asyncio.create_task(JobLoop(store, store.jobs(), players, committed=note).run())]
        tasks.append(asyncio.create_task(_looking(store)))
        await asyncio.sleep(_IDLE_S)
        began, spent = time.perf_counter(), _processor_s()
        await steps.start(store, "cup")
        while (await store.leagues.get("cup")).state != "finished":
            over.clear()
            await over.wait()
        run = Run(time.perf_counter() - began, _processor_s() - spent, 0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    last = len(committed) - committed[::-1].index("cup")
    return run._replace(between=sum(name != "cup" for name in committed[committed.index("cup") : last]))


async def _looking(store: Store) -> None:
    while True:
        await ladders.carry_out(store, "a node")
        await asyncio.sleep(_LOOK_S)


def _processor_s() -> float:
    """What this process and all that it has started have taken, those that have ended too."""
    running, ended = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    alive = [child.cpu_times() for child in psutil.Process().children(recursive=True)]
    return sum(usage.ru_utime + usage.ru_stime for usage in (running, ended)) + sum(
        usage.user + usage.system for usage in alive
    )


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=int, nargs="?", default=7, help="leagues of each kind (default 7)")
    parser.add_argument("--boards", type=int, default=8, help="boards a table (default 8)")
    args = parser.parse_args()
    by_kind: dict[bool, list[Run]] = {True: [], False: []}
    for _ in range(args.runs):
        for with_ladder in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                run = asyncio.run(played(Path(folder), args.boards, with_ladder=with_ladder))
            by_kind[with_ladder].append(run)
            kind = "with a ladder" if with_ladder else "alone"
            print(f"{kind}: {run.wall_s:.2f} s, {run.processor_s:.2f} s of processors, {run.between} jobs", flush=True)
    for field in ("wall_s", "processor_s"):
        beside, alone = (median(getattr(run, field) for run in by_kind[kind]) for kind in (True, False))
        print(f"{field}: {beside:.2f} beside a ladder, {alone:.2f} alone: {beside / alone - 1:+.1%}")
    print(f"jobs of the ladder between those of the league: {sum(run.between for run in by_kind[True])}")


if __name__ == "__main__":
    main()
