"""What writing each decision down costs: matches that wait for the store after every action, on an embedded server."""

import asyncio
import time

import uvloop

from arena.bench import Result
from arena.bench.store_jobs import queued
from arena.match.journal import Played
from arena.node.journal import StoredJournal
from arena.store import MatchWork

_ENTRY = Played(0, 3, 1_234, None, 0)


def measure(matches: int = 64, decisions: int = 500) -> list[Result]:
    """Entries a second of as many matches at once, and how long one match alone waits for each of its own."""
    return [
        Result(f"store.journal.{matches}", uvloop.run(_rate(matches, decisions)), "entries/s"),
        Result("store.journal.wait", 1_000 / uvloop.run(_rate(1, decisions)), "ms"),
    ]


async def _rate(matches: int, decisions: int) -> float:
    works = [MatchWork(f"t{i}", f"b{i}", 1, ("one", "other"), b"") for i in range(matches)]
    async with queued(works) as (store, queue):
        journal_store = store.journals()
        journals = [StoredJournal(await journal_store.open(job)) for job in await queue.claim(matches)]
        assert len(journals) == matches

        async def play(journal: StoredJournal) -> None:
            for _ in range(decisions):
                await journal.write(_ENTRY)

        began = time.perf_counter()
        await asyncio.gather(*map(play, journals))
        return matches * decisions / (time.perf_counter() - began)
