"""Claimed jobs are leased: a lease that is held is kept, and one that is lost goes to one other owner."""

import asyncio

import pytest
from store_rounds import LEAGUE, SCOPE, VARIANT, begin_league, begin_round, let_lapse, pairs, take_one

from arena.store import MatchWork, Store
from arena.store.directories import announce
from arena.store.errors import LeaseLostError
from arena.store.keys import WORK
from arena.store.records import Job


async def test_an_expired_lease_goes_to_another_owner_and_the_late_commit_is_refused(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    late, other = store.jobs(), store.jobs()
    await begin_round(store, late, matches=2, lease_ms=200)
    stale, _ = await late.claim(2)
    fresh = (await other.claim(2, wait_s=60))[0]
    assert (fresh.id, fresh.fence) == (stale.id, stale.fence + 1)
    assert f"{other.owner} takes over {fresh}, whose lease ran out, from {late.owner}" in caplog.text
    with pytest.raises(LeaseLostError):
        await late.commit_match(stale, b"stale", b"stale")
    assert (await store.leagues.get(LEAGUE)).played == 0
    await other.commit_match(fresh, b"fresh", b"fresh")
    with pytest.raises(LeaseLostError):
        await late.commit_match(stale, b"stale", b"stale")
    assert list((await store.leagues.results(LEAGUE, VARIANT, 1)).values()) == [b"fresh"]


async def test_a_stale_step_can_neither_pair_nor_stage_over_its_successor(store: Store) -> None:
    late, other = store.jobs(), store.jobs()
    await begin_league(store, lease_ms=200)
    stale = await take_one(late)
    fresh = await take_one(other)
    with pytest.raises(LeaseLostError):
        await late.commit_round(stale, b"stale", pairs(2))
    with pytest.raises(LeaseLostError):
        await late.commit_finish(stale)
    await other.commit_round(fresh, b"fresh", pairs(4))
    assert await store.leagues.plans(LEAGUE, VARIANT) == {1: b"fresh"}
    assert len(await other.claim(100)) == 4


KEPT_MS = 4_000
"""A lease that is renewed although the machine stalls for seconds."""
PAST_S = 1.25 * KEPT_MS / 1000


async def test_a_held_lease_is_renewed_past_its_time(store: Store) -> None:
    holder, other = store.jobs(), store.jobs()
    await begin_round(store, holder, matches=1, lease_ms=KEPT_MS)
    job = await take_one(holder)
    async with holder.leases.hold(job):
        assert await other.claim(1, wait_s=PAST_S) == []
        assert (await holder.commit_match(job, b"result")).outstanding == 0


async def test_many_held_leases_of_several_scopes_are_renewed_together(store: Store) -> None:
    holder, other = store.jobs(), store.jobs()
    await begin_round(store, holder, matches=40, lease_ms=KEPT_MS)
    store.matches._lease_ms = KEPT_MS - 500
    await store.matches.create("single", bots=("a", "b"), payload=b"", commitment="")
    jobs = [*await holder.claim(41, wait_s=60), *await holder.claim(41)]
    assert len(jobs) == 41
    started = asyncio.Event()
    ends: list[str] = []

    async def play(index: int) -> None:
        async with holder.leases.hold(jobs[index]):
            await started.wait()
            await holder.commit_match(jobs[index], b"result")
            ends.append(jobs[index].id)

    async with asyncio.TaskGroup() as group:
        for index in range(41):
            group.create_task(play(index))
        assert await other.claim(1, wait_s=PAST_S) == []
        started.set()
    assert len(ends) == 41


async def test_whoever_loses_a_lease_is_stopped_while_it_plays(store: Store) -> None:
    holder, other = store.jobs(), store.jobs()
    await begin_round(store, holder, matches=1, lease_ms=200)
    job = await take_one(holder)
    taken_over = await take_one(other)
    assert (taken_over.id, taken_over.fence) == (job.id, job.fence + 1)
    with pytest.raises(LeaseLostError):
        async with holder.leases.hold(job):
            await asyncio.wait_for(asyncio.Event().wait(), 20)
    current = asyncio.current_task()
    assert current.cancelling() == 0


async def test_an_owner_that_takes_its_own_job_anew_keeps_the_new_lease_and_loses_the_old(store: Store) -> None:
    queue, other = store.jobs(), store.jobs()
    await begin_round(store, queue, matches=1, lease_ms=KEPT_MS)
    old = await take_one(queue)
    await let_lapse(queue, old)
    new = await take_one(queue)
    assert (new.id, new.fence) == (old.id, old.fence + 1)
    async with queue.leases.hold(new):
        with pytest.raises(LeaseLostError):
            async with queue.leases.hold(old):
                await asyncio.wait_for(asyncio.Event().wait(), 20)
        assert await other.claim(1, wait_s=PAST_S) == []
        await queue.commit_match(new, b"result")


async def test_a_cancelled_holder_is_cancelled_and_not_said_to_have_lost_its_lease(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1)
    job = await take_one(queue)
    inside = asyncio.Event()

    async def play() -> None:
        async with queue.leases.hold(job):
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(play())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_job_that_is_given_back_is_free_at_once(store: Store) -> None:
    leaving, other = store.jobs(), store.jobs()
    await begin_round(store, leaving, matches=1)
    job = await take_one(leaving)
    await leaving.release(job)
    again = await take_one(other)
    assert again.work == job.work
    assert again.fence == 1
    with pytest.raises(LeaseLostError):
        await leaving.commit_match(job, b"result")


async def test_a_lease_that_is_lost_can_neither_be_given_back_nor_handed_on(store: Store) -> None:
    late, other = store.jobs(), store.jobs()
    await begin_round(store, late, matches=1)
    stale = await take_one(late)
    await let_lapse(late, stale)
    fresh = await take_one(other)
    await late.release(stale)
    assert await late.transfer(stale, late.owner) is None
    assert await late.claim(1) == []
    assert (await other.commit_match(fresh, b"result")).outstanding == 0


async def test_a_clock_that_is_set_back_holds_up_neither_new_jobs_nor_those_of_a_dead_owner(store: Store) -> None:
    dead, queue = store.jobs(), store.jobs()
    await begin_round(store, queue, matches=2)
    job = await take_one(dead)
    await let_lapse(dead, job)
    # As if all that was noted so far had been noted by a clock an hour ahead.
    await store._client.call("ZINCRBY", WORK, 3_600_000_000, str(SCOPE))
    await store._client.call("HINCRBY", SCOPE.head, "scan_at", await server_time_us(store) + 3_600_000_000)
    names = {job.work.name for job in await queue.claim(2) if isinstance(job.work, MatchWork)}
    assert names == {work.name for work in pairs(2)}


async def test_after_a_store_was_away_owners_that_are_still_there_keep_their_jobs(store: Store) -> None:
    owner, other = store.jobs(), store.jobs()
    await begin_round(store, owner, matches=2, lease_ms=60_000)
    held, lost = await owner.claim(2)

    async def store_was_away(*leased: Job) -> None:
        """As if nobody had reached it for a lease."""
        await let_lapse(owner, *leased)
        await store._client.call("HSET", SCOPE.head, "scan_at", await server_time_us(store) - 60_000_000)

    await store_was_away(held, lost)
    assert await other.claim(2) == []
    # The owner still works on one of the two.
    assert await owner.leases.renew(held)
    await store._client.call("HSET", SCOPE.head, "scan_at", await server_time_us(store))
    await announce(store._client, SCOPE)
    assert [job.id for job in await other.claim(2)] == [lost.id]
    await store_was_away(held)
    assert await other.claim(2) == [], "the next time as well"
    assert await owner.leases.renew(held)
    assert not (await owner.commit_match(held, b"result")).before


async def test_jobs_of_a_dead_owner_are_put_off_once_by_a_store_that_was_away(store: Store) -> None:
    dead, other = store.jobs(), store.jobs()
    await begin_round(store, dead, matches=1, lease_ms=60_000)
    job = await take_one(dead)
    for expected in (0, 1):
        await let_lapse(dead, job)
        await store._client.call("HSET", SCOPE.head, "scan_at", await server_time_us(store) - 60_000_000)
        assert len(await other.claim(1)) == expected


@pytest.mark.parametrize(("late_us", "found"), [(15_000_000, 1), (37_500_000, 0)])
async def test_owners_may_still_be_there_when_nobody_has_looked_for_so_long_that_leases_ran_out(
    store: Store, late_us: int, found: int
) -> None:
    """While a store is away for three quarters of a lease, looks are late by five eighths, and leases run out."""
    owner, other = store.jobs(), store.jobs()
    await begin_round(store, owner, matches=1, lease_ms=60_000)
    await let_lapse(owner, await take_one(owner))
    await store._client.call("HSET", SCOPE.head, "scan_at", await server_time_us(store) - late_us)
    assert len(await other.claim(1)) == found


@pytest.mark.parametrize(
    ("was_away", "least_us", "most_us"),
    [(False, 0, 7_500_000), (True, 15_000_000, 30_000_000)],
    ids=["within an eighth of a lease", "after a renewal, and within half a lease"],
)
async def test_jobs_of_dead_owners_are_looked_for_again_in_time(
    store: Store, was_away: bool, least_us: int, most_us: int
) -> None:
    """In time for others to play them within one and a half leases, however the store was."""
    owner, other = store.jobs(), store.jobs()
    await begin_round(store, owner, matches=1, lease_ms=60_000)
    job = await take_one(owner)
    if was_away:
        await let_lapse(owner, job)
        await store._client.call("HSET", SCOPE.head, "scan_at", await server_time_us(store) - 60_000_000)
    before_us = await server_time_us(store)
    assert await other.claim(1) == []
    after_us = await server_time_us(store)
    next_us = int(await store._client.call("ZSCORE", WORK, str(SCOPE)))
    assert before_us + least_us < next_us <= after_us + most_us


async def server_time_us(store: Store) -> int:
    seconds, micros = await store._client.call("TIME")
    return int(seconds) * 1_000_000 + int(micros)
