"""Divisions and leagues go on, pause and are cancelled; every other change of state is refused."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from store_rounds import LEAGUE, SCOPE, VARIANT, begin_league, begin_round, pairs, play_out, take_one
from store_servers import BadLine, tell

from arena.store import EntryRecord, MatchWork, Scope, Store
from arena.store.errors import BoardStillOpenError, LeagueStateError, LeaseLostError, UnknownLeagueError

TWO = {"koikoi": 2, "kyogi": 2}


async def state_of(store: Store) -> tuple[str, ...]:
    """The state of the league, then of its divisions."""
    league = await store.leagues.get(LEAGUE)
    return (league.state, *(division.state for division in league.divisions))


async def test_each_division_goes_its_own_way_and_the_last_one_finishes_the_league(store: Store) -> None:
    await store.leagues.create(LEAGUE, b"", digest="d", divisions=TWO)
    assert await state_of(store) == ("open", "open", "open")
    await store.leagues.start(LEAGUE)
    queue = store.jobs()
    steps = {job.scope.part: job for job in [*await queue.claim(10), *await queue.claim(10)]}
    assert set(steps) == set(TWO)
    await queue.commit_finish(steps["kyogi"])
    assert await state_of(store) == ("running", "running", "finished")
    league = await store.leagues.get(LEAGUE)
    assert (league.secret, league.finished_us) == (None, 0)

    await queue.commit_round(steps["koikoi"], b"plan", pairs(4))
    last = await play_out(queue)
    assert (last.scope.part, (await store.leagues.get(LEAGUE)).played) == ("koikoi", 4)
    await queue.commit_finish(last)
    assert await state_of(store) == ("finished", "finished", "finished")
    league = await store.leagues.get(LEAGUE)
    assert league.secret == await store.leagues.secret(LEAGUE)
    assert league.finished_us >= league.created_us > 0
    assert (await queue.commit_finish(last)).before, "the league is finished once"
    assert await queue.claim(1) == []


async def test_a_large_division_does_not_hold_up_a_small_one(store: Store) -> None:
    await store.leagues.create(LEAGUE, b"", digest="d", divisions=TWO)
    await store.leagues.start(LEAGUE)
    queue = store.jobs()
    for job in [*await queue.claim(10), *await queue.claim(10)]:
        await queue.commit_round(job, b"plan", pairs(400 if job.scope.part == "koikoi" else 2))
    assert {job.scope.part for job in await queue.claim(10)} == set(TWO)


async def test_a_paused_league_hands_out_nothing_and_takes_what_is_under_way(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=4)
    under_way = await queue.claim(2)
    await store.leagues.pause(LEAGUE)
    await store.leagues.pause(LEAGUE)
    assert await state_of(store) == ("paused", "paused")
    assert await queue.claim(10) == []
    assert all([await queue.leases.renew(job) for job in under_way])
    for job in under_way:
        await queue.commit_match(job, b"result")
    assert (await store.leagues.get(LEAGUE)).played == 2
    await store.leagues.resume(LEAGUE)
    await store.leagues.resume(LEAGUE)
    assert (await play_out(queue)).scope == SCOPE
    assert (await store.leagues.get(LEAGUE)).played == 4


async def test_a_round_that_ends_while_the_league_is_paused_leads_on_when_it_is_resumed(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1)
    job = await take_one(queue)
    await store.leagues.pause(LEAGUE)
    assert (await queue.commit_match(job, b"result")).outstanding == 0
    assert await queue.claim(1) == []
    await store.leagues.resume(LEAGUE)
    await queue.commit_finish(await take_one(queue))
    assert await state_of(store) == ("finished", "finished")


async def test_the_step_of_a_paused_league_that_is_under_way_can_finish_it(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    step = await take_one(queue)
    await store.leagues.pause(LEAGUE)
    await queue.commit_finish(step)
    assert await state_of(store) == ("finished", "finished")
    with pytest.raises(LeagueStateError, match="is finished; only a paused league can be resumed"):
        await store.leagues.resume(LEAGUE)


async def test_a_cancelled_league_drops_its_jobs_publishes_its_secret_and_keeps_what_was_played(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=5)
    jobs = {job.work.name: job for job in await queue.claim(3) if isinstance(job.work, MatchWork)}
    await queue.commit_match(jobs["t0-0"], b"result", b"replay")
    await queue.fail(jobs["t1-0"], "it broke")
    journal = await store.journals().open(jobs["t0-1"])
    await journal.write(b"an action")
    await store.leagues.cancel(LEAGUE)
    await store.leagues.cancel(LEAGUE)
    with pytest.raises(LeaseLostError):
        await journal.write(b"another")
    assert await store._client.call("EXISTS", journal.key) == 0
    assert await state_of(store) == ("cancelled", "cancelled")
    league = await store.leagues.get(LEAGUE)
    # Its matches may be played on for a moment: until then neither the secret nor the cards of open boards are shown.
    assert (league.secret, league.played) == (None, 1)
    with pytest.raises(BoardStillOpenError):
        await store.replays.get("autumn.koikoi.r1.t0-0")
    await store._client.call("HSET", Scope.league(LEAGUE).head, "secret_from_us", 1)
    await store._client.call("HSET", SCOPE.head, "open_from_us", 1)
    assert (await store.leagues.get(LEAGUE)).secret == bytes(32)
    assert league.finished_us > 0
    with pytest.raises(LeaseLostError):
        await queue.commit_match(jobs["t0-1"], b"late", b"late")
    assert not await queue.leases.renew(jobs["t0-1"])
    assert await queue.claim(10) == []
    assert await store.leagues.results(LEAGUE, VARIANT, 1) == {"t0-0": b"result"}
    # Its board was not played out and never will be: the secret is public, so the replay may be.
    assert await store.replays.get("autumn.koikoi.r1.t0-0") == b"replay"
    assert [info.readable for info in (await store.replays.list(league=LEAGUE)).items] == [True]


async def test_a_finished_division_of_a_cancelled_league_stays_finished(store: Store) -> None:
    await store.leagues.create(LEAGUE, b"", digest="d", divisions=TWO)
    await store.leagues.start(LEAGUE)
    queue = store.jobs()
    [kyogi] = [job for job in [*await queue.claim(10), *await queue.claim(10)] if job.scope.part == "kyogi"]
    await queue.commit_finish(kyogi)
    await store.leagues.cancel(LEAGUE)
    assert await state_of(store) == ("cancelled", "cancelled", "finished")


async def test_a_league_that_has_started_can_be_spared(store: Store) -> None:
    await store.leagues.create("other", b"", digest="d", divisions={VARIANT: 1})
    await begin_league(store)
    for name in ("other", LEAGUE):
        await store.leagues.cancel(name, only_open=True)
    assert (await store.leagues.get("other")).state == "cancelled"
    assert await state_of(store) == ("running", "running")


async def test_a_step_under_way_in_a_cancelled_league_is_lost(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    step = await take_one(queue)
    await store.leagues.cancel(LEAGUE)
    with pytest.raises(LeaseLostError):
        await queue.commit_round(step, b"plan", pairs(2))
    with pytest.raises(LeaseLostError):
        await queue.commit_finish(step)
    assert await queue.claim(1) == []


async def test_a_change_of_state_that_cannot_be_is_refused_and_changes_nothing(store: Store) -> None:
    leagues = store.leagues
    for call in (leagues.start, leagues.pause, leagues.resume, leagues.cancel):
        with pytest.raises(UnknownLeagueError, match="'winter'"):
            await call("winter")
    await leagues.create(LEAGUE, b"", digest="d", divisions={VARIANT: 1})
    for call, said in (
        (leagues.pause, "'autumn' is open; only a league that runs can be paused"),
        (leagues.resume, "'autumn' is open; only a paused league can be resumed"),
    ):
        with pytest.raises(LeagueStateError, match=said):
            await call(LEAGUE)
    await leagues.start(LEAGUE)
    queue = store.jobs()
    await queue.commit_finish(await take_one(queue))
    for call, said in (
        (leagues.pause, "'autumn' is finished; only a league that runs can be paused"),
        (leagues.cancel, "'autumn' is finished; there is nothing left to cancel"),
    ):
        with pytest.raises(LeagueStateError, match=said):
            await call(LEAGUE)
    with pytest.raises(
        LeagueStateError, match="is finished; bots can enter only a league that is open, running or paused"
    ):
        await leagues.enter(LEAGUE, EntryRecord("late"))
    assert await state_of(store) == ("finished", "finished")


async def test_a_cancelled_league_cannot_be_started_or_resumed(store: Store) -> None:
    await store.leagues.create(LEAGUE, b"", digest="d", divisions={VARIANT: 1})
    await store.leagues.cancel(LEAGUE)
    with pytest.raises(LeagueStateError, match="is cancelled; only an open league can be started"):
        await store.leagues.start(LEAGUE)
    with pytest.raises(LeagueStateError, match="is cancelled; only a paused league can be resumed"):
        await store.leagues.resume(LEAGUE)


async def test_changes_of_state_whose_answers_are_lost_are_made_once(tcp_url: str) -> None:
    async with BadLine(urlsplit(tcp_url).port or 0).open() as line:
        tell(tcp_url, "FLUSHALL")
        async with await Store.open(redis=f"redis://127.0.0.1:{line.port}/0") as store:
            queue = store.jobs()
            line.swallow_answer_to = b"the config"
            await store.leagues.create(LEAGUE, b"the config", digest="d", divisions=TWO, entrants=[EntryRecord("a")])
            line.swallow_answer_to = b"the entropy"
            await store.leagues.start(LEAGUE, lambda *_: "the entropy")
            assert len([*await queue.claim(10), *await queue.claim(10)]) == 2
            line.swallow_answer_to = b"paused"
            await store.leagues.pause(LEAGUE)
            assert await state_of(store) == ("paused", "paused", "paused")
            line.swallow_answer_to = b"running"
            await store.leagues.resume(LEAGUE)
            assert await state_of(store) == ("running", "running", "running")
            line.swallow_answer_to = b"EVALSHA"
            await store.leagues.cancel(LEAGUE)
            assert await state_of(store) == ("cancelled", "cancelled", "cancelled")
            assert line.swallowed == 5


async def test_a_finish_whose_answer_is_lost_finishes_one_division(tcp_url: str) -> None:
    async with BadLine(urlsplit(tcp_url).port or 0).open() as line:
        tell(tcp_url, "FLUSHALL")
        async with await Store.open(redis=f"redis://127.0.0.1:{line.port}/0") as store:
            queue = store.jobs()
            await store.leagues.create(LEAGUE, b"", digest="d", divisions=TWO)
            await store.leagues.start(LEAGUE)
            steps = [*await queue.claim(10), *await queue.claim(10)]
            line.swallow_answer_to = b"EVALSHA"
            assert (await queue.commit_finish(steps[0])).before
            assert (await store.leagues.get(LEAGUE)).state == "running"
            assert not (await queue.commit_finish(steps[1])).before
            assert (await store.leagues.get(LEAGUE)).state == "finished"
