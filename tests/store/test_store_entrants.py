"""Who plays in a league: entering and withdrawing, at any time before and while it is played."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from store_rounds import pairs, take_one
from store_servers import BadLine, tell

from arena.store import EntryRecord, Participation, StepWork, Store
from arena.store.errors import (
    DivisionOverError,
    EntrantsChangedError,
    EntryChangedError,
    LeagueChangedError,
    LeagueStateError,
    NotEnteredError,
    UnknownDivisionError,
    UnknownLeagueError,
    WithdrawnError,
)

TWO = {"koikoi": 3, "kyogi": 2}


async def open_league(store: Store, *entrants: EntryRecord, divisions: dict[str, int] = TWO) -> None:
    await store.leagues.create("spring", b"", digest="d", divisions=divisions, entrants=entrants)


async def begin(store: Store, variant: str) -> None:
    """Have round 1 of a division of the league paired; steps of others are given back."""
    queue = store.jobs()
    league = await store.leagues.get("spring")
    for job in await queue.claim(10):
        if job.scope.part == variant:
            await queue.commit_round(job, b"plan", pairs(2), revision=league.revision)
        else:
            await queue.release(job)


async def test_a_league_is_made_with_its_entrants_or_not_at_all(store: Store) -> None:
    alice, bob = EntryRecord("alice", "nonce", b"payload", "owner"), EntryRecord("bob", variants=("kyogi",))
    await open_league(store, bob, alice)
    assert await store.leagues.entrants("spring") == (alice, bob)
    assert await store.leagues.participations("spring", "koikoi") == {"alice": Participation(1, None)}
    assert await store.leagues.participations("spring", "kyogi") == {
        "alice": Participation(1, None),
        "bob": Participation(1, None),
    }
    # Made again from the same file, it keeps what has become of it.
    await store.leagues.withdraw("spring", "bob")
    await open_league(store, bob, alice)
    assert await store.leagues.entrants("spring") == (alice,)
    with pytest.raises(UnknownDivisionError, match="has no division of 'sangohana'; it has koikoi"):
        await store.leagues.create(
            "other", b"", digest="d", divisions={"koikoi": 1}, entrants=[EntryRecord("a", variants=("sangohana",))]
        )
    assert [league.name for league in (await store.leagues.list()).items] == ["spring"]
    with pytest.raises(LeagueChangedError):
        await store.leagues.create("spring", b"", digest="other", divisions=TWO)


async def test_bots_enter_while_a_league_is_open(store: Store) -> None:
    await open_league(store)
    assert await store.leagues.enter("spring", EntryRecord("b", "nonce", b"payload"))
    assert await store.leagues.enter("spring", EntryRecord("a"))
    assert not await store.leagues.enter("spring", EntryRecord("a"))
    assert await store.leagues.entrants("spring") == (EntryRecord("a"), EntryRecord("b", "nonce", b"payload"))
    assert (await store.leagues.get("spring")).revision == 2

    with pytest.raises(EntryChangedError):
        await store.leagues.enter("spring", EntryRecord("a", "nonce"))
    await store.leagues.enter("spring", EntryRecord("c", "nonce", variants=("kyogi",)))
    assert set(await store.leagues.participations("spring", "koikoi")) == {"a", "b"}
    assert set(await store.leagues.participations("spring", "kyogi")) == {"a", "b", "c"}


async def test_a_bot_that_enters_late_is_there_from_each_divisions_next_round_and_its_nonce_is_not_kept(
    store: Store,
) -> None:
    await open_league(store, EntryRecord("a", "nonce"), EntryRecord("b"))
    await store.leagues.start("spring")
    await begin(store, "koikoi")
    assert await store.leagues.enter("spring", EntryRecord("late", "nonce"))
    assert not await store.leagues.enter("spring", EntryRecord("late", "nonce"))
    assert (await store.leagues.participations("spring", "koikoi"))["late"] == Participation(2, None)
    assert (await store.leagues.participations("spring", "kyogi"))["late"] == Participation(1, None)
    assert (await store.leagues.entrants("spring"))[2] == EntryRecord("late")
    with pytest.raises(EntryChangedError):
        await store.leagues.enter("spring", EntryRecord("a", "a better nonce"))


async def test_a_bot_cannot_enter_where_no_round_is_left(store: Store) -> None:
    await open_league(store, EntryRecord("a"), EntryRecord("b"), divisions={"koikoi": 1, "kyogi": 2})
    await store.leagues.start("spring")
    await begin(store, "koikoi")
    with pytest.raises(DivisionOverError, match="no round of koikoi is left in league 'spring'"):
        await store.leagues.enter("spring", EntryRecord("late"))
    assert len(await store.leagues.entrants("spring")) == 2
    await store.leagues.enter("spring", EntryRecord("late", variants=("kyogi",)))
    await begin(store, "kyogi")
    with pytest.raises(DivisionOverError, match="no round of kyogi is left"):
        await store.leagues.enter("spring", EntryRecord("later", variants=("kyogi",)), last_rounds={"kyogi": 1})
    assert await store.leagues.enter("spring", EntryRecord("later", variants=("kyogi",)), last_rounds={"kyogi": 2})
    assert "late" not in await store.leagues.participations("spring", "koikoi")


async def test_a_bot_that_withdraws_leaves_an_open_league_and_plays_no_further_round_of_one_that_goes_on(
    store: Store,
) -> None:
    await open_league(store, EntryRecord("a"), EntryRecord("b"), EntryRecord("c"))
    await store.leagues.withdraw("spring", "c")
    assert "c" not in await store.leagues.participations("spring", "koikoi")
    with pytest.raises(WithdrawnError, match="'c' has withdrawn from league 'spring'"):
        await store.leagues.withdraw("spring", "c")
    assert await store.leagues.enter("spring", EntryRecord("c")), "while it is open, it may change its mind"

    await store.leagues.start("spring")
    await begin(store, "koikoi")
    await store.leagues.withdraw("spring", "c")
    assert (await store.leagues.participations("spring", "koikoi"))["c"] == Participation(1, 1)
    assert (await store.leagues.participations("spring", "kyogi"))["c"] == Participation(1, 0)
    for call in (store.leagues.withdraw("spring", "c"), store.leagues.enter("spring", EntryRecord("c"))):
        with pytest.raises(WithdrawnError):
            await call
    assert "c" in {entrant.bot for entrant in await store.leagues.entrants("spring")}, "its nonce counts"


async def test_whoever_withdraws_has_played_a_division_that_is_over_to_its_end(store: Store) -> None:
    await open_league(store, EntryRecord("a"), EntryRecord("b"))
    await store.leagues.start("spring")
    queue, league = store.jobs(), await store.leagues.get("spring")
    [step] = [job for job in await queue.claim(2) if job.scope.part == "koikoi"]
    await queue.commit_finish(step, revision=league.revision)
    await store.leagues.withdraw("spring", "b")
    assert (await store.leagues.participations("spring", "koikoi"))["b"] == Participation(1, None)
    assert (await store.leagues.participations("spring", "kyogi"))["b"] == Participation(1, 0)


async def test_what_cannot_be_entered_or_left_is_refused_by_name(store: Store) -> None:
    with pytest.raises(UnknownLeagueError, match="'winter'"):
        await store.leagues.enter("winter", EntryRecord("a"))
    with pytest.raises(UnknownLeagueError, match="'winter'"):
        await store.leagues.withdraw("winter", "a")
    await open_league(store, EntryRecord("a"))
    with pytest.raises(UnknownDivisionError, match="no division of 'poker'; it has koikoi, kyogi"):
        await store.leagues.enter("spring", EntryRecord("b", variants=("poker",)))
    with pytest.raises(NotEnteredError, match="'b' has not entered league 'spring'"):
        await store.leagues.withdraw("spring", "b")
    await store.leagues.cancel("spring")
    with pytest.raises(
        LeagueStateError, match="is cancelled; bots can enter only a league that is open, running or paused"
    ):
        await store.leagues.enter("spring", EntryRecord("b"))
    with pytest.raises(LeagueStateError, match="is cancelled; there is nothing left to withdraw from"):
        await store.leagues.withdraw("spring", "a")


async def test_a_round_is_paired_of_the_entrants_that_are_there_when_it_is_committed(store: Store) -> None:
    await open_league(store, EntryRecord("a"), EntryRecord("b"), divisions={"koikoi": 1})
    await store.leagues.start("spring")
    queue = store.jobs()
    step = await take_one(queue)
    read = (await store.leagues.get("spring")).revision
    async with queue.leases.hold(step):
        for change in (store.leagues.enter("spring", EntryRecord("late")), store.leagues.withdraw("spring", "a")):
            await change
            with pytest.raises(EntrantsChangedError):
                await queue.commit_round(step, b"stale", pairs(6), revision=read)
            with pytest.raises(EntrantsChangedError):
                await queue.commit_finish(step, revision=read)
        await queue.commit_round(step, b"fresh", pairs(2), revision=(await store.leagues.get("spring")).revision)
    assert await store.leagues.plans("spring", "koikoi") == {1: b"fresh"}
    # Nothing of the jobs that were staged in vain is left.
    assert len(await queue.claim(100)) == 2


async def test_the_entropy_is_that_of_the_entrants_at_the_start(store: Store) -> None:
    await open_league(store, EntryRecord("a", "1"))
    calls: list[list[str]] = []

    def entropy(_: object, entrants: object) -> str:
        assert isinstance(entrants, tuple)
        calls.append([entrant.nonce for entrant in entrants])
        return "+".join(calls[-1])

    await store.leagues.start("spring", entropy)
    await store.leagues.enter("spring", EntryRecord("b", "2"))
    await store.leagues.start("spring", entropy)
    assert calls == [["1"]]
    assert (await store.leagues.get("spring")).entropy == "1"
    assert [job.work for job in await store.jobs().claim(10)] == [StepWork(1), StepWork(1)]


@pytest.mark.parametrize("late", [False, True])
async def test_an_entry_and_a_withdrawal_whose_answers_are_lost_count_once(tcp_url: str, late: bool) -> None:
    async with BadLine(urlsplit(tcp_url).port or 0).open() as line:
        tell(tcp_url, "FLUSHALL")
        async with await Store.open(redis=f"redis://127.0.0.1:{line.port}/0") as store:
            await open_league(store, EntryRecord("a"), EntryRecord("b"))
            if late:
                await store.leagues.start("spring")
            line.swallow_answer_to = b"the nonce of c"
            await store.leagues.enter("spring", EntryRecord("c", "the nonce of c"))
            assert "c" in await store.leagues.participations("spring", "koikoi")
            line.swallow_answer_to = b"EVALSHA"
            await store.leagues.withdraw("spring", "b")
            assert line.swallowed == 2
            assert (await store.leagues.get("spring")).revision == 2
            with pytest.raises(WithdrawnError):
                await store.leagues.withdraw("spring", "b")
