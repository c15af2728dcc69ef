"""Nodes on one store share its work."""

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import msgspec

from arena.referee.model import MatchSpec
from arena.server.gallery import Gallery
from arena.server.hub import Hub
from arena.store import Job, Store
from arena.worker.league import MatchJob
from arena.worker.node import NodeTokens, serving
from arena.worker.worker import MATCHES_AT_ONCE, Worker

MATCHES = MATCHES_AT_ONCE
"""As many as one node could take at once."""


async def test_no_node_takes_all_where_another_has_nothing_to_do(tmp_path: Path) -> None:
    played: Counter[int] = Counter()
    over = asyncio.Event()

    def note(number: int, _: Job) -> None:
        played[number] += 1
        if played.total() == MATCHES:
            over.set()

    async with await Store.open(tmp_path / "data") as store, AsyncExitStack() as stack:
        tasks = []
        for number in range(2):
            seats = serving(Hub(), NodeTokens(), tmp_path / f"{number}", in_process=True)
            _, players = await stack.enter_async_context(seats)
            worker = Worker(store, store.jobs(), players, Gallery(), committed=partial(note, number))
            tasks.append(asyncio.create_task(worker.run()))
        for number in range(MATCHES):
            spec = MatchSpec(f"m{number}", "koikoi", number.to_bytes(32, "big"), ("ann", "bo"))
            job = MatchJob(spec, ("house:random", "house:random"))
            payload = msgspec.msgpack.encode(job)
            await store.matches.create(spec.match_id, bots=spec.names, payload=payload, commitment="")
        await asyncio.wait_for(over.wait(), 60)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert min(played[0], played[1]) >= MATCHES // 4, played
