"""Jobs are claimed: who is given which work of leagues and single matches, and when."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager

import pytest
from store_rounds import LEAGUE, SCOPE, VARIANT, begin_league, begin_round, let_lapse, pairs, play_out, take_one

from arena.store import DivisionState, MatchWork, Scope, StepWork, Store, new_match_id
from arena.store.client import Client, Value
from arena.store.keys import MATCH_OWNERS, open_matches_of_owner


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


async def test_a_clock_that_is_set_back_does_not_hold_up_single_matches(store: Store) -> None:
    match_id = new_match_id()
    await store.matches.create(match_id, bots=("a", "b"), payload=b"", commitment="c", owner="ann")
    await store._client.call("ZINCRBY", MATCH_OWNERS, 3_600_000_000, "ann")
    await store._client.call("ZINCRBY", open_matches_of_owner("ann"), 3_600_000_000, str(Scope.match(match_id)))
    assert [job.scope for job in await store.jobs().claim(1)] == [Scope.match(match_id)]


async def test_a_round_of_ten_thousand_entrants_is_queued_whole(embedded: Store) -> None:
    queue = embedded.jobs()
    await begin_round(embedded, queue, matches=10_000)
    assert (await embedded.leagues.get(LEAGUE)).division(VARIANT).outstanding == 10_000
    names = set()
    while jobs := await queue.claim(1000):
        names |= {job.work.name for job in jobs if isinstance(job.work, MatchWork)}
    assert len(names) == 10_000
