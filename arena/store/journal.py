"""What was played of matches under way, so that another node can take them up where they are."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

from arena.store import scripts
from arena.store.errors import LeaseLostError
from arena.store.records import MatchWork

if TYPE_CHECKING:
    from arena.store.client import Client, Value
    from arena.store.keys import Scope
    from arena.store.records import Job

_AT_ONCE = 128
"""How many matches' entries one script writes."""


class Journals:
    """The journals of the matches that one owner plays.

    What its matches write in one turn of the event loop goes to the store together, behind each job's fence. Every
    method raises LeaseLostError when the job is no longer this owner's.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._waiting: list[tuple[Journal, bytes, asyncio.Future[None]]] = []
        self._flushers: set[asyncio.Task[None]] = set()

    async def open(self, job: Job) -> Journal:
        """The journal of a match, with the entries that were written before."""
        assert isinstance(job.work, MatchWork)
        key = job.scope.journal(job.work.key)
        standing, *entries = await self._client.script(
            scripts.READ_JOURNAL, [job.scope.claims, key], [job.id, job.fence]
        )
        if standing != b"held":
            raise LeaseLostError(str(job))
        return Journal(self, job, key, tuple(entries))

    def put(self, journal: Journal, entry: bytes) -> asyncio.Future[None]:
        """Have an entry written; done when the store has it."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        self._waiting.append((journal, entry, written))
        if len(self._waiting) == 1:
            loop.call_soon(self._flush)
        return written

    def _flush(self) -> None:
        by_scope: dict[Scope, list[tuple[Journal, bytes, asyncio.Future[None]]]] = defaultdict(list)
        for one in self._waiting:
            by_scope[one[0].job.scope].append(one)
        self._waiting = []
        for scope, entries in by_scope.items():
            for start in range(0, len(entries), _AT_ONCE):
                flusher = asyncio.create_task(self._write(scope, entries[start : start + _AT_ONCE]))
                self._flushers.add(flusher)
                flusher.add_done_callback(self._flushers.discard)

    async def _write(self, scope: Scope, entries: list[tuple[Journal, bytes, asyncio.Future[None]]]) -> None:
        args: list[Value] = []
        for journal, entry, _ in entries:
            args += (journal.job.id, journal.job.fence, journal.length, entry)
        keys = [scope.claims, *(journal.key for journal, *_ in entries)]
        faults: dict[int, Exception]
        try:
            lost = await self._client.script(scripts.WRITE_JOURNALS, keys, args)
            faults = {place: LeaseLostError(str(entries[place][0].job)) for place in lost}
        except Exception as error:  # noqa: BLE001 - whatever it is, it is each match's
            faults = dict.fromkeys(range(len(entries)), error)
        for place, (journal, _, written) in enumerate(entries):
            fault = faults.get(place)
            if fault is None:
                journal.length += 1
            if written.done():
                continue  # its match was cancelled
            if fault is None:
                written.set_result(None)
            else:
                written.set_exception(fault)


class Journal:
    """The journal of one match, in the hands of whoever has its lease. `entries` were there when it was opened."""

    __slots__ = ("_journals", "entries", "job", "key", "length")

    def __init__(self, journals: Journals, job: Job, key: str, entries: tuple[bytes, ...]) -> None:
        self._journals = journals
        self.job = job
        self.key = key
        self.entries = entries
        self.length = len(entries)

    async def write(self, entry: bytes) -> None:
        """Add an entry. Raises LeaseLostError when the job is no longer this owner's."""
        await self._journals.put(self, entry)
