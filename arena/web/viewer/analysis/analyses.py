"""The analyses that readers ask for: a bounded queue, one process of the lowest priority, and what was found, kept.

An analysis takes seconds of a processor, and strangers may ask for one. So the queue is short, a visitor has two
matches in it and thirty an hour at most, and what was found once is kept.
"""

import asyncio
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import NamedTuple, Protocol, TypeVar

import msgspec

from arena.organizer.luck import worker_pool
from arena.replays import ReplayRecord, encode
from arena.store.errors import StoreError
from arena.web.viewer.analysis.findings import Findings, Judged, judged_of, luck_in, value_name

MAX_QUEUED = 20
MAX_QUEUED_OF_ONE = 2
"""Of one visitor, at a time."""
MAX_HOURLY = 30
"""Of one visitor, in an hour."""
_HOUR_S = 3600.0
_AT_ONCE = 4
"""Decisions that are judged before the progress moves on."""
_MAX_CACHED = 64
"""In this process; the shelf keeps more."""
_TRIES = 2
"""A process that is killed gets a second one."""

log = logging.getLogger(__name__)

Worked = TypeVar("Worked")


class Shelf(Protocol):
    """Where analyses outlive the process, by replay and value."""

    async def analysis(self, replay: str, value: str) -> bytes | None:
        """Return one that is kept."""

    async def keep_analysis(self, replay: str, value: str, analysis: bytes) -> None:
        """Keep one."""


class TooManyAnalysesError(RuntimeError):
    """Nothing more is taken on for now; the text says why."""


class Progress(NamedTuple):
    """How far an analysis is: of its decisions `done`, after so many other matches that are `ahead` of it."""

    done: int
    decisions: int
    ahead: int


class Stands(NamedTuple):
    """How an analysis stands: how far it is, None where nobody waits for it."""

    progress: Progress | None
    has_failed: bool = False
    """Whether the match cannot be analysed."""


class _Asked(msgspec.Struct):
    match: str
    """The hash of its replay, by which a match is known here."""
    record: ReplayRecord
    visitor: str
    done: int = 0


class Analyses:
    """The analyses of a site's matches, by the hashes of their replays: of finished ones that anyone may see."""

    def __init__(
        self, shelf: Shelf | None = None, *, clock: Callable[[], float] = time.monotonic, idle: bool = True
    ) -> None:
        """Without a shelf they are kept while the process lives; `idle` work leaves the processor to everybody else."""
        self._shelf = shelf
        self._clock = clock
        self._idle = idle
        self._findings: OrderedDict[str, Findings] = OrderedDict()
        self._failed: OrderedDict[str, None] = OrderedDict()
        self._queue: dict[str, _Asked] = {}
        """The first of them is being worked on."""
        self._asked_at: dict[str, deque[float]] = {}
        self._working: asyncio.Task[None] | None = None

    async def findings(self, match: str, variant: str) -> Findings | None:
        """Return what was found of a match, None if that is not known. Raises StoreError, WeightsError, OSError."""
        if match in self._findings:
            self._findings.move_to_end(match)
        elif self._shelf is not None:
            data = await self._shelf.analysis(match, value_name(variant))
            if data is not None:
                self._keep(match, msgspec.msgpack.decode(data, type=Findings))
        return self._findings.get(match)

    def stands(self, match: str) -> Stands:
        """Return how the analysis of a match stands that is not known."""
        asked = self._queue.get(match)
        if asked is None:
            return Stands(None, match in self._failed)
        return Stands(Progress(asked.done, asked.record.decisions, list(self._queue).index(match)))

    def ask(self, match: str, record: ReplayRecord, visitor: str) -> None:
        """Have a match analysed whose analysis is not known. Raises TooManyAnalysesError."""
        if match in self._queue or match in self._failed:
            return
        now = self._clock()
        asked_at = {asker: times for asker, times in self._asked_at.items() if times[-1] > now - _HOUR_S}
        mine = deque(timestamp for timestamp in asked_at.get(visitor, ()) if timestamp > now - _HOUR_S)
        if visitor and len(mine) >= MAX_HOURLY:
            raise TooManyAnalysesError("You have asked for many analyses within the hour. Come back later.")
        if visitor and sum(asked.visitor == visitor for asked in self._queue.values()) >= MAX_QUEUED_OF_ONE:
            raise TooManyAnalysesError("Two matches that you have asked for are analysed first. Try again then.")
        if len(self._queue) >= MAX_QUEUED:
            raise TooManyAnalysesError("Many matches wait to be analysed. Try again in a few minutes.")
        mine.append(now)
        self._asked_at = asked_at | {visitor: mine}
        self._queue[match] = _Asked(match, record, visitor)
        if self._working is None:
            self._working = asyncio.create_task(self._work())

    async def aclose(self) -> None:
        """Stop working; who waits will ask again."""
        if self._working is not None:
            self._working.cancel()
            await asyncio.wait((self._working,))

    async def _work(self) -> None:
        """Analyse what is in the queue, match by match, until it is empty."""
        try:
            while self._queue:
                asked = next(iter(self._queue.values()))
                try:
                    await self._analyse(asked)
                except BrokenProcessPool:
                    log.warning("a process ended again; match %s may be asked for once more", asked.record.match_id)
                except Exception:
                    # Whatever a match does to its analysis, the others get theirs; its page says that it has failed.
                    log.exception("match %s cannot be analysed", asked.record.match_id)
                    _put(self._failed, asked.match, None)
                finally:
                    del self._queue[asked.match]
        finally:
            self._working = None

    async def _analyse(self, asked: _Asked) -> None:
        for tried in range(1, _TRIES + 1):
            try:
                findings = await self._work_out(asked)
            except BrokenProcessPool:
                if tried == _TRIES:
                    raise
                log.warning("the process that analyses matches was ended; another one takes its place")
                continue
            self._keep(asked.match, findings)
            if self._shelf is not None:
                data = msgspec.msgpack.encode(findings)
                try:
                    await self._shelf.keep_analysis(asked.match, value_name(asked.record.variant), data)
                except StoreError as error:
                    log.warning("an analysis is not kept: %s", error)
            return

    async def _work_out(self, asked: _Asked) -> Findings:
        """Work it out. Raises BrokenProcessPool, and what the working out raises."""
        replay = encode(asked.record)
        judged: list[Judged] = []
        pool = worker_pool(1, idle=self._idle)
        try:
            for first in range(1, asked.record.decisions + 1, _AT_ONCE):
                numbers = range(first, min(first + _AT_ONCE, asked.record.decisions + 1))
                judged += await _in(pool, judged_of, replay, numbers)
                asked.done = numbers[-1]
            luck = await _in(pool, luck_in, replay)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        return Findings(tuple(judged), luck)

    def _keep(self, match: str, findings: Findings) -> None:
        _put(self._findings, match, findings)


async def _in(pool: ProcessPoolExecutor, work: Callable[..., Worked], *arguments: object) -> Worked:
    return await asyncio.get_running_loop().run_in_executor(pool, work, *arguments)


def _put(cache: OrderedDict[str, Worked], match: str, value: Worked) -> None:
    cache[match] = value
    if len(cache) > _MAX_CACHED:
        cache.popitem(last=False)
