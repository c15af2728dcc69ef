"""Ladders over the store: who is in, what a new version starts from, one season after the other."""

import asyncio
import math
from pathlib import Path

import msgspec
import pytest

from arena.launcher.sources import parse_source
from arena.league.ladder_ratings import VERSION
from arena.league.reader import parse_league
from arena.match.model import End, MatchResult
from arena.organizer import ladders, steps
from arena.organizer.entries import check, entrants_of, player_of
from arena.organizer.errors import EntryError, UnreadableLadderError
from arena.organizer.ladder_table import LadderRow, LadderView, view_of
from arena.organizer.ladders import Pacing, carry_out, state_of
from arena.organizer.matches import MatchJob
from arena.packs.manifest import Manifest
from arena.store import JobQueue, MatchWork, Scope, StepWork, Store
from arena.store.errors import LadderExistsError, UnknownLadderError
from arena.store.keys import ladder_owner
from arena.submissions.record import VersionRecord

FOUR = 'boards = 1\nentries = ["house:random", "house:greedy", "house:level1", "house:level2"]\n'
ONE, TWO = "1" * 64, "2" * 64


async def open_ladder(store: Store, more: str = FOUR, rounds: int = 2, terms: str = "") -> None:
    text = f'name = "evening"\nrounds = {rounds}\n{more}[ladder]\n{terms}'
    spec = parse_league(text, "evening.toml", takes_entries=True)
    await ladders.open_ladder(store, spec, await entrants_of(store, spec, check(spec, Path())))


async def look(store: Store, node: str = "a") -> LadderView:
    """Have a node look after the ladders; return how the one of these tests stands."""
    await carry_out(store, node)
    return await view_of(store, "evening")


async def rows(store: Store) -> dict[str, LadderRow]:
    return {row.bot: row for row in (await view_of(store, "evening")).rows}


async def round_(store: Store, queue: JobQueue | None = None, cache: steps.PlayedRounds | None = None) -> int:
    """Pair a round and play it, the seat that comes later winning; return how many matches it had."""
    queue = queue or store.jobs()
    [step] = await queue.claim_ladders(1, wait_s=20)
    assert isinstance(step.work, StepWork)
    async with queue.leases.hold(step):
        await steps.step(store, queue, step, cache)
    played = 0
    while jobs := await queue.claim_ladders(100):
        for job in jobs:
            if isinstance(job.work, StepWork):
                await queue.release(job)
                return played
            assert isinstance(job.work, MatchWork)
            match = msgspec.msgpack.decode(job.work.payload, type=MatchJob)
            assert match.plan is not None
            order = tuple(range(len(match.spec.names)))
            result = MatchResult(End.COMPLETED, -1, order, order[::-1], b"", (), (0,) * len(order))
            await queue.commit_match(job, steps.outcome_of(match.plan, result), b"replay")
            played += 1
    return played


async def submit(store: Store, bot: str, version: str, variants: tuple[str, ...] = ()) -> None:
    """Make a version of a bot, which qualifies, the active one."""
    await qualify(store, bot, version, variants)
    await store.versions.activate(bot, version)


async def qualify(store: Store, bot: str, version: str, variants: tuple[str, ...] = ()) -> None:
    """Have a version of a bot qualify."""
    queue = store.jobs()
    record = VersionRecord(Manifest(bot, ("python", "bot.py"), variants=variants), 2, 100)
    await store.versions.create(bot, version, msgspec.json.encode(record))
    [job] = await queue.claim_of(Scope.version(bot, version))
    await queue.commit_version(job, b"", qualified=True)


async def test_a_season_begins_by_itself_and_the_next_one_with_the_ratings_of_the_one_before(store: Store) -> None:
    await open_ladder(store)
    assert (await view_of(store, "evening")).state == "waiting"
    assert (await look(store)).state == "running"
    assert await round_(store) == 4
    assert await round_(store) == 4
    await round_(store)
    ended = await rows(store)
    assert (await store.leagues.get("ladder.evening.1")).state == "finished"
    view = await look(store)
    assert (view.season, view.state) == (2, "running")
    begun = await rows(store)
    for name, row in ended.items():
        assert row.boards == begun[name].boards == 2
        assert begun[name].rating == pytest.approx(row.rating, abs=0.01)
    first, second = [await store.leagues.get(f"ladder.evening.{number}") for number in (1, 2)]
    assert first.commitment != second.commitment
    assert first.secret is not None
    assert second.secret is None


async def test_a_step_reads_what_was_played_since_the_one_before_alone(store: Store) -> None:
    await open_ladder(store, rounds=9)
    await look(store)
    cache = steps.PlayedRounds()
    for _ in range(3):
        assert await round_(store, cache=cache) == 4
    season = Scope.league("ladder.evening.1", "koikoi")
    for number in (1, 2):
        await store._client.call("DEL", season.results(number))
    assert await round_(store, cache=cache) == 4
    league = await store.leagues.get("ladder.evening.1")
    assert league.division("koikoi").round == 4
    assert [one.number for one in cache.of(league, "koikoi")] == [1, 2, 3]


async def test_a_submitted_bot_enters_by_itself_if_it_plays_the_variant(store: Store) -> None:
    await open_ladder(store, 'entries = ["house:random"]\n')
    assert (await look(store)).state == "waiting", "one bot has nobody to play"
    for bot, variants in (("ann", ("koikoi", "kyogi")), ("bob", ("kyogi",)), ("cat", ())):
        await store.bots.create(bot, owner=f"of-{bot}", stateless=True)
        await submit(store, bot, ONE, variants)
    view = await look(store)
    assert (view.state, {row.bot for row in view.rows}) == ("running", {"random", "ann", "cat"})


async def test_without_everybody_bots_enter_by_name_alone(store: Store) -> None:
    await open_ladder(store, terms="everybody = false\n")
    await store.bots.create("ann", stateless=True)
    await submit(store, "ann", ONE)
    assert "ann" not in {row.bot for row in (await look(store)).rows}
    assert await ladders.enter(store, "evening", parse_source("ann"), "ann")
    assert not await ladders.enter(store, "evening", parse_source("ann"), "ann")
    assert "ann" in {row.bot for row in (await look(store)).rows}


async def test_a_new_version_plays_from_the_next_round_on_from_the_rating_of_the_one_before(store: Store) -> None:
    await store.bots.create("ann", stateless=True)
    await submit(store, "ann", ONE)
    await open_ladder(store, rounds=9)
    await look(store)
    await round_(store)
    before = (await rows(store))["ann"]
    await submit(store, "ann", TWO)
    await look(store)
    after = (await rows(store))["ann"]
    assert (before.version, after.version) == (ONE, TWO)
    assert before.rating is not None
    assert after.rating == pytest.approx(before.rating, abs=1)
    assert after.boards == before.boards
    await round_(store)
    entrants = await store.leagues.entrants("ladder.evening.1")
    names = {entrant.bot: player_of(entrant).version for entrant in entrants if player_of(entrant).bot == "ann"}
    assert names == {"ann": ONE, "ann.2": TWO}
    stays = await store.leagues.participations("ladder.evening.1", "koikoi")
    assert (stays["ann"].last_round, stays["ann.2"].first_round) == (1, 2)


async def test_a_new_version_between_seasons_starts_with_a_wider_bar(store: Store) -> None:
    await store.bots.create("ann", stateless=True)
    await submit(store, "ann", ONE)
    await open_ladder(store, 'entries = ["house:random", "house:greedy", "house:level1"]\nboards = 8\n', rounds=1)
    await look(store)
    await round_(store)
    await round_(store)
    table = (await steps.table_of(store, await store.leagues.get("ladder.evening.1"))).divisions[0]
    await submit(store, "ann", TWO)
    await look(store)
    start = state_of(await store.ladders.get("evening")).start
    assert start["ann"].sigma == pytest.approx(math.hypot(table.ratings["ann"].sigma, VERSION), abs=0.01)
    assert start["random"].sigma == pytest.approx(table.ratings["random"].sigma, abs=0.01)
    await look(store)
    assert (await rows(store))["ann"].version == TWO


async def test_a_bot_that_leaves_plays_no_further_round_and_comes_back_as_it_was(store: Store) -> None:
    await open_ladder(store, rounds=9)
    await look(store)
    await round_(store)
    before = (await rows(store))["greedy"]
    assert await ladders.leave(store, "evening", "greedy")
    assert not await ladders.leave(store, "evening", "greedy")
    await look(store)
    assert "greedy" not in await rows(store)
    await round_(store)
    assert await ladders.enter(store, "evening", parse_source("house:greedy"), "greedy")
    await look(store)
    after = (await rows(store))["greedy"]
    assert (after.boards, after.entry) == (before.boards, "greedy.2")
    with pytest.raises(EntryError, match="greedy is another bot on ladder evening"):
        await ladders.enter(store, "evening", parse_source("house:level3"), "greedy")


async def test_a_bot_whose_versions_are_retired_is_out(store: Store) -> None:
    await store.bots.create("ann", stateless=True)
    await submit(store, "ann", ONE)
    await open_ladder(store)
    assert "ann" in {row.bot for row in (await look(store)).rows}
    await store.versions.retire("ann", ONE)
    assert "ann" not in {row.bot for row in (await look(store)).rows}


async def test_the_bots_of_an_owner_who_has_ended_are_out(store: Store) -> None:
    await store.owners.create("of-ann")
    await store.bots.create("ann", owner="of-ann", stateless=True)
    await submit(store, "ann", ONE)
    await open_ladder(store)
    assert "ann" in {row.bot for row in (await look(store)).rows}
    await store.owners.end("of-ann")
    assert "ann" not in {row.bot for row in (await look(store)).rows}


async def test_a_ladder_that_is_closed_ends_with_its_round_and_can_be_opened_again(store: Store) -> None:
    await open_ladder(store, rounds=9)
    await look(store)
    await round_(store)
    await ladders.close(store, "evening")
    assert (await look(store)).state == "closing"
    await round_(store)
    view = await look(store)
    assert (view.state, len(view.rows)) == ("closed", 4)
    league = await store.leagues.get("ladder.evening.1")
    assert (league.state, league.secret is not None) == ("finished", True)
    assert (await look(store)).season == 1
    await open_ladder(store, rounds=9)
    await look(store)
    assert (await look(store)).season == 2
    assert {row.boards for row in (await rows(store)).values()} == {1}


async def test_a_bot_that_comes_and_goes_all_the_time_has_an_entry_a_round(store: Store) -> None:
    await open_ladder(store, rounds=9)
    for _ in range(3):
        for _ in range(3):
            await look(store)
            await ladders.leave(store, "evening", "greedy")
            await look(store)
            await ladders.enter(store, "evening", parse_source("house:greedy"), "greedy")
        await look(store)
        await round_(store)
    entrants = await store.leagues.entrants("ladder.evening.1")
    assert len([entrant for entrant in entrants if player_of(entrant).line == "greedy"]) <= 4


async def test_another_file_counts_with_its_bots_at_once_and_else_from_the_next_season_on(store: Store) -> None:
    await open_ladder(store, rounds=1)
    await look(store)
    await ladders.enter(store, "evening", parse_source("house:search"), "guest")
    await open_ladder(store, 'entries = ["house:random", "house:level3"]\n', rounds=5)
    await look(store)
    assert (await view_of(store, "evening")).rounds == 1
    assert set(await rows(store)) == {"random", "level3", "guest"}
    await round_(store)
    await round_(store)
    await look(store)
    await look(store)
    assert (await view_of(store, "evening")).rounds == 5
    assert set(await rows(store)) == {"random", "level3", "guest"}
    for other in ('variant = "kyogi"', 'board_sets = "field"'):
        spec = parse_league(f'name = "evening"\n{other}\n[ladder]\n', "evening.toml")
        with pytest.raises(LadderExistsError, match="of another variant, other seats or other board sets"):
            await ladders.open_ladder(store, spec, [])


async def test_any_number_of_nodes_look_after_a_ladder_and_each_thing_is_done_once(store: Store) -> None:
    await store.bots.create("ann", stateless=True)
    await submit(store, "ann", ONE)
    await open_ladder(store, rounds=2)
    record = (await store.ladders.list())[0]
    await asyncio.gather(*(ladders.look_after(store, record) for _ in range(5)))
    await round_(store)
    await submit(store, "ann", TWO)
    await asyncio.gather(*(ladders.look_after(store, record) for _ in range(5)))
    entrants = await store.leagues.entrants("ladder.evening.1")
    assert sorted(entrant.bot for entrant in entrants) == ["ann", "ann.2", "greedy", "level1", "level2", "random"]
    await round_(store)
    await round_(store)
    await asyncio.gather(*(ladders.look_after(store, record) for _ in range(5)))
    assert state_of(await store.ladders.get("evening")).number == 2


async def test_one_node_looks_after_a_ladder_until_it_has_gone(store: Store) -> None:
    await open_ladder(store)
    assert await store.ladders.try_claim("evening", "a")
    assert not await store.ladders.try_claim("evening", "b")
    assert await store.ladders.try_claim("evening", "a")
    assert (await look(store, "b")).state == "waiting"
    assert (await look(store, "a")).state == "running"


async def test_a_node_rests_from_a_ladder_and_nobody_else_looks_after_it_meanwhile(store: Store) -> None:
    await open_ladder(store)
    pacing = Pacing()
    [record] = await store.ladders.list()
    assert pacing.is_due(record)
    assert pacing.begin(record, 0.2) == pytest.approx(20)
    assert not pacing.is_due(record)
    assert pacing.begin(record, 9.0) == Pacing.MAX_PAUSE_S
    await carry_out(store, "a", pacing=pacing)
    assert (await view_of(store, "evening")).state == "waiting"
    assert await ladders.leave(store, "evening", "greedy")
    [changed] = await store.ladders.list()
    assert pacing.is_due(changed), "whatever people ask of it is done at once"
    await carry_out(store, "a", pacing=pacing)
    assert (await view_of(store, "evening")).state == "running"
    await store.ladders.try_claim("evening", "a", 60)
    assert (await store._client.call("PTTL", ladder_owner("evening"))) > 60_000


async def test_jobs_of_ladders_are_no_jobs_of_leagues(store: Store) -> None:
    await open_ladder(store)
    await look(store)
    queue = store.jobs()
    assert await queue.claim(10) == []
    [step] = await queue.claim_ladders(10)
    assert step.scope == Scope.league("ladder.evening.1", "koikoi")
    assert await store.leagues.under_way() == ("ladder.evening.1",)


async def test_a_ladder_that_cannot_be_read_holds_up_no_other(store: Store) -> None:
    await store.ladders.create("broken", b"no record")
    await open_ladder(store)
    with pytest.raises(ExceptionGroup, match="cannot go on: broken") as failed:
        await carry_out(store, "a")
    assert failed.group_contains(UnreadableLadderError)
    assert (await view_of(store, "evening")).state == "running"
    with pytest.raises(UnknownLadderError):
        await view_of(store, "morning")


async def test_bots_that_connect_play_on_field_boards_while_they_are_connected(store: Store) -> None:
    there = {"ann", "bob", "cat"}
    for bot in ("ann", "bob", "cat", "sent"):
        await store.bots.create(bot)
    await store.bots.keep_variants("cat", ("kyogi",))
    await submit(store, "sent", ONE)
    await open_ladder(store, 'board_sets = "field"\nboards = 2\nentries = ["house:random"]\n', rounds=9)

    async def line_up() -> dict[str, str]:
        await carry_out(store, "a", there.__contains__)
        return {name: row.entry for name, row in (await rows(store)).items()}

    assert await line_up() == {"random": "random", "ann": "ann", "bob": "bob"}
    assert await round_(store) == 2, "one table, each of its boards once"
    rating = (await rows(store))["ann"].rating
    there.remove("ann")
    assert await line_up() == {"random": "random", "bob": "bob"}
    await round_(store)
    there.add("ann")
    assert await line_up() == {"random": "random", "ann": "ann.2", "bob": "bob"}
    assert rating is not None
    with pytest.raises(EntryError, match="'sent' is sent in and played in a cage"):
        await ladders.enter(store, "evening", parse_source("sent"), "sent")


async def test_a_bot_that_connects_is_kept_off_mirrored_boards(store: Store) -> None:
    await store.bots.create("ann")
    await open_ladder(store)
    with pytest.raises(EntryError, match="'ann' names a bot that connects by itself"):
        await ladders.enter(store, "evening", parse_source("ann"), "ann")
    await carry_out(store, "a", lambda _: True)
    assert "ann" not in await rows(store)


async def test_no_version_gets_an_entry_under_a_name_that_another_bot_has_or_had(store: Store) -> None:
    await open_ladder(store)
    for bot in ("champ", "champ.2"):
        await store.bots.create(bot, owner=f"of-{bot}", stateless=True)
        await submit(store, bot, ONE)
    await look(store)
    await round_(store)
    await ladders.leave(store, "evening", "champ.2")
    await round_(store)
    await round_(store)
    await look(store)
    await round_(store)
    await submit(store, "champ", TWO)
    await look(store)
    await ladders.enter(store, "evening", parse_source("champ.2"), "champ.2")
    await look(store)
    season = await store.leagues.get("ladder.evening.2")
    there = await ladders.places(store, season, "koikoi")
    assert {line: there[line].player.bot for line in ("champ", "champ.2")} == {"champ": "champ", "champ.2": "champ.2"}
    entries = {entry.bot: player_of(entry).line for entry in await store.leagues.entrants(season.name)}
    assert {name: line for name, line in entries.items() if "champ" in name} == {
        "champ": "champ",
        "champ.3": "champ",
        "champ.2": "champ.2",
    }


async def test_a_bot_that_was_sent_in_and_has_no_active_version_is_told_so(store: Store) -> None:
    await open_ladder(store)
    await store.bots.create("ann", stateless=True)
    await qualify(store, "ann", ONE)
    with pytest.raises(EntryError, match="ann has no active version: `arena bot activate ann VERSION`"):
        await ladders.enter(store, "evening", parse_source("ann"), "ann")
    assert await ladders.enter(store, "evening", parse_source(f"ann@{ONE}"), "ann", pinned=True)


async def test_another_bot_under_a_known_name_of_the_file_is_refused(store: Store) -> None:
    await open_ladder(store, 'entries = [{ name = "x", bot = "house:random" }, "house:greedy"]\n')
    with pytest.raises(EntryError, match="x is another bot on ladder evening"):
        await open_ladder(store, 'entries = [{ name = "x", bot = "house:level1" }, "house:greedy"]\n')


async def test_a_ladder_that_is_closed_before_its_season_began_is_over(store: Store) -> None:
    await open_ladder(store, 'entries = ["house:random"]\n')
    assert (await look(store)).state == "waiting"
    await ladders.close(store, "evening")
    assert (await look(store)).state == "closed"
    assert (await store.leagues.get("ladder.evening.1")).state == "cancelled"
