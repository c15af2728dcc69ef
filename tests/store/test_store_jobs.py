from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from store_rounds import LEAGUE, SCOPE, VARIANT, begin_league, begin_round, let_lapse, pairs, play_out, take_one
from store_servers import BadLine, tell, until

from arena.store import DivisionState, MatchWork, Scope, StepWork, Store, new_match_id
from arena.store.errors import LeaseLostError
from arena.store.jobs import Job, announce
from arena.store.keys import MATCH_OWNERS, WORK, open_matches_of_owner
from arena.store.scripts import SCRIPTS

if TYPE_CHECKING:
    from arena.store.client import Client, Value


async def test_a_league_goes_from_its_start_through_its_rounds_to_its_table(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=6)
    league = await store.leagues.get(LEAGUE)
    assert league.state == "running"
    assert league.divisions == (
        DivisionState(VARIANT, "running", rounds=5, round=1, matches=6, outstanding=6, played=0),
    )

    step = await play_out(queue)
    assert step.work == StepWork(2)
    assert await store.leagues.results(LEAGUE, VARIANT, 1) == {work.name: work.name.encode() for work in pairs(6)}

    await queue.commit_round(step, b"plan 2", pairs(2))
    step = await play_out(queue)
    assert step.work == StepWork(3)
    assert await store.leagues.plans(LEAGUE, VARIANT) == {1: b"plan 1", 2: b"plan 2"}

    await queue.commit_finish(step)
    league = await store.leagues.get(LEAGUE)
    assert (league.state, league.secret, league.played) == ("finished", bytes(32), 8)
    assert league.finished_us >= league.created_us > 0
    assert await queue.claim(1) == []


async def test_a_job_is_given_to_one_owner_only(store: Store) -> None:
    await begin_round(store, store.jobs(), matches=200)
    queues = [store.jobs() for _ in range(4)]
    taken = [job.work for jobs in await asyncio.gather(*(queue.claim(60) for queue in queues)) for job in jobs]
    names = [work.name for work in taken if isinstance(work, MatchWork)]
    assert len(names) == len(set(names)) == 200


async def test_the_work_of_a_job_comes_as_it_was_queued(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1)
    job = await take_one(queue)
    [work] = pairs(1)
    assert isinstance(job.work, MatchWork)
    assert job.work.key == f"r1.{work.name}"
    assert (job.work.board, job.work.bots, job.work.payload) == (work.board, work.bots, work.payload)


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


async def test_a_round_without_matches_leads_to_the_next_step(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    await queue.commit_round(await take_one(queue), b"all byes", [])
    assert (await take_one(queue)).work == StepWork(2)


async def test_a_round_and_the_step_after_it_are_for_those_who_offer_all_its_runtimes(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    await queue.commit_round(await take_one(queue), b"plan", pairs(1), runtimes=("native", "wasm"))
    assert await store.stalled.waits_for(SCOPE) == ("native", "wasm")
    assert await queue.claim(2, runtimes=("python", "native")) == []
    assert queue.passed == {SCOPE: ("wasm",)}
    [match] = await queue.claim(2, runtimes=("wasm", "native"))
    assert await store.stalled.waits_for(SCOPE) == (), "somebody works on it"
    await queue.commit_match(match, b"result", b"replay")
    assert await queue.claim(1, runtimes=()) == []
    [step] = await queue.claim(1, runtimes=("native", "wasm"))
    await queue.commit_round(step, b"plan 2", pairs(1))
    assert len(await queue.claim(1, runtimes=())) == 1, "the next round needs none"


async def test_who_has_enough_of_a_league_takes_jobs_of_the_others_alone(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=2)
    assert await queue.claim(2, without=(SCOPE,)) == []
    await begin_league(store, name="other")
    [step] = await queue.claim(2, without=(SCOPE,))
    assert step.scope.name == "other"
    assert len(await queue.claim(2)) == 2


async def test_a_round_waits_again_when_whoever_worked_on_it_is_gone(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store, lease_ms=300)
    await queue.commit_round(await take_one(queue), b"plan", pairs(1), runtimes=("wasm",))
    match = await take_one(queue)
    assert await store.stalled.waits_for(SCOPE) == ()
    await let_lapse(queue, match)
    assert await store.stalled.waits_for(SCOPE) == ("wasm",)


async def test_two_matches_of_a_round_cannot_have_one_name(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    step = await take_one(queue)
    with pytest.raises(ValueError, match="same name"):
        await queue.commit_round(step, b"plan", pairs(1) * 2)


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
    await store.matches.create("single", bots=("a", "b"), payload=b"", commitment="", lease_ms=KEPT_MS - 500)
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


async def test_a_failed_job_is_tried_again_and_parked_at_the_limit(store: Store) -> None:
    queue = store.jobs(max_failures=3)
    await begin_round(store, queue, matches=1)
    for expected in (False, False, True):
        job = await take_one(queue)
        assert await queue.fail(job, "it broke", delay_ms=10) is expected
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
    queue = store.jobs(max_failures=2)
    await begin_round(store, queue, matches=1)
    job = await take_one(queue)
    assert not await queue.fail(job, "it broke", delay_ms=10)
    assert not await queue.fail(job, "it broke", delay_ms=10)
    with pytest.raises(LeaseLostError):
        await queue.commit_match(job, b"result")
    assert (await take_one(queue)).id == job.id


async def test_a_failed_job_comes_again_after_its_delay_and_not_before(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1, lease_ms=600_000)
    job = await take_one(queue)
    loop = asyncio.get_running_loop()
    began = loop.time()
    await queue.fail(job, "it broke", delay_ms=300)
    # Long before its lease is over.
    assert (await take_one(queue)).id == job.id
    assert loop.time() - began >= 0.29


async def test_a_failed_job_comes_again_after_its_lease_at_the_latest(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1, lease_ms=100)
    job = await take_one(queue)
    await queue.fail(job, "it broke", delay_ms=3_600_000)
    assert (await take_one(queue)).id == job.id


async def test_a_job_whose_owners_keep_dying_is_parked(store: Store) -> None:
    queue = store.jobs(max_claims=2)
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
    queue = store.jobs(max_failures=1)
    await begin_round(store, queue, matches=5)
    for job in await queue.claim(5):
        await queue.fail(job, "it broke")
    first = await store.stalled.parked(SCOPE, limit=3)
    second = await store.stalled.parked(SCOPE, limit=3, after=first.next)
    assert (len(first.items), len(second.items), second.next) == (3, 2, "")
    assert len({job.id for job in (*first.items, *second.items)}) == 5


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


@contextmanager
def cancelled_by(client: Client, script: str) -> Iterator[Callable[[Coroutine[None, None, object]], Awaitable[None]]]:
    """Has what is run cancelled, as by a node that stops, when the server has answered to a script of this name."""
    call = client.script
    task: asyncio.Task[object]

    async def answered(name: str, keys: Sequence[str], args: Sequence[Value] = ()) -> object:
        answer = await call(name, keys, args)
        if name == script and not task.cancelling():
            task.cancel()
        return answer

    async def run(what: Coroutine[None, None, object]) -> None:
        nonlocal task
        task = asyncio.create_task(what)
        with pytest.raises(asyncio.CancelledError):
            await task

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "script", answered)
        yield run


@pytest.mark.parametrize("script", ["poll", "claim", "announce", "rest_owner"])
async def test_a_claim_that_is_cancelled_gives_back_at_once_what_it_has_leased(store: Store, script: str) -> None:
    leaving, other = store.jobs(), store.jobs()
    await begin_round(store, leaving, matches=2)
    await store.matches.create("single", bots=("a", "b"), payload=b"", commitment="")
    with cancelled_by(store._client, script) as run:
        await run(leaving.claim(9))
    assert [job.fence for job in await other.claim(9)] == [1, 1, 1]


async def test_a_claim_of_a_version_that_is_cancelled_gives_it_back_at_once(store: Store) -> None:
    leaving, other = store.jobs(), store.jobs()
    await store.versions.create("crane", "0" * 64, b"{}")
    with cancelled_by(store._client, "claim") as run:
        await run(leaving.claim_version())
    job, _ = await other.claim_version()
    assert (job.scope, job.fence) == (Scope.version("crane", "0" * 64), 1)


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


async def test_a_large_league_leaves_single_matches_their_places(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=500)
    await store.matches.create("single", bots=("a", "b"), payload=b"", commitment="")
    scopes = {str(job.scope) for job in await queue.claim(10, singles=1)}
    assert scopes == {"league:autumn:koikoi", "match:single"}


async def test_new_work_wakes_an_owner_that_waits(store: Store) -> None:
    queue, elsewhere = store.jobs(), store.jobs()
    waiting = asyncio.create_task(queue.claim(1, wait_s=60))
    await asyncio.sleep(0)
    await begin_league(store)
    [job] = await waiting
    # Work that is queued by another owner, whose event nobody here hears, is found as well.
    waiting = asyncio.create_task(elsewhere.claim(1, wait_s=60))
    await queue.commit_round(job, b"plan", pairs(1))
    [match] = await waiting
    assert isinstance(match.work, MatchWork)


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


async def test_a_round_of_ten_thousand_entrants_is_queued_whole(embedded: Store) -> None:
    queue = embedded.jobs()
    await begin_round(embedded, queue, matches=10_000)
    assert (await embedded.leagues.get(LEAGUE)).division(VARIANT).outstanding == 10_000
    names = set()
    while jobs := await queue.claim(1000):
        names |= {job.work.name for job in jobs if isinstance(job.work, MatchWork)}
    assert len(names) == 10_000


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


async def test_a_clock_that_is_set_back_does_not_hold_up_single_matches(store: Store) -> None:
    match_id = new_match_id()
    await store.matches.create(match_id, bots=("a", "b"), payload=b"", commitment="c", owner="ann")
    await store._client.call("ZINCRBY", MATCH_OWNERS, 3_600_000_000, "ann")
    await store._client.call("ZINCRBY", open_matches_of_owner("ann"), 3_600_000_000, str(Scope.match(match_id)))
    assert [job.scope for job in await store.jobs().claim(1)] == [Scope.match(match_id)]


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
    assert await owner.leases.renew([held]) == []
    await store._client.call("HSET", SCOPE.head, "scan_at", await server_time_us(store))
    await announce(store._client, SCOPE)
    assert [job.id for job in await other.claim(2)] == [lost.id]
    await store_was_away(held)
    assert await other.claim(2) == [], "the next time as well"
    assert await owner.leases.renew([held]) == []
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
