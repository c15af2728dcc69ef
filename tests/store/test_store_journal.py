"""A match's journal is there for the next owner, and only the owner of its lease can write it."""

import asyncio
from typing import Any

import pytest
from store_rounds import begin_round, let_lapse

from arena.store import Job, JobQueue, Store
from arena.store.errors import LeaseLostError


async def two_jobs(store: Store, queue: JobQueue) -> list[Job]:
    await begin_round(store, queue, matches=2, lease_ms=60_000)
    jobs = await queue.claim(2, wait_s=60)
    assert len(jobs) == 2
    return jobs


async def test_what_was_written_is_there_for_the_next_owner_in_order(store: Store) -> None:
    queue = store.jobs()
    jobs = await two_jobs(store, queue)
    journals = [await store.journals().open(job) for job in jobs]

    async def write(place: int) -> None:
        for number in range(50):
            await journals[place].write(b"%d.%d" % (place, number))

    await asyncio.gather(write(0), write(1))
    for place, job in enumerate(jobs):
        again = await store.journals().open(job)
        assert again.entries == tuple(b"%d.%d" % (place, number) for number in range(50))


async def test_matches_that_write_in_one_turn_share_one_script(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = await two_jobs(store, store.jobs())
    together = store.journals()
    journals = [await together.open(job) for job in jobs]
    called: list[str] = []
    script = together._client.script

    async def counted(name: str, *more: Any) -> object:
        called.append(name)
        return await script(name, *more)

    monkeypatch.setattr(together._client, "script", counted)
    await asyncio.gather(*(journal.write(b"x") for journal in journals))
    assert called == ["write_journals"]


async def test_after_the_lease_is_lost_nothing_is_written_any_more(store: Store) -> None:
    first, second = store.jobs(), store.jobs()
    [job, other] = await two_jobs(store, first)
    journals = store.journals()
    stale, fine = await journals.open(job), await journals.open(other)
    await stale.write(b"before")
    await let_lapse(first, job)
    taken = await second.claim(2, wait_s=60)
    assert [one.id for one in taken] == [job.id]
    again = await journals.open(taken[0])
    written = asyncio.gather(stale.write(b"after"), fine.write(b"fine"), again.write(b"next"), return_exceptions=True)
    assert [type(one) for one in await written] == [LeaseLostError, type(None), type(None)]
    with pytest.raises(LeaseLostError):
        await journals.open(job)
    assert (await journals.open(taken[0])).entries == (b"before", b"next")


async def test_a_journal_is_kept_when_the_job_is_given_back_and_ends_with_the_commit(store: Store) -> None:
    queue = store.jobs()
    [job, other] = await two_jobs(store, queue)
    await queue.commit_match(other, b"result")
    await (await store.journals().open(job)).write(b"kept")
    await queue.release(job)
    [again] = await queue.claim(1, wait_s=60)
    assert again.work == job.work
    journals = store.journals()
    journal = await journals.open(again)
    assert journal.entries == (b"kept",)
    await queue.commit_match(again, b"result")
    assert await journals._client.call("EXISTS", journal.key) == 0


async def test_an_entry_that_comes_twice_is_kept_once_and_a_gap_is_refused(store: Store) -> None:
    queue = store.jobs()
    [job, _] = await two_jobs(store, queue)
    journals = store.journals()
    journal = await journals.open(job)
    await journal.write(b"one")
    journal.length = 0  # as if the answer had been lost
    await journal.write(b"one")
    assert (await journals.open(job)).entries == (b"one",)
    journal.length = 2
    with pytest.raises(LeaseLostError):
        await journal.write(b"three")
