"""The actions of matches under way, kept so that another node can resume the matches."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from arena.store.client import Client, Value
from arena.store.errors import LeaseLostError
from arena.store.keys import Scope
from arena.store.records import Job, MatchWork

_AT_ONCE = 128
"""How many matches' entries one script writes."""


@dataclass(slots=True, eq=False)
class FencedJournal:
    """The journal of one match, for the owner of its lease; `entries` were written by earlier owners."""

    writer: "JournalWriter"
    job: Job
    key: str
    entries: tuple[bytes, ...]
    length: int

    def write(self, entry: bytes) -> asyncio.Future[None]:
        """Add an entry once the one before is written; the future is done when the store has it.

        It fails with LeaseLostError when the job is no longer this owner's.
        """
        return self.writer.put(self, entry)


_Entry = tuple[FencedJournal, bytes, asyncio.Future[None]]


class JournalWriter:
    """Writes the journals of the matches that one owner plays.

    Entries of one turn of the event loop go to the store together, behind each job's fence. Every
    method raises LeaseLostError when the job is no longer this owner's.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._waiting: dict[Scope, list[_Entry]] = defaultdict(list)
        self._flushers: set[asyncio.Task[None]] = set()

    async def open(self, job: Job) -> FencedJournal:
        """Open the journal of a match, with the entries that were written before."""
        assert isinstance(job.work, MatchWork)
        key = job.scope.journal(job.work.key)
        # In this order: once the fence is this owner's, earlier owners write nothing more.
        fence = await self._client.call("HGET", job.scope.claims, job.id)
        if fence is None or int(fence) != job.fence:
            raise LeaseLostError(str(job))
        entries = await self._client.call("LRANGE", key, 0, -1)
        return FencedJournal(self, job, key, tuple(entries), len(entries))

    def put(self, journal: FencedJournal, entry: bytes) -> asyncio.Future[None]:
        """Queue an entry of a journal that has none queued; the future is done when the store has it."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        if not self._waiting:
            loop.call_soon(self._flush)
        self._waiting[journal.job.scope].append((journal, entry, written))
        return written

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, defaultdict(list)
        for scope, entries in waiting.items():
            for start in range(0, len(entries), _AT_ONCE):
                flusher = asyncio.create_task(self._write(scope, entries[start : start + _AT_ONCE]))
                self._flushers.add(flusher)
                flusher.add_done_callback(self._flushers.discard)

    async def _write(self, scope: Scope, entries: Sequence[_Entry]) -> None:
        args: list[Value] = []
        for journal, entry, _ in entries:
            args += (journal.job.id, journal.job.fence, journal.length, entry)
        keys = [scope.claims, *(journal.key for journal, *_ in entries)]
        faults: dict[int, Exception]
        try:
            lost = await self._client.script("write_journals", keys, args)
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
