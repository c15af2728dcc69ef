"""Replays are listed in pages, and none can be read before its board is over."""

from __future__ import annotations

from contextlib import suppress

import pytest
from store_rounds import LEAGUE, begin_league, begin_round, pairs, play_out, take_one
from store_servers import Interleaved

from arena.store import MatchWork, Scope, Store, new_match_id, replay_id
from arena.store.errors import (
    BoardStillOpenError,
    InvalidCursorError,
    MatchExistsError,
    UnknownMatchError,
    UnknownReplayError,
)
from arena.store.replays import Replays


async def test_no_replay_is_readable_before_every_match_on_its_board_is_over(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=4)
    jobs = {job.work.name: job for job in await queue.claim(4) if isinstance(job.work, MatchWork)}

    await queue.commit_match(jobs["t0-0"], b"result", b"the replay", b"who won")
    with pytest.raises(BoardStillOpenError, match="board 'b0' is over"):
        await store.replays.get("autumn.koikoi.r1.t0-0")
    [info] = (await store.replays.list()).items
    assert (info.id, info.board, info.bots, info.size, info.readable, info.about) == (
        "autumn.koikoi.r1.t0-0",
        "b0",
        ("bot0", "bot1"),
        10,
        False,
        b"",
    )

    await queue.commit_match(jobs["t1-0"], b"result", b"of another board")
    with pytest.raises(BoardStillOpenError):
        await store.replays.get("autumn.koikoi.r1.t0-0")
    await queue.commit_match(jobs["t0-1"], b"result")
    assert await store.replays.get("autumn.koikoi.r1.t0-0") == b"the replay"
    listed = (await store.replays.list()).items
    assert [(info.readable, info.about) for info in listed] == [(True, b"who won"), (False, b"")]


async def test_a_board_of_which_a_match_waits_in_the_backlog_is_open(store: Store) -> None:
    queue = store.jobs()
    await begin_league(store)
    matches = [MatchWork(f"t{i}", "board", 3, ("a", "b"), b"") for i in range(3)]
    await queue.commit_round(await take_one(queue), b"plan", matches)
    await queue.commit_match(await take_one(queue), b"result", b"replay")
    with pytest.raises(BoardStillOpenError):
        await store.replays.get("autumn.koikoi.r1.t0")


async def test_the_id_of_a_replay_is_known_before_it_is_stored(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1)
    job = await take_one(queue)
    assert isinstance(job.work, MatchWork)
    name = replay_id(job.scope, job.work.key)
    with pytest.raises(UnknownReplayError):
        await store.replays.get(name)
    await queue.commit_match(job, b"result", b"replay")
    assert [info.id for info in (await store.replays.list()).items] == [name]


async def test_a_match_without_a_replay_has_none(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1)
    await queue.commit_match(await take_one(queue), b"result")
    with pytest.raises(UnknownReplayError, match="t0-0"):
        await store.replays.get("autumn.koikoi.r1.t0-0")
    assert (await store.replays.list()).items == ()


@pytest.mark.parametrize("limit", [1, 3, 7, 8, 100])
async def test_replays_are_listed_in_pages_by_league_and_bot(embedded: Store, limit: int) -> None:
    queue = embedded.jobs()
    await begin_round(embedded, queue, matches=5)
    await play_out(queue)
    await begin_league(embedded, name="winter")
    await queue.commit_round(await take_one(queue), b"plan", pairs(3))
    await play_out(queue)
    for match in ("m1", "m2"):
        await embedded.matches.create(match, bots=("bot1", "bot9"), payload=b"", commitment="")
        await queue.commit_match(await take_one(queue), b"result", b"replay")

    async def ids(league: str | None = None, bot: str | None = None, *, newest: bool = False) -> list[str]:
        found: list[str] = []
        after = ""
        while True:
            page = await embedded.replays.list(league=league, bot=bot, after=after, limit=limit, newest=newest)
            assert len(page.items) <= limit
            found += [info.id for info in page.items]
            if not (after := page.next):
                return found

    names = [work.name for work in pairs(5)]
    autumn = [f"autumn.koikoi.r1.{name}" for name in names]
    winter = [f"winter.koikoi.r1.{name}" for name in names[:3]]
    assert await ids() == [*autumn, *winter, "m1", "m2"]
    assert await ids(league="winter") == winter
    assert await ids(bot="bot1") == [*autumn[:2], *winter[:2], "m1", "m2"]
    assert await ids(league="autumn", bot="bot5") == autumn[4:]
    assert await ids(bot="nobody") == []
    assert await ids(league="") == ["m1", "m2"]
    assert await ids(bot="bot1", newest=True) == [*autumn[1::-1], *winter[1::-1], "m2", "m1"]
    assert await ids(newest=True) == [*autumn[::-1], *winter[::-1], "m2", "m1"]


@pytest.mark.parametrize("cursor", ["nonsense", "* nonsense", "autumn nonsense x"])
async def test_a_cursor_that_no_listing_gave_is_refused(embedded: Store, cursor: str) -> None:
    with pytest.raises(InvalidCursorError):
        await embedded.replays.list(after=cursor)


# -- single matches -----------------------------------------------------------------------------------------


async def test_a_single_match_is_played_and_its_replay_readable_at_once(store: Store) -> None:
    queue = store.jobs()
    match_id = new_match_id()
    match = await store.matches.create(
        match_id, bots=("a", "house:greedy"), payload=b"with the seed", commitment="c0ffee", about=b"koikoi"
    )
    assert (match.state, match.commitment, match.about, match.result) == ("running", "c0ffee", b"koikoi", None)
    job = await take_one(queue)
    assert isinstance(job.work, MatchWork)
    assert (job.work.payload, job.work.bots, job.work.board) == (b"with the seed", ("a", "house:greedy"), match_id)
    assert replay_id(job.scope, job.work.key) == match_id

    assert not (await queue.commit_match(job, b"result", b"replay")).before
    assert (await queue.commit_match(job, b"result", b"replay")).before
    match = await store.matches.get(match_id)
    assert (match.state, match.result) == ("finished", b"result")
    assert match.finished_us >= match.created_us > 0
    assert await store.replays.get(match_id) == b"replay"
    assert await queue.claim(1) == []


async def test_the_same_match_is_queued_once_and_another_of_its_id_is_refused(store: Store) -> None:
    for _ in range(2):
        await store.matches.create("m", bots=("a", "b"), payload=b"p", commitment="")
    with pytest.raises(MatchExistsError):
        await store.matches.create("m", bots=("a", "b"), payload=b"another", commitment="")
    assert len(await store.jobs().claim(10)) == 1


async def test_matches_are_listed_by_time_and_bot_in_pages(store: Store) -> None:
    for number in range(7):
        await store.matches.create(f"m{number}", bots=("a", f"b{number % 2}"), payload=b"", commitment="")
    found: list[str] = []
    after = ""
    while True:
        page = await store.matches.list(limit=3, after=after)
        found += [match.id for match in page.items]
        if not (after := page.next):
            break
    assert found == [f"m{number}" for number in range(7)]
    assert [match.id for match in (await store.matches.list(bot="b1")).items] == ["m1", "m3", "m5"]


async def test_a_match_and_a_replay_that_nobody_made_are_unknown(store: Store) -> None:
    with pytest.raises(UnknownMatchError, match="'nothing'"):
        await store.matches.get("nothing")
    for name in ("nothing", "no/thing"):
        with pytest.raises(UnknownReplayError, match=name):
            await store.replays.get(name)


async def test_a_league_and_a_match_of_one_name_are_kept_apart(store: Store) -> None:
    queue = store.jobs()
    await begin_round(store, queue, matches=1)
    await store.matches.create(LEAGUE, bots=("a", "b"), payload=b"", commitment="")
    for job in [*await queue.claim(10), *await queue.claim(10)]:
        await queue.commit_match(job, b"result", str(job.scope).encode())
    assert await store.replays.get(LEAGUE) == b"match:autumn"
    assert {info.id for info in (await store.replays.list()).items} == {LEAGUE, f"{LEAGUE}.koikoi.r1.t0-0"}


async def test_a_bot_s_fingerprint_changes_when_a_match_of_its_own_begins_or_ends(store: Store) -> None:
    seen = [await store.matches.fingerprint("ann")]
    await store.matches.create("single", bots=("ann", "bo"), payload=b"", commitment="", delay_s=100)
    seen.append(await store.matches.fingerprint("ann"))
    assert await store.jobs().claim(1) == [], "what is announced for later, no node finds"
    jobs = store.jobs()
    [job] = await jobs.claim_of(Scope.match("single"))
    await jobs.commit_match(job, b"{}", b"replay", b"")
    seen.append(await store.matches.fingerprint("ann"))
    assert len(set(seen)) == 3
    assert await store.matches.fingerprint("ann") == seen[-1]
    assert await store.matches.fingerprint("cy") == seen[0]


async def test_a_match_that_is_deleted_while_its_replay_is_listed_is_left_out(store: Store) -> None:
    match_id = await played_match(store)
    listing = Interleaved(store._client, "HGET", 0, lambda: deleted(store, match_id))
    page = await Replays(listing).list()  # type: ignore[arg-type]
    assert page.items == ()
    assert (await store.replays.list()).items == ()


@pytest.mark.parametrize("commands", [0, 1, 2])
async def test_a_match_that_is_deleted_while_its_replay_is_read_has_none(store: Store, commands: int) -> None:
    match_id = await played_match(store)
    reading = Interleaved(store._client, "HGET", commands, lambda: deleted(store, match_id))
    with pytest.raises(UnknownReplayError):
        await Replays(reading).get(match_id)  # type: ignore[arg-type]


async def played_match(store: Store) -> str:
    """A single match that is over, with its replay."""
    match_id = new_match_id()
    await store.matches.create(match_id, bots=("a", "b"), payload=b"", commitment="c")
    queue = store.jobs()
    await queue.commit_match(await take_one(queue), b"result", b"the replay")
    return match_id


async def deleted(store: Store, match_id: str) -> None:
    with suppress(UnknownMatchError):  # it is by now
        await store.matches.delete(match_id)


async def test_the_newest_replays_are_read_from_a_moment_on_and_carry_their_times(embedded: Store) -> None:
    queue = embedded.jobs()
    await begin_round(embedded, queue, matches=3)
    await play_out(queue)
    for match in ("m1", "m2"):
        await embedded.matches.create(match, bots=("bot1", "bot9"), payload=b"", commitment="")
        await queue.commit_match(await take_one(queue), b"result", b"replay")
    division = Scope.league(LEAGUE, "koikoi")
    ever = (10**18, "")

    newest = await embedded.replays.latest(division, before=ever, limit=10)
    assert [info.id for info in newest] == [f"{LEAGUE}.koikoi.r1.{work.name}" for work in reversed(pairs(3))]
    times = [info.time_us for info in newest]
    assert times == sorted(set(times), reverse=True), "each is later than the one before"
    assert times[-1] > (await embedded.leagues.get(LEAGUE)).created_us
    assert await embedded.replays.time_us(newest[1].id) == times[1]
    assert await embedded.replays.time_us("nothing") == await embedded.replays.time_us("no/thing") == 0

    middle = newest[1]
    assert await embedded.replays.latest(division, before=(middle.time_us, middle.id), limit=10) == newest[2:]
    # Of what was committed at the same time elsewhere, only what has a lesser id comes before.
    assert await embedded.replays.latest(division, before=(middle.time_us, "a"), limit=10) == newest[2:]
    assert await embedded.replays.latest(division, before=(middle.time_us, "b"), limit=10) == newest[1:]
    assert await embedded.replays.latest(division, bot="bot1", before=ever, limit=1) == newest[1:2]

    singles = await embedded.replays.latest(None, before=ever, limit=10)
    assert [info.id for info in singles] == ["m2", "m1"]
    assert await embedded.replays.latest(None, before=(singles[0].time_us, "m2"), limit=10) == singles[1:]
