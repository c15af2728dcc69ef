"""Leagues are made once, and keep their secret until they are over."""

from __future__ import annotations

import hashlib

import pytest
from store_rounds import VARIANT, begin_league

from arena.store import EntryRecord, Scope, Store
from arena.store.errors import InvalidNameError, LeagueChangedError, UnknownLeagueError

ONE = {VARIANT: 5}


async def test_a_new_league_is_open_and_shows_the_commitment_to_a_secret_that_it_keeps(store: Store) -> None:
    league = await store.leagues.create("spring", b"config", digest="d", divisions=ONE)
    secret = await store.leagues.secret("spring")
    assert (league.state, league.test, league.secret, league.config) == ("open", False, None, b"config")
    assert len(secret) == 32
    assert league.commitment == hashlib.sha256(secret).hexdigest()


async def test_secrets_are_drawn_anew_for_each_league(store: Store) -> None:
    first = await store.leagues.create("a", b"", digest="d", divisions=ONE)
    second = await store.leagues.create("b", b"", digest="d", divisions=ONE)
    assert first.commitment != second.commitment


async def test_a_league_with_a_fixed_secret_is_marked_as_a_test(store: Store) -> None:
    league = await store.leagues.create("spring", b"", digest="d", divisions=ONE, secret=b"s" * 32)
    assert league.test
    assert await store.leagues.secret("spring") == b"s" * 32
    with pytest.raises(ValueError, match="32 bytes, not 5"):
        await store.leagues.create("short", b"", digest="d", divisions=ONE, secret=b"short")


async def test_the_same_file_makes_a_league_once_and_a_changed_one_is_refused(store: Store) -> None:
    first = await store.leagues.create("spring", b"config", digest="d1", divisions=ONE)
    assert await store.leagues.create("spring", b"config", digest="d1", divisions=ONE) == first
    with pytest.raises(LeagueChangedError, match="'spring' exists and its file has changed"):
        await store.leagues.create("spring", b"other", digest="d2", divisions=ONE)
    assert await store.leagues.get("spring") == first


async def test_an_open_leagues_file_is_replaced_under_the_same_commitment(store: Store) -> None:
    first = await store.leagues.create("spring", b"config", digest="d1", divisions=ONE, entrants=[EntryRecord("a")])
    new = {"kyogi": 3, VARIANT: 2}
    entrants = [EntryRecord("b", variants=("kyogi",)), EntryRecord("c")]
    assert await store.leagues.replace(first, b"other", digest="d2", divisions=new, entrants=entrants)
    league = await store.leagues.get("spring")
    assert (league.config, league.digest, league.commitment, league.state) == (b"other", "d2", first.commitment, "open")
    assert {division.variant: division.rounds for division in league.divisions} == new
    assert [entrant.bot for entrant in await store.leagues.entrants("spring")] == ["b", "c"]
    assert list(await store.leagues.participations("spring", VARIANT)) == ["c"]
    await store.leagues.withdraw("spring", "b")
    await store.leagues.start("spring")
    assert (await store.leagues.get("spring")).state == "running"


async def test_a_league_that_somebody_entered_meanwhile_or_that_has_started_is_not_replaced(store: Store) -> None:
    first = await store.leagues.create("spring", b"config", digest="d1", divisions=ONE)
    await store.leagues.enter("spring", EntryRecord("late"))
    assert not await store.leagues.replace(first, b"other", digest="d2", divisions=ONE)
    entered = await store.leagues.get("spring")
    await store.leagues.start("spring")
    assert not await store.leagues.replace(entered, b"other", digest="d2", divisions=ONE)
    league = await store.leagues.get("spring")
    assert (league.config, league.state) == (b"config", "running")
    assert [entrant.bot for entrant in await store.leagues.entrants("spring")] == ["late"]


async def test_the_secret_is_not_in_what_everyone_may_read_before_the_end(store: Store) -> None:
    await begin_league(store)
    assert (await store.leagues.get("autumn")).secret is None
    [listed] = (await store.leagues.list()).items
    assert listed.secret is None


async def test_a_league_that_nobody_made_is_unknown(store: Store) -> None:
    for call in (store.leagues.get, store.leagues.start, store.leagues.secret):
        with pytest.raises(UnknownLeagueError, match="'winter'"):
            await call("winter")
    with pytest.raises(UnknownLeagueError):
        await store.leagues.enter("winter", EntryRecord("bot"))


async def test_starting_twice_queues_one_step(store: Store) -> None:
    await begin_league(store)
    await store.leagues.start("autumn")
    assert len(await store.jobs().claim(10)) == 1
    assert (await store.leagues.get("autumn")).state == "running"


@pytest.mark.parametrize("name", ["", "a b", "a/b", "a{b}", "-a", "ä", "x" * 65, "a\n"])
def test_a_name_that_cannot_stand_in_a_key_is_refused(name: str) -> None:
    for scope in (Scope.league, Scope.match):
        with pytest.raises(InvalidNameError, match="letters, digits"):
            scope(name)


async def test_a_league_of_such_a_name_is_not_made(embedded: Store) -> None:
    with pytest.raises(InvalidNameError, match="league name 'a/b'"):
        await embedded.leagues.create("a/b", b"", digest="d", divisions=ONE)
    assert (await embedded.leagues.list()).items == ()


async def test_leagues_are_listed_by_name_in_pages(store: Store) -> None:
    for number in (3, 1, 2, 5, 4):
        await store.leagues.create(f"league{number}", b"", digest="d", divisions=ONE)
    first = await store.leagues.list(limit=3)
    second = await store.leagues.list(limit=3, after=first.next)
    assert [league.name for league in (*first.items, *second.items)] == [f"league{i}" for i in range(1, 6)]
    assert second.next == ""
