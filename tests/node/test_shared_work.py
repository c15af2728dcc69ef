"""Nodes on one store share its work."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

from arena.league.reader import parse_league
from arena.node.job_loop import MATCHES_AT_ONCE, JobLoop
from arena.node.serving import serving
from arena.node.tokens import NodeTokens
from arena.organizer.entries import check, entrants_of
from arena.organizer.steps import create, start
from arena.store import Job, MatchWork, Store
from arena.stream.hub import Hub

ROUNDS = 3
LEAGUE = f"""
name = "shared"
rounds = {ROUNDS}
boards = 8
secret = "{"5a" * 32}"
entries = [{", ".join(f'{{ name = "b{n}", bot = "house:random" }}' for n in range(8))}]
"""


async def test_no_node_takes_a_whole_round_where_another_has_nothing_to_do(tmp_path: Path) -> None:
    played: Counter[int] = Counter()
    over = asyncio.Event()

    def note(number: int, job: Job) -> None:
        played[number] += isinstance(job.work, MatchWork)
        if played.total() == ROUNDS * MATCHES_AT_ONCE:
            over.set()

    async with await Store.open(tmp_path / "data") as store, AsyncExitStack() as stack:
        spec = parse_league(LEAGUE, "shared.toml")
        await create(store, spec, await entrants_of(store, spec, check(spec, tmp_path)))
        await start(store, spec.name)
        tasks = []
        for number in range(2):
            seats = serving(Hub(), NodeTokens(), tmp_path / f"{number}")
            _, players = await stack.enter_async_context(seats)
            worker = JobLoop(store, store.jobs(), players, committed=partial(note, number))
            tasks.append(asyncio.create_task(worker.run()))
        await asyncio.wait_for(over.wait(), 60)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    # A round is as much as one node could take at once.
    assert min(played[0], played[1]) >= played.total() // 5, played


async def test_a_job_that_is_handed_to_a_node_which_stops_waits_for_no_lease(tmp_path: Path) -> None:
    async with (
        await Store.open(tmp_path / "data") as store,
        serving(Hub(), NodeTokens(), tmp_path) as (_, players),
    ):
        stopped = JobLoop(store, store.jobs(), players)
        working = asyncio.create_task(stopped.run())
        await asyncio.sleep(0)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        await store.matches.create("m", bots=("ann",), payload=b"", commitment="")
        jobs = store.jobs()
        [job] = await jobs.claim(1)
        handed = await jobs.transfer(job, stopped.jobs.owner)
        await stopped.take_over(handed)
        assert [again.scope for again in await jobs.claim(1)] == [job.scope]
