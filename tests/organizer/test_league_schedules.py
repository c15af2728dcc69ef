"""Schedules carried out, by a clock that the tests turn."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from arena.league.reader import parse_league
from arena.league.spec import LeagueSpec
from arena.node.chores import repeat
from arena.organizer import schedules
from arena.organizer.entries import check, entrants_of, player_of
from arena.organizer.errors import UnplayableError, UnreadableScheduleError
from arena.organizer.schedules import Season, carry_out, season_of
from arena.packs.manifest import Manifest
from arena.store import EntryRecord, Scope, Store
from arena.store.errors import ScheduleExistsError, UnknownLeagueError
from arena.submissions.record import VersionRecord

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
ENTRIES = 'entries = ["house:random", "house:greedy"]\n'


def spec_of(schedule: str, more: str = ENTRIES) -> LeagueSpec:
    return parse_league(f'name = "cup"\n{more}[schedule]\n{schedule}\n', "cup.toml")


async def schedule(store: Store, text: str, more: str = ENTRIES, now: datetime = NOON) -> Season:
    spec = spec_of(text, more)
    entrants = await entrants_of(store, spec, check(spec, Path()))
    return await schedules.create(store, spec, entrants, now)


async def states(store: Store) -> dict[str, str]:
    """The state of each league."""
    return {league.name: league.state for league in (await store.leagues.list()).items}


async def test_the_first_league_opens_at_once_and_each_other_one_when_the_one_before_starts(store: Store) -> None:
    made = await schedule(store, 'start = "every 2 hours"')
    assert made.starts(2) == [NOON + 2 * HOUR, NOON + 4 * HOUR]
    await carry_out(store, NOON)
    assert await states(store) == {"cup.1": "open"}
    assert {entrant.bot for entrant in await store.leagues.entrants("cup.1")} == {"random", "greedy"}
    await carry_out(store, NOON + 2 * HOUR - timedelta(microseconds=1))
    assert await states(store) == {"cup.1": "open"}
    await carry_out(store, NOON + 2 * HOUR)
    assert await states(store) == {"cup.1": "running", "cup.2": "open"}
    await carry_out(store, NOON + 4 * HOUR)
    assert await states(store) == {"cup.1": "running", "cup.2": "running", "cup.3": "open"}


async def test_a_season_ends_with_its_last_league(store: Store) -> None:
    await schedule(store, 'start = "every 1 hours"\nopen = "10 minutes"\ntimes = 2')
    await carry_out(store, NOON + HOUR / 2)
    assert await states(store) == {}
    await carry_out(store, NOON + HOUR - timedelta(minutes=10))
    assert await states(store) == {"cup.1": "open"}
    for hour in (1, 2, 3):
        await carry_out(store, NOON + hour * HOUR - timedelta(minutes=10))
        await carry_out(store, NOON + hour * HOUR)
    assert await states(store) == {"cup.1": "running", "cup.2": "running"}
    assert await store.schedules.list() == ()


async def test_a_league_of_one_moment_is_held_once(store: Store) -> None:
    await schedule(store, 'start = "2026-12-01 22:00"\nzone = "Asia/Tokyo"')
    await carry_out(store, NOON + HOUR - timedelta(seconds=1))
    assert await states(store) == {"cup.1": "open"}
    await carry_out(store, NOON + HOUR)
    assert await states(store) == {"cup.1": "running"}
    assert await store.schedules.list() == ()
    with pytest.raises(UnplayableError, match="is in the past, so no league would ever start"):
        await schedule(store, 'start = "2026-12-01 12:00"')


@pytest.mark.parametrize(("opened", "hours"), [(False, 4.25), (True, 4.25), (True, 4)])
async def test_of_starts_that_were_missed_the_newest_is_held_late_and_the_others_are_skipped_and_said(
    store: Store, caplog: pytest.LogCaptureFixture, opened: bool, hours: float
) -> None:
    await schedule(store, 'start = "every 1 hours"\nopen = "30 minutes"')
    if opened:
        await carry_out(store, NOON + HOUR / 2)
    with caplog.at_level(logging.WARNING):
        await carry_out(store, NOON + hours * HOUR)
    assert await states(store) == {"cup.1": "running"}
    [season] = map(season_of, await store.schedules.list())
    assert (season.number, season.skipped, season.starts(1)) == (2, 3, [NOON + 5 * HOUR])
    assert "skipped 3 missed starts: league cup.1 is the one of 2026-12-01 16:00 UTC" in caplog.text


async def test_more_starts_may_be_missed_than_the_season_has_leagues(store: Store) -> None:
    await schedule(store, 'start = "every 1 hours"\ntimes = 2')
    await carry_out(store, NOON + 100.5 * HOUR)
    [season] = map(season_of, await store.schedules.list())
    assert await states(store) == {"cup.1": "running", "cup.2": "open"}
    assert (season.left, season.skipped, season.starts(9)) == (1, 99, [NOON + 101 * HOUR])


async def test_any_number_of_nodes_open_and_start_each_league_once(store: Store) -> None:
    await schedule(store, 'start = "every 1 hours"')
    for hour in range(4):
        await asyncio.gather(*(carry_out(store, NOON + hour * HOUR) for _ in range(5)))
    assert await states(store) == {"cup.1": "running", "cup.2": "running", "cup.3": "running", "cup.4": "open"}
    assert [job.scope.name for _ in range(4) for job in await store.jobs().claim(1)] == ["cup.1", "cup.2", "cup.3"]


async def test_a_node_that_died_between_opening_and_moving_on_leaves_nothing_twice(store: Store) -> None:
    await schedule(store, 'start = "every 1 hours"')
    [before] = await store.schedules.list()
    await carry_out(store, NOON)
    [after] = await store.schedules.list()
    # As it was when the league had been opened and the schedule not moved on; meanwhile a bot has left and one come.
    await store.leagues.withdraw("cup.1", "greedy")
    await store.leagues.enter("cup.1", EntryRecord("guest", payload=b"", variants=("koikoi",)))
    assert await store.schedules.move(after, before.record, schedules.season_of(before).due_us)
    await carry_out(store, NOON)
    assert [entrant.bot for entrant in await store.leagues.entrants("cup.1")] == ["guest", "random"]
    assert await store.schedules.list() == (after,)


async def test_a_league_that_too_few_bots_entered_is_cancelled_and_the_next_one_opens(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    await schedule(store, 'start = "every 1 hours"', more='entries = ["house:random"]\n')
    await carry_out(store, NOON)
    await carry_out(store, NOON + HOUR)
    assert await states(store) == {"cup.1": "cancelled", "cup.2": "open"}
    assert "league 'cup.1' cannot start: no division has enough bots for a table; koikoi has 1 of 2" in caplog.text


async def test_a_league_that_its_owner_cancelled_or_started_does_not_stop_the_schedule(store: Store) -> None:
    await schedule(store, 'start = "every 1 hours"')
    await carry_out(store, NOON)
    await store.leagues.cancel("cup.1")
    await carry_out(store, NOON + HOUR)
    await store.leagues.start("cup.2")
    await carry_out(store, NOON + 2 * HOUR)
    assert await states(store) == {"cup.1": "cancelled", "cup.2": "running", "cup.3": "open"}


async def test_a_name_that_another_league_has_is_passed_over(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    await schedule(store, 'start = "every 1 hours"')
    await store.leagues.create("cup.1", b"", digest="another", divisions={"koikoi": 1})
    await carry_out(store, NOON)
    assert "league 'cup.1' exists and its file has changed" in caplog.text
    await carry_out(store, NOON + HOUR)
    assert await states(store) == {"cup.1": "open", "cup.2": "open"}


async def test_the_same_file_is_scheduled_once_and_another_of_its_name_is_refused(store: Store) -> None:
    first = await schedule(store, 'start = "every 1 hours"')
    await carry_out(store, NOON)
    again = await schedule(store, 'start = "every 1 hours"', now=NOON + HOUR / 2)
    assert (again.number, again.start_us) == (first.number, first.start_us)
    with pytest.raises(ScheduleExistsError, match="there is another schedule named 'cup'"):
        await schedule(store, 'start = "every 2 hours"')


async def test_a_schedule_made_anew_numbers_its_leagues_on(store: Store) -> None:
    await schedule(store, 'start = "every 1 hours"')
    await carry_out(store, NOON)
    await store.schedules.remove("cup")
    await carry_out(store, NOON + 5 * HOUR)
    assert await states(store) == {"cup.1": "open"}, "what was open stays open"
    await schedule(store, 'start = "every 1 hours"', now=NOON + 6 * HOUR)
    await carry_out(store, NOON + 6 * HOUR)
    assert await states(store) == {"cup.1": "open", "cup.2": "open"}
    with pytest.raises(UnknownLeagueError):
        await store.leagues.get("cup.3")


async def test_a_node_looks_by_its_clock_until_it_is_told_to_stop(store: Store) -> None:
    await schedule(store, 'start = "every 1 hours"')
    times = iter([NOON, NOON + HOUR])
    looked = asyncio.Event()

    def clock() -> datetime:
        try:
            return next(times)
        except StopIteration:
            looked.set()
            return NOON + HOUR

    keeping = asyncio.create_task(repeat(lambda: carry_out(store, clock()), "schedules are left for later"))
    await asyncio.wait_for(looked.wait(), 20)
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    assert await states(store) == {"cup.1": "running", "cup.2": "open"}


async def activate(store: Store, version: str) -> None:
    """Make a version of ann, which qualifies, the active one."""
    queue = store.jobs()
    record = VersionRecord(Manifest("ann", ("python", "bot.py")), 2, 100)
    await store.versions.create("ann", version, msgspec.json.encode(record))
    [job] = await queue.claim_of(Scope.version("ann", version))
    await queue.commit_version(job, b"", qualified=True)
    await store.versions.activate("ann", version)


async def test_a_new_version_plays_from_the_next_league_on_unless_the_file_names_another(store: Store) -> None:
    one, two = "1" * 64, "2" * 64
    await store.bots.create("ann", stateless=True)
    await activate(store, one)
    entries = 'entries = ["ann", { name = "old", bot = "ann@11111111" }]\n'
    await schedule(store, 'start = "every 1 hours"', entries)
    await carry_out(store, NOON)
    await activate(store, two)
    await carry_out(store, NOON + HOUR)
    assert await schedule(store, 'start = "every 1 hours"', entries), "the same file again changes nothing"
    for number, versions in ((1, {"ann": one, "old": one}), (2, {"ann": two, "old": one})):
        entrants = await store.leagues.entrants(f"cup.{number}")
        assert {entrant.bot: player_of(entrant).version for entrant in entrants} == versions


async def test_a_schedule_that_cannot_be_read_holds_up_no_other(store: Store) -> None:
    await store.schedules.create("broken", b"no record", 0)
    await schedule(store, 'start = "every 2 hours"')
    with pytest.raises(ExceptionGroup, match="cannot be carried out: broken") as failed:
        await carry_out(store, NOON + 2 * HOUR)
    assert failed.group_contains(UnreadableScheduleError)
    assert await states(store) == {"cup.1": "running", "cup.2": "open"}
