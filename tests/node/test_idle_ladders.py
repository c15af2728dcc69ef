"""Ladders are played where nothing else is: leagues go first."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from arena.league.reader import parse_league
from arena.node.job_loop import JobLoop
from arena.node.serving import serving
from arena.node.tokens import NodeTokens
from arena.organizer import ladders, steps
from arena.organizer.entries import check, entrants_of
from arena.store import Job, Scope, Store
from arena.stream.hub import Hub

BOTS = 'entries = ["house:level1", "house:random", "house:greedy", "house:level2"]\n'


class _Watched:
    """What a node has committed, in order, as the names of leagues."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._grown = asyncio.Event()

    def note(self, job: Job) -> None:
        self.names.append(job.scope.name)
        self._grown.set()

    async def until(self, name: str, more: int) -> None:
        """Wait until so many jobs more of a league are committed."""
        wanted = self.names.count(name) + more
        async with asyncio.timeout(60):
            while self.names.count(name) < wanted:
                self._grown.clear()
                await self._grown.wait()


async def test_no_match_of_a_ladder_begins_while_a_league_is_played(store: Store, tmp_path: Path) -> None:
    ladder = parse_league(f'name = "idle"\nrounds = 200\n{BOTS}[ladder]\n', "idle.toml")
    await ladders.open_ladder(store, ladder, await entrants_of(store, ladder, check(ladder, tmp_path)))
    await ladders.carry_out(store, "a node")
    league = parse_league(f'name = "cup"\nrounds = 3\nboards = 8\n{BOTS}', "cup.toml")
    await steps.create(store, league, await entrants_of(store, league, check(league, tmp_path)))
    watched, season = _Watched(), "ladder.idle.1"
    async with AsyncExitStack() as stack:
        _, players = await stack.enter_async_context(serving(Hub(), NodeTokens(), tmp_path / "logs"))
        worker = JobLoop(store, store.jobs(), players, committed=watched.note)
        working = asyncio.create_task(worker.run())
        await watched.until(season, 20)
        await steps.start(store, "cup")
        jobs_of_cup = 3 * 2 * 8 * 2 + 4
        await watched.until("cup", jobs_of_cup)
        first = watched.names.index("cup")
        assert watched.names[first : first + jobs_of_cup] == ["cup"] * jobs_of_cup
        await watched.until(season, 20)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    parked = await store.stalled.parked(Scope.league(season, "koikoi"))
    assert not parked.items, "a match that made room for a league is played again"
