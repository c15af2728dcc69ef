"""The loop of a node: jobs from the store, matches and league steps out of them, commits."""

import asyncio
import contextlib
import logging
import math
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

from arena.cluster.peers import Peers
from arena.launcher.sources import PathBot, RegisteredBot, SubmittedBot, house_bots, parse_source
from arena.logs import event
from arena.match.journal import Entry
from arena.match.live import LiveMatch, LiveMatches
from arena.match.model import End, MatchResult, MatchSpec
from arena.match.play import Abandonment, play
from arena.match.recess import Recess
from arena.metrics import meters
from arena.node.job_outcomes import handled
from arena.node.journal import StoredJournal
from arena.node.metered import MeteredJournal
from arena.node.seat_provider import SeatProvider
from arena.organizer import steps as league
from arena.organizer.matches import MatchJob
from arena.replays import encode, encode_summary, from_match
from arena.seats.absent import AbsentSeat
from arena.seats.failover import FailoverSeat
from arena.seats.pipe import PipeSeat
from arena.signatures import SigningKey
from arena.store import Job, JobQueue, MatchWork, Scope, Store
from arena.store.errors import EmbeddedServerError, StoreError

if TYPE_CHECKING:
    from arena.match.seat import Seat
    from arena.node.traces import MatchTraces

MATCHES_AT_ONCE = 64
"""How many jobs of leagues a node works on at once. Single matches get what these leave of it."""
MIN_SINGLES = 8
"""How many single matches a node works on at once beside any number of league matches."""
WAITING_AT_ONCE = 512
"""How many jobs of leagues, and how many single matches, wait for their bots beside those."""
LEVEL_STEP = 8
LEVEL_STEP_S = 0.06
"""How many more jobs a busy node takes on at a time, and how often: idle nodes poll in between."""
_IDLE_AFTER_S = 0.5
"""A match whose bot has been asked for longer than this waits, as one whose bot is not there does."""
_REQUEUE_AFTER_S = 20.0
"""How long a job may wait to begin before it makes room for others: longer than a bot may take to reconnect."""
_POLL_S = 1.0
_RETRY_S = 1.0
_LADDERS_AFTER_S = 1.0
"""How long no league has had a job before ladders have some: longer than from one round of a league to the next."""
SINGLES = "singles"
"""The group of the house bots that play single matches."""

log = logging.getLogger(__name__)

Observer = Callable[[Job], None]
MatchObserver = Callable[[Job, MatchSpec, MatchResult], None]


@dataclass(slots=True, eq=False)
class _Slot:
    """A job's slot on the node: among those that it works on, or among those that wait for a bot."""

    scope: Scope
    owner: str | None = None
    """Who asked for a single match."""
    caged: bool = False
    """Whether it is a single match that needs a cage."""
    abandonment: Abandonment = field(default_factory=Abandonment)
    in_recess: bool = False
    """Whether the match waits for its cover."""
    waits_since: float | None = None
    """Since when the match waits to begin, until its bots are there."""
    seats: Sequence[FailoverSeat] = ()
    """The seats of bots that connect by themselves, once the match has begun."""
    in_cages: Sequence[PipeSeat] = ()
    """Those of bots in cages."""

    def waits(self, now: float) -> bool:
        """Tell whether the job costs the node nothing now."""
        if self.waits_since is not None or self.in_recess or self.asleep:
            return True
        return any(seat.asked_at is not None and now - seat.asked_at > _IDLE_AFTER_S for seat in self.seats)

    @property
    def asleep(self) -> bool:
        """Whether the match waits for a bot in a cage that sleeps."""
        return any(seat.asleep for seat in self.in_cages)


class Pool:
    """The jobs of one kind that a node has: of leagues, or single matches."""

    def __init__(self, limit: Callable[[], int]) -> None:
        self._limit = limit
        self._slots: dict[asyncio.Task[None], _Slot] = {}
        self._level = LEVEL_STEP
        """How many jobs this node may work on now."""
        self._raise_at = 0.0
        self._free = asyncio.Event()

    def begin(self, job: Job, task: asyncio.Task[None]) -> None:
        """Count a job that begins."""
        self._slots[task] = _Slot(job.scope)
        task.add_done_callback(self._finished)

    @property
    def tasks(self) -> list[asyncio.Task[None]]:
        """What works on the jobs."""
        return list(self._slots)

    @property
    def slot(self) -> _Slot:
        """The slot of the job that the current task works on."""
        task = asyncio.current_task()
        assert task is not None
        return self._slots[task]

    def working(self) -> int:
        """Return how many jobs the node works on, those not counted that wait for a bot."""
        now = time.monotonic()
        return sum(not slot.waits(now) for slot in self._slots.values())

    def began(self) -> bool:
        """Whether any job has begun, and does not wait for its bots."""
        return any(slot.waits_since is None for slot in self._slots.values())

    def full(self) -> list[Scope]:
        """Return the leagues that have enough jobs here while one of their matches waits for a bot that sleeps."""
        asleep = {slot.scope for slot in self._slots.values() if slot.asleep}
        counts = Counter(slot.scope for slot in self._slots.values())
        return [scope for scope in asleep if counts[scope] >= LEVEL_STEP]

    def caging(self) -> set[str]:
        """The owners who have a single match here that needs a cage: until it is over, no other of theirs is played."""
        return {slot.owner for slot in self._slots.values() if slot.owner is not None and slot.caged}

    def owners(self) -> set[str]:
        """Return the owners who have a single match here."""
        return {slot.owner for slot in self._slots.values() if slot.owner is not None}

    def abandon(self, owner: str, reason: str) -> None:
        """End the single matches of an owner."""
        for slot in self._slots.values():
            if slot.owner == owner:
                slot.abandonment.give(reason)

    def room(self) -> int:
        """Return how many more jobs to take now. Those that wait for a bot take no slot but among themselves.

        A node that had emptied the queue begins with few jobs and takes on more step by step, so that idle nodes, which
        poll less often, get their share of a new round.
        """
        working, now = self.working(), time.monotonic()
        if len(self._slots) - working >= WAITING_AT_ONCE:
            self._make_room(now)
            return 0
        if working >= self._level and now >= self._raise_at:
            self._level = working + LEVEL_STEP
            self._raise_at = now + LEVEL_STEP_S
        return min(self._level, self._limit()) - working

    def took_all(self) -> None:
        """Note that the queue held no more jobs than were taken."""
        self._level = LEVEL_STEP

    async def freed(self) -> None:
        """Wait until a slot is freed, or for a while: nothing signals that a match has begun to wait for its bot."""
        self._free.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LEVEL_STEP_S if self._level < self._limit() else _IDLE_AFTER_S):
                await self._free.wait()

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the current task among those that wait for bots."""
        slot = self.slot
        slot.waits_since = time.monotonic()
        self._free.set()
        try:
            yield
        finally:
            slot.waits_since = None

    def recess(self, slot: _Slot, begins: bool) -> None:
        """Count the job of this slot among those that wait, or no more."""
        slot.in_recess = begins
        if begins:
            self._free.set()

    def _make_room(self, now: float) -> None:
        """Send the job that has waited longest to begin back to the end of the queue, so that others have a turn.

        A match that has begun stays, as its clock is running.
        """
        waiting = [(slot.waits_since, task) for task, slot in self._slots.items() if slot.waits_since is not None]
        since, longest = min(waiting, key=itemgetter(0), default=(now, None))
        if longest is not None and now - since > _REQUEUE_AFTER_S:
            self._slots[longest].waits_since = now  # so that it is not cancelled again while it goes
            longest.cancel()

    def _finished(self, task: asyncio.Task[None]) -> None:
        del self._slots[task]
        self._free.set()


@dataclass(eq=False)
class JobLoop:
    """Works on jobs until it is cancelled. Any number of workers, on any number of nodes, share one store.

    Leagues come first: single matches get the slots that leagues leave, and a few of their own. Ladders get the
    processors that neither uses, and give them back when a league has a job. `run` raises EmbeddedServerError when the
    embedded store has ended for good.
    """

    store: Store
    jobs: JobQueue
    seat_provider: SeatProvider
    at_once: int = MATCHES_AT_ONCE
    idle_processors: int = field(default_factory=lambda: max(1, len(os.sched_getaffinity(0)) - 1))
    """How many matches of ladders are played at once, where nothing else is: one processor is left for pages."""
    committed: Observer | None = None
    match_over: MatchObserver | None = None
    """Called with each match once it is kept."""
    peers: Peers | None = None
    signing_key: SigningKey | None = None
    live: LiveMatches = field(default_factory=LiveMatches)
    traces: "MatchTraces | None" = None
    """Who is told of each match, if anybody is."""

    def __post_init__(self) -> None:
        self._journals = self.store.journals()
        self._leagues = Pool(lambda: self.at_once)
        self.singles = Pool(lambda: max(min(MIN_SINGLES, self.at_once), self.at_once - self._leagues.working()))
        self._ladders = Pool(lambda: self.idle_processors - self.singles.working())
        self._played = league.PlayedRounds()
        self._league_at = -math.inf
        """When a job of a league was worked on last."""
        self._stopping = False

    async def run(self) -> None:
        """Take jobs and work on them. When cancelled, give back what is not finished and close its matches."""
        takers = [asyncio.create_task(self._take(pool)) for pool in (self._leagues, self.singles)]
        takers.append(asyncio.create_task(self._take_ladders()))
        try:
            await asyncio.gather(*takers)
        finally:
            self._stopping = True
            tasks = [*takers, *self._leagues.tasks, *self.singles.tasks, *self._ladders.tasks]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def load(self) -> tuple[int, int]:
        """How many jobs are worked on here, and how many matches wait here for a bot."""
        pools = (self._leagues, self.singles, self._ladders)
        playing = sum(pool.working() for pool in pools)
        return playing, sum(len(pool.tasks) for pool in pools) - playing

    async def take_over(self, handed: Job) -> None:
        """Work on a job whose lease another node has handed to this one, or release it where this one stops."""
        if self._stopping:
            await self.jobs.release(handed)
        elif handed.scope.is_of_ladder:
            await self._begin_if_idle(handed, handed=True)
        else:
            self._begin(handed, handed=True)

    async def _take(self, pool: Pool) -> None:
        while True:
            room = pool.room()
            if room <= 0:
                await pool.freed()
                continue
            leagues, singles = (room, 0) if pool is self._leagues else (0, room)
            runtimes = self.seat_provider.runtimes
            try:
                jobs = await self.jobs.claim(
                    leagues,
                    singles=singles,
                    wait_s=_POLL_S,
                    runtimes=runtimes,
                    without=pool.full(),
                    caging=pool.caging,
                )
            except EmbeddedServerError:
                raise  # it is not started again: the node ends
            except StoreError as error:
                log.warning("cannot take jobs: %s", error)
                await asyncio.sleep(_RETRY_S)
                continue
            for job in jobs:
                self._begin(job)
            if len(jobs) < room:
                pool.took_all()

    async def _take_ladders(self) -> None:
        """Take jobs of ladders while no league has had any here for a while."""
        while True:
            if (busy_s := self._league_at + _LADDERS_AFTER_S - time.monotonic()) > 0 or self._leagues.began():
                await asyncio.sleep(max(busy_s, _LADDERS_AFTER_S / 4))
                continue
            room = self._ladders.room()
            jobs: list[Job] = []
            try:
                if room > 0:
                    jobs = await self.jobs.claim_ladders(room, runtimes=self.seat_provider.runtimes)
                for job in jobs:
                    await self._begin_if_idle(job)
            except EmbeddedServerError:
                raise  # it is not started again: the node ends
            except StoreError as error:
                log.warning("cannot take jobs of ladders: %s", error)
                await asyncio.sleep(_RETRY_S)
                continue
            if len(jobs) < room or room <= 0:
                self._ladders.took_all()
                await self._ladders.freed()

    def _pool(self, job: Job) -> Pool:
        if job.scope.is_of_ladder:
            return self._ladders
        return self.singles if job.scope.kind == "match" else self._leagues

    def _begin(self, job: Job, *, handed: bool = False) -> None:
        pool, task = self._pool(job), asyncio.create_task(self._work(job, handed=handed), name=str(job))
        pool.begin(job, task)
        if pool is self._leagues:
            self._note_league()
            task.add_done_callback(self._note_league)
            for ladder_task in self._ladders.tasks:
                ladder_task.cancel()  # its job is given back: leagues go first

    async def _begin_if_idle(self, job: Job, *, handed: bool = False) -> None:
        """Begin the job of a ladder, or release it where a league has begun meanwhile."""
        if self._leagues.began():
            await self.jobs.release(job)
        else:
            self._begin(job, handed=handed)

    def _note_league(self, _: object = None) -> None:
        self._league_at = time.monotonic()

    async def _work(self, job: Job, *, handed: bool) -> None:
        committed = False
        async with handled(self.jobs, job), self.jobs.leases.hold(job):
            if isinstance(job.work, MatchWork):
                committed = await self._match(job, job.work, handed=handed)
            else:
                await league.step(self.store, self.jobs, job, self._played)
                committed = True
        if committed and self.committed is not None:
            self.committed(job)

    async def _match(self, job: Job, work: MatchWork, *, handed: bool) -> bool:
        """Play a match and commit it; False when it is handed to another node."""
        match = msgspec.msgpack.decode(work.payload, type=MatchJob)
        pool, single = self._pool(job), match.plan is None
        slot = pool.slot
        if single:
            slot.owner, slot.caged = match.owner, work.caged
        sources = [(name, parse_source(bot)) for name, bot in zip(match.spec.names, match.bots, strict=True)]
        connecting = tuple(source.name for _, source in sources if isinstance(source, RegisteredBot))
        # The node to which a match is handed may have no cages, or not these runtimes.
        stays = handed or any(isinstance(source, SubmittedBot | PathBot) for _, source in sources)
        if connecting and not stays and await self._handed_over(job, connecting):
            return False
        journal = StoredJournal(await self._journals.open(job)) if connecting else None
        played = journal.entries() if journal is not None else []
        open_at = len(played) if journal is not None and journal.resumed else None
        if open_at is not None:
            text = "%s goes on here after %d decisions"
            event(log, logging.WARNING, "match_resumed", text, job, len(played), **_described(job, match))
        with ExitStack() as shown:
            trace = None
            if self.traces is not None:
                trace = shown.enter_context(self.traces.match(node=self.jobs.owner, **_described(job, match)))
            async with AsyncExitStack() as stack:
                group, owner = (SINGLES, match.owner) if single else (str(job.scope.whole), None)
                recess = None
                if not single:  # an owner could have many long covers, and has one slot
                    recess = Recess()
                    stack.enter_context(recess.notifying(partial(pool.recess, slot)))
                seats: list[Seat] = [AbsentSeat(End.ABANDONED, "the match was ended before it began")] * len(sources)
                with pool.waiting() if connecting or single else contextlib.nullcontext():
                    async with slot.abandonment.interrupts():
                        seats = await stack.enter_async_context(
                            self.seat_provider.seats(
                                group, sources, match.spec, open_at=open_at, owner=owner, recess=recess
                            )
                        )
                slot.seats = [seat for seat in seats if isinstance(seat, FailoverSeat)]
                slot.in_cages = [seat for seat in seats if isinstance(seat, PipeSeat)]
                if journal is not None:
                    await journal.begin()
                if trace:
                    trace.begins(len(played))
                live = shown.enter_context(self._watchable(match, journal, played))
                written = live or journal
                metered = MeteredJournal(match.spec.variant, written)
                result = await play(
                    match.spec,
                    seats,
                    journal=trace.journal(metered, match.spec.names) if trace else metered,
                    resume=played,
                    abandonment=slot.abandonment,
                    recess=recess,
                    resumable=written is not None,
                )
            outcome = msgspec.json.encode(result) if match.plan is None else league.outcome_of(match.plan, result)
            record = from_match(match.spec, result, house_bots=house_bots([source for _, source in sources]))
            summary = encode_summary(record, result.thinking)
            if trace:
                trace.over(_ended(match.spec, result))
            await self.jobs.commit_match(job, outcome, encode(record, self.signing_key), summary)
            meters.matches.add("single" if single else "league", match.spec.variant, result.end)
            # A league has thousands of them, and its rounds are logged.
            level = logging.INFO if single else logging.DEBUG
            fields = _described(job, match) | _ended(match.spec, result)
            event(log, level, "match", "%s", _summary(match.spec, result), **fields)
            if self.match_over is not None:
                self.match_over(job, match.spec, result)
            if live is not None:
                live.result = result
        return True

    async def _handed_over(self, job: Job, names: tuple[str, ...]) -> bool:
        node = self.peers.better_node(names) if self.peers is not None else None
        return node is not None and self.peers is not None and await self.peers.hand_over(self.jobs, job, node)

    def _watchable(
        self, match: MatchJob, journal: StoredJournal | None, played: Sequence[Entry]
    ) -> AbstractContextManager[LiveMatch | None]:
        """The match as spectators may follow it, unless a bot on its board could learn from them: docs/fairness.md.

        Anyone may watch a single match, whose cards no other match has.
        """
        if match.plan is not None and not match.is_open:
            return contextlib.nullcontext()
        return self.live.playing(match.spec, journal, played, whole=match.is_open)


def _summary(spec: MatchSpec, result: MatchResult) -> str:
    """Return a match that is over, in a line."""
    scores = ", ".join(f"{name} {points}" for name, points in zip(spec.names, result.results, strict=True))
    forfeit = f" ({spec.names[result.offender]} forfeited: {result.end})" if result.offender >= 0 else ""
    return f"match {spec.match_id} ({spec.variant}) is over: {scores}{forfeit}"


def _described(job: Job, match: MatchJob) -> dict[str, Any]:
    """Return a match that is to be played, for programs."""
    return {
        "match": match.spec.match_id,
        "variant": match.spec.variant,
        "league": job.scope.name if match.plan is not None else "",
        "round": job.work.round if isinstance(job.work, MatchWork) else 0,
        "owner": match.owner,
        "bots": match.spec.names,
        "versions": match.bots,
    }


def _ended(spec: MatchSpec, result: MatchResult) -> dict[str, Any]:
    """How a match ended, for programs."""
    return {
        "results": result.results,
        "end": result.end,
        "offender": spec.names[result.offender] if result.offender >= 0 else "",
        "decisions": len(result.choices),
    }
