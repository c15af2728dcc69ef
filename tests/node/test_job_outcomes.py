"""What becomes of a job whose work ends without a commit."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from arena.launcher.errors import BotStartError
from arena.node.job_outcomes import handled
from arena.packs.errors import PackError
from arena.seats.errors import SeatTakenError
from arena.store import Job, JobQueue, Scope, Store
from arena.store.errors import LeaseLostError, StoreUnavailableError, UnknownPackError

SCOPE = Scope.version("ann", "0f" * 32)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    async with await Store.open(tmp_path / "data", patience_s=60) as store:
        await store.versions.create(SCOPE.name, SCOPE.part, b"record")
        yield store


async def claimed(jobs: JobQueue) -> Job:
    job, _ = await jobs.claim_version(wait_s=60) or (None, "")
    assert job is not None
    return job


async def given_up_for(store: Store, error: Exception) -> str:
    """Why the job is given up whose work raises this each time."""
    jobs = store.jobs()
    jobs.max_failures = 2
    for _ in range(2):
        job = await claimed(jobs)
        async with handled(jobs, job), jobs.leases.hold(job):
            raise error
    return (await store.versions.get(SCOPE.name, SCOPE.part)).error


@pytest.mark.parametrize(
    "error", [BotStartError("it ended at once"), PackError("it is no tar"), UnknownPackError("0f"), OSError(5, "I/O")]
)
async def test_a_job_that_fails_is_tried_again_and_given_up_with_its_error(store: Store, error: Exception) -> None:
    assert (await given_up_for(store, error)).endswith(str(error))


async def test_an_error_that_nobody_foresaw_fails_the_job_and_not_its_node(store: Store) -> None:
    assert await given_up_for(store, RecursionError("too deep")) == "RecursionError: too deep"


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "there is none left"), SeatTakenError("at another seat")])
async def test_a_job_of_a_node_without_disk_or_its_seat_waits_for_no_lease(store: Store, error: Exception) -> None:
    jobs = store.jobs()
    jobs.max_failures = 1
    job = await claimed(jobs)
    async with handled(jobs, job), jobs.leases.hold(job):
        raise error
    assert (await store.versions.get(SCOPE.name, SCOPE.part)).status == "qualifying"
    assert (await claimed(jobs)).id != job.id


async def test_a_job_that_another_owner_has_by_now_is_left_to_it(store: Store) -> None:
    jobs = store.jobs()
    jobs.max_failures = 1
    job = await claimed(jobs)
    async with handled(jobs, job):
        raise LeaseLostError(str(job))
    assert await jobs.leases.renew(job)


async def test_work_that_is_cancelled_while_the_store_is_away_ends_as_cancelled(store: Store) -> None:
    jobs = store.jobs()
    job = await claimed(jobs)
    begun = asyncio.Event()

    async def work() -> None:
        async with handled(jobs, job), jobs.leases.hold(job):
            begun.set()
            await asyncio.Event().wait()

    working = asyncio.create_task(work())
    await begun.wait()
    await store.embedded.stop()
    working.cancel()
    async with store._client.impatient(0.3):
        with pytest.raises(asyncio.CancelledError):
            await working


async def test_a_job_is_left_to_its_lease_where_the_store_cannot_be_reached(store: Store) -> None:
    jobs = store.jobs()
    jobs.max_failures = 1
    job = await claimed(jobs)
    async with handled(jobs, job), jobs.leases.hold(job):
        raise StoreUnavailableError("there", 1.0, "it is away")
    assert await jobs.leases.renew(job)
