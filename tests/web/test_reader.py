"""What the pages list of a store."""

from pathlib import Path

import msgspec
import pytest

from arena.league.reader import parse_league
from arena.match.model import End, MatchResult
from arena.organizer import steps
from arena.organizer.entries import check, entrants_of
from arena.organizer.matches import MatchJob
from arena.replays.summary import Summary
from arena.store import Job, JobQueue, MatchWork, Store
from arena.web.site import reader as reading
from arena.web.site.reader import Reader

CUP = """\
name = "cup"
rounds = 1
boards = 1
entries = [{ name = "ann", bot = "house:random" }, { name = "bo", bot = "house:random" }]
"""
RESULT = MatchResult(End.COMPLETED, -1, (3, -3), (1, 2), b"", (), (0, 0))


async def begun(store: Store, queue: JobQueue) -> list[Job]:
    """The matches of a league of a single board, which is played twice."""
    spec = parse_league(CUP, "cup.toml")
    await steps.create(store, spec, await entrants_of(store, spec, check(spec, Path())))
    await steps.start(store, "cup")
    [step] = await queue.claim(1, wait_s=60)
    async with queue.leases.hold(step):
        await steps.step(store, queue, step)
    return await queue.claim(10)


async def commit(queue: JobQueue, job: Job) -> None:
    assert isinstance(job.work, MatchWork)
    match = msgspec.msgpack.decode(job.work.payload, type=MatchJob)
    assert match.plan is not None
    summary = Summary("koikoi", match.spec.names, RESULT.results, RESULT.end, -1)
    await queue.commit_match(job, steps.outcome_of(match.plan, RESULT), b"replay", msgspec.msgpack.encode(summary))


async def test_no_page_lists_a_replay_before_every_match_on_its_board_is_over(store: Store) -> None:
    queue, reader = store.jobs(), Reader(store)
    first, second = await begun(store, queue)
    await commit(queue, first)
    assert await reader.replays(league="cup") == ([], "")
    assert await reader.newest("ann", 10) == ([], True)
    assert await reader.newest("ann", 0) == ([], True)
    await commit(queue, second)
    assert len((await reader.replays(league="cup"))[0]) == 2
    assert len((await reader.newest("ann", 10))[0]) == 2
    assert await reader.newest("ann", 0) == ([], False)


async def test_of_leagues_that_ended_in_one_second_the_newest_is_listed_first(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "moment", lambda time_us: "2026-01-01 00:00:00" if time_us else "")
    for name in ("older", "newest", "xylograph"):
        spec = parse_league(CUP.replace("cup", name), "cup.toml")
        await steps.create(store, spec, await entrants_of(store, spec, check(spec, Path())))
    for name in ("older", "xylograph", "newest"):
        await store.leagues.cancel(name)
    assert [league.name for league in await Reader(store).all_leagues()] == ["newest", "xylograph", "older"]
