"""The loop of a node: jobs from the store, matches and league steps out of them, commits."""

import asyncio
import logging
from collections.abc import Callable, Sequence

import msgspec

from arena.referee.model import MatchResult, MatchSpec
from arena.referee.play import play
from arena.referee.seat import Seat
from arena.replays import encode, encode_summary, from_match
from arena.server.gallery import Gallery
from arena.store import Job, JobQueue, MatchWork, Store
from arena.store.errors import LeaseLostError, StoreError
from arena.worker import league
from arena.worker.players import Players
from arena.worker.sources import parse_source

MATCHES_AT_ONCE = 64
"""How many jobs a node works on at once. Most of them wait for bots to think."""
_LOOK_S = 1.0
_AWAY_S = 1.0

log = logging.getLogger(__name__)

Observer = Callable[[Job], None]


class Worker:
    """Works on jobs until it is cancelled. Any number of workers, on any number of nodes, share one store."""

    def __init__(
        self,
        store: Store,
        jobs: JobQueue,
        players: Players,
        gallery: Gallery,
        at_once: int = MATCHES_AT_ONCE,
        committed: Observer | None = None,
    ) -> None:
        self._store = store
        self._jobs = jobs
        self._players = players
        self._gallery = gallery
        self._at_once = at_once
        self._committed = committed
        self._tasks: set[asyncio.Task[None]] = set()
        self._free = asyncio.Event()

    async def run(self) -> None:
        """Take jobs and work on them. When cancelled, give back what is not finished and close its matches."""
        try:
            while True:
                if len(self._tasks) >= self._at_once:
                    self._free.clear()
                    await self._free.wait()
                    continue
                try:
                    jobs = await self._jobs.take(self._at_once - len(self._tasks), wait_s=_LOOK_S)
                except StoreError as error:
                    log.warning("no jobs to be had: %s", error)
                    await asyncio.sleep(_AWAY_S)
                    continue
                for job in jobs:
                    task = asyncio.create_task(self._work(job), name=str(job))
                    self._tasks.add(task)
                    task.add_done_callback(self._finished)
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._free.set()

    async def _work(self, job: Job) -> None:
        try:
            async with self._jobs.hold(job):
                if isinstance(job.work, MatchWork):
                    await self._match(job, job.work)
                else:
                    await league.step(self._store, self._jobs, job)
        except asyncio.CancelledError:
            await self._jobs.give_back(job)
            raise
        except LeaseLostError as error:
            log.warning("another node has taken over: %s", error)
        except StoreError as error:
            # The lease runs out, and whoever reaches the store then has the job.
            log.warning("%s is left to its lease: %s", job, error)
        except Exception as error:
            log.exception("%s failed", job)
            await self._fail(job, error)
        else:
            if self._committed is not None:
                self._committed(job)

    async def _fail(self, job: Job, error: Exception) -> None:
        try:
            await self._jobs.fail(job, f"{type(error).__name__}: {error}")
        except StoreError as away:
            log.warning("%s is left to its lease: %s", job, away)

    async def _match(self, job: Job, work: MatchWork) -> None:
        match = msgspec.msgpack.decode(work.payload, type=league.MatchJob)
        sources = [(name, parse_source(bot)) for name, bot in zip(match.spec.names, match.bots, strict=True)]
        async with self._players.seats(str(job.scope.whole), sources) as seats:
            if match.plan is None:
                result = await self._watched(match.spec, seats)
                outcome = msgspec.json.encode(result)
            else:
                result = await play(match.spec, seats)
                outcome = league.outcome_of(match.plan, result)
        record = from_match(match.spec, result)
        await self._jobs.commit_match(job, outcome, encode(record), encode_summary(record))

    async def _watched(self, spec: MatchSpec, seats: Sequence[Seat]) -> MatchResult:
        """Play a match that anyone may watch: a single one, whose cards no other match has."""
        result = None
        stage = self._gallery.open(spec.match_id)
        try:
            result = await play(spec, seats, spectator=stage.show)
        finally:
            self._gallery.close(spec.match_id, result)
        return result
