"""What becomes of claimed jobs: a result counts once, and a failure comes again or is parked."""

import asyncio
import random
from contextlib import suppress
from urllib.parse import urlsplit

import pytest
from store_rounds import LEAGUE, SCOPE, VARIANT, begin_league, begin_round, pairs, take_one
from store_servers import BadLine, tell, until

from arena.store import MatchWork, StepWork, Store
from arena.store.errors import LeaseLostError
from arena.store.scripts import SCRIPTS


async def test_a_commit_that_comes_twice_counts_once(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=3)
    job = await take_one(queue)
    first = await queue.commit_match(job, b"result", b"replay")
    second = await queue.commit_match(job, b"result", b"replay")
    assert (first.before, second.before) == (False, True)
    assert first.outstanding == second.outstanding == 2
    assert (await store.leagues.get(LEAGUE)).played == 1


async def test_a_step_that_is_committed_twice_queues_its_matches_once(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    step = await take_one(queue)
    first = await queue.commit_round(step, b"plan", pairs(4))
    second = await queue.commit_round(step, b"plan", pairs(4))
    assert (first.before, second.before) == (False, True)
    assert len(await queue.claim(100)) == 4


async def test_a_finish_that_is_committed_twice_is_recognised(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    step = await take_one(queue)
    assert not (await queue.commit_finish(step)).before
    assert (await queue.commit_finish(step)).before


@pytest.mark.parametrize("marker", [b"result", b"the plan"])
async def test_a_commit_whose_answer_is_lost_is_recognised_as_done(tcp_url: str, marker: bytes) -> None:
    async with BadLine(urlsplit(tcp_url).port or 0).open() as line:
        tell(tcp_url, "FLUSHALL")
        async with await Store.open(redis=f"redis://127.0.0.1:{line.port}/0") as store:
            for script in ("commit_step", "commit_match"):
                # Otherwise the answer that is lost may be that the server does not know the script.
                await store._client.call("SCRIPT", "LOAD", SCRIPTS[script].source)
            queue = store.jobs()
            await begin_league(store)
            step = await take_one(queue)
            line.swallow_answer_to = marker if marker == b"the plan" else b""
            paired = await queue.commit_round(step, b"the plan", pairs(2))
            assert paired.before is (marker == b"the plan")
            job = await take_one(queue)
            line.swallow_answer_to = marker if marker == b"result" else b""
            played = await queue.commit_match(job, b"result", b"replay")
            assert played.before is (marker == b"result")
            assert line.swallowed == 1
            assert (await store.leagues.get(LEAGUE)).played == 1


async def test_a_failed_job_is_tried_again_and_parked_at_the_limit(store: Store) -> None:
    queue = store.jobs()
    queue.max_failures, queue.retry_ms = 3, 10
    await begin_round(store, queue, matches=1)
    for expected in (False, False, True):
        job = await take_one(queue)
        assert await queue.fail(job, "it broke") is expected
    assert await queue.claim(1) == []
    page = await store.stalled.parked(SCOPE)
    [parked] = page.items
    assert (parked.error, parked.tries, parked.scope) == ("it broke", 3, SCOPE)
    assert isinstance(parked.work, MatchWork)
    assert parked.work.name == "t0-0"
    assert (await store.leagues.get(LEAGUE)).division(VARIANT).outstanding == 1

    assert await store.stalled.requeue(parked)
    assert (await store.stalled.parked(SCOPE)).items == ()
    assert not await store.stalled.requeue(parked), "it is queued once, however often that is asked for"
    assert (await queue.commit_match(await take_one(queue), b"result")).outstanding == 0
    assert isinstance((await take_one(queue)).work, StepWork)


async def test_a_failure_that_is_reported_twice_counts_once_and_takes_the_job_away(store: Store) -> None:
    queue = store.jobs()
    queue.max_failures, queue.retry_ms = 2, 10
    await begin_round(store, queue, matches=1)
    job = await take_one(queue)
    assert not await queue.fail(job, "it broke")
    assert not await queue.fail(job, "it broke")
    with pytest.raises(LeaseLostError):
        await queue.commit_match(job, b"result")
    assert (await take_one(queue)).id == job.id


async def test_a_failed_job_comes_again_after_its_delay_and_not_before(store: Store) -> None:
    queue = store.jobs()
    queue.retry_ms = 300
    await begin_round(store, queue, matches=1, lease_ms=600_000)
    job = await take_one(queue)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await queue.fail(job, "it broke")
    # Long before its lease is over.
    assert (await take_one(queue)).id == job.id
    assert loop.time() - began >= 0.29


async def test_a_failed_job_comes_again_after_its_lease_at_the_latest(store: Store) -> None:
    queue = store.jobs()
    queue.retry_ms = 3_600_000
    await begin_round(store, queue, matches=1, lease_ms=100)
    job = await take_one(queue)
    await queue.fail(job, "it broke")
    assert (await take_one(queue)).id == job.id


async def test_a_job_whose_owners_keep_dying_is_parked(store: Store) -> None:
    queue = store.jobs()
    queue.claims.max_claims = 2
    await begin_round(store, queue, matches=1, lease_ms=100)
    await take_one(queue)
    await take_one(queue)

    async def parked() -> bool:
        assert await queue.claim(1) == []
        return len((await store.stalled.parked(SCOPE)).items) == 1

    await until(parked, "the job is parked")
    [job] = (await store.stalled.parked(SCOPE)).items
    assert "lease ran out" in job.error


async def test_parked_jobs_are_listed_in_pages(store: Store) -> None:
    queue = store.jobs()
    queue.max_failures = 1
    await begin_round(store, queue, matches=5)
    for job in await queue.claim(5):
        await queue.fail(job, "it broke")
    first = await store.stalled.parked(SCOPE, limit=3)
    second = await store.stalled.parked(SCOPE, limit=3, after=first.next)
    assert (len(first.items), len(second.items), second.next) == (3, 2, "")
    assert len({job.id for job in (*first.items, *second.items)}) == 5


async def test_owners_in_any_order_bring_a_round_to_one_step(store: Store) -> None:
    drawn = random.Random(7)
    await begin_round(store, store.jobs(), matches=300, lease_ms=300)
    steps: set[tuple[str, StepWork]] = set()

    async def work() -> None:
        queue = store.jobs()
        while not steps:
            for job in await queue.claim(drawn.randint(1, 20), wait_s=0.05):
                if isinstance(job.work, StepWork):
                    steps.add((job.id, job.work))  # its lease may run out too, and another takes the same step
                elif drawn.random() < 0.05:
                    continue  # as if killed: the lease runs out
                else:
                    with suppress(LeaseLostError):  # a machine that stalls loses leases, and the job is another's
                        await queue.commit_match(job, b"result", b"replay")

    await asyncio.wait_for(asyncio.gather(*(work() for _ in range(6))), 240)
    assert [step for _, step in steps] == [StepWork(2)]
    assert len(await store.leagues.results(LEAGUE, VARIANT, 1)) == (await store.leagues.get(LEAGUE)).played == 300
