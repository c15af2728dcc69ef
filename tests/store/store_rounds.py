"""Leagues in the making, for tests of jobs."""

from __future__ import annotations

from arena.store import Job, JobQueue, MatchWork, Scope, StepWork, Store
from arena.store.directories import announce
from arena.store.keys import GROUP

LEAGUE = "autumn"
VARIANT = "koikoi"
SCOPE = Scope.league(LEAGUE, VARIANT)


def pairs(matches: int) -> list[MatchWork]:
    """Matches of two to a board, one in each seat order."""
    return [
        MatchWork(f"t{i // 2}-{i % 2}", f"b{i // 2}", 2, (f"bot{i}", f"bot{i + 1}"), b"payload %d" % i)
        for i in range(matches)
    ]


async def begin_league(store: Store, *, lease_ms: int = 10_000, name: str = LEAGUE) -> None:
    """Make and start a league of one division."""
    store.leagues._lease_ms = lease_ms
    await store.leagues.create(name, b"c", digest="d", divisions={VARIANT: 5}, secret=bytes(32))
    await store.leagues.start(name)


async def take_one(queue: JobQueue, *, wait_s: float = 60) -> Job:
    """Take the one job that there is (going to be)."""
    [job] = await queue.claim(1, wait_s=wait_s)
    return job


async def let_lapse(queue: JobQueue, *jobs: Job) -> None:
    """Have leases of this owner run out now, as if they had not been renewed for their time, and no other one."""
    for job in jobs:
        await queue._client.call("XCLAIM", job.scope.jobs, GROUP, queue.owner, 0, job.id, "IDLE", job.lease_ms)
        await queue._client.call("HSET", job.scope.head, "scan_at", 0)
        await announce(queue._client, job.scope)


async def begin_round(store: Store, queue: JobQueue, *, matches: int, lease_ms: int = 10_000) -> None:
    """Make and start a league, and commit the pairing of its first round."""
    await begin_league(store, lease_ms=lease_ms)
    step = await take_one(queue)
    assert step.work == StepWork(1)
    await queue.commit_round(step, b"plan 1", pairs(matches))


async def play_out(queue: JobQueue, *, batch: int = 50) -> Job:
    """Commit every match until a step comes, and return it."""
    while True:
        jobs = await queue.claim(batch, wait_s=60)
        assert jobs, "no job came"
        for job in jobs:
            if isinstance(job.work, StepWork):
                return job
            await queue.commit_match(job, job.work.name.encode(), b"replay of " + job.work.name.encode())
