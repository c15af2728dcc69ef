"""Memory of a large league, of the store's server and of the node: `python -m benchmarks.league_memory [BOTS]`.

Two rounds of koi-koi, two mirrored boards a table, are entered, paired and queued; between them every match of the
first is committed with a result and a replay of the usual size. Nothing is played: what is measured is what is kept.
"""

import asyncio
import random
import resource
import sys
import tempfile
import time
from pathlib import Path

import msgspec
import psutil
import uvloop

from arena.bench.house_leagues import create, house_league
from arena.match.model import End, MatchResult
from arena.organizer import steps as league
from arena.organizer.matches import MatchJob
from arena.store import Job, JobQueue, MatchWork, StepWork, Store

BOTS = 10_000
_REPLAY_BYTES = 700
_UNDER_WAY = 500
_MEBIBYTE = 1 << 20


async def _measure(bots: int) -> None:
    with tempfile.TemporaryDirectory(prefix="league-memory-") as folder:
        async with await Store.open(Path(folder)) as store:
            _say("nothing", store)
            await create(store, house_league(bots, "rounds = 2\nboards = 2"), Path(folder))
            _say(f"{bots} bots entered", store)
            await league.start(store, "bench")
            queue = store.jobs()
            for round_ in (1, 2):
                [step] = await queue.claim(1, wait_s=60)
                assert step.work == StepWork(round_)
                began = time.perf_counter()
                async with queue.leases.hold(step):
                    await league.step(store, queue, step)
                division = (await store.leagues.get("bench")).divisions[0]
                seconds = time.perf_counter() - began
                _say(f"round {round_}: {division.matches} matches paired and queued in {seconds:.1f} s", store)
                if round_ == 1:
                    await _commit_all(queue, division.matches)
                    _say("round 1 played", store)


async def _commit_all(queue: JobQueue, matches: int) -> None:
    dice = random.Random(1)
    done = 0
    while done < matches:
        jobs = await queue.claim(_UNDER_WAY, wait_s=60)
        await asyncio.gather(*(_commit(queue, job, dice) for job in jobs))
        done += len(jobs)


async def _commit(queue: JobQueue, job: Job, dice: random.Random) -> None:
    assert isinstance(job.work, MatchWork)
    plan = msgspec.msgpack.decode(job.work.payload, type=MatchJob).plan
    assert plan is not None
    won = dice.randint(-60, 60)
    result = MatchResult(End.COMPLETED, -1, (won, -won), (1, 2), b"", (), (0, 0))
    await queue.commit_match(job, league.outcome_of(plan, result), dice.randbytes(_REPLAY_BYTES))


def _say(when: str, store: Store) -> None:
    assert store.embedded is not None
    server = psutil.Process(store.embedded.pid).memory_info().rss / _MEBIBYTE
    node, peak = psutil.Process().memory_info().rss, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{when}: store {server:.0f} MiB, node {node / _MEBIBYTE:.0f} MiB (most: {peak / _MEBIBYTE:.0f})", flush=True)


if __name__ == "__main__":
    uvloop.run(_measure(int(sys.argv[1]) if len(sys.argv) > 1 else BOTS))
