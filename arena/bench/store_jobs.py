"""Trivial match jobs through lease and fenced commit, by one owner on an embedded server, from a full queue."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop

from arena.store import JobQueue, MatchWork, StepWork, Store

_UNDER_WAY = 128
_RESULT = b"r" * 64
_REPLAY = b"p" * 700


def jobs_per_second(jobs: int) -> float:
    """Run on an event loop of its own, of the kind a node has.

    Each commit stores a result of 64 and a replay of 700 bytes.
    """
    return uvloop.run(_run(jobs))


@asynccontextmanager
async def queued(matches: Sequence[MatchWork]) -> AsyncIterator[tuple[Store, JobQueue]]:
    """An embedded store with a league, `bench`, whose one round of these matches waits in the queue."""
    with tempfile.TemporaryDirectory(prefix="store-jobs-") as folder:
        async with await Store.open(Path(folder)) as store:
            queue = store.jobs()
            await store.leagues.create("bench", b"", digest="bench", divisions={"koikoi": 1}, secret=bytes(32))
            await store.leagues.start("bench")
            [step] = await queue.claim(1)
            await queue.commit_round(step, b"plan", matches)
            yield store, queue


async def _run(jobs: int) -> float:
    matches = [
        MatchWork(f"t{i}", f"b{i // 2}", 2, (f"bot{i % 1000}", f"bot{(i + 1) % 1000}"), b"s" * 100) for i in range(jobs)
    ]
    async with queued(matches) as (store, queue):
        began = time.perf_counter()
        await _drain(queue)
        seconds = time.perf_counter() - began
        assert (await store.leagues.get("bench")).played == jobs
        return jobs / seconds


async def _drain(queue: JobQueue) -> None:
    """Take and commit until the step after the round comes."""
    while True:
        jobs = await queue.claim(_UNDER_WAY)
        if any(isinstance(job.work, StepWork) for job in jobs):
            return
        await asyncio.gather(*(queue.commit_match(job, _RESULT, _REPLAY) for job in jobs))
