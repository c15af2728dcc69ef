"""Jobs: taken under a lease, renewed while they are held, committed behind a fence, retried or parked."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from arena.store.errors import EntrantsChangedError, InvalidCursorError, LeaseLostError, ParkedJobError, StoreError
from arena.store.keys import MATCH_OWNERS, VERSION_WORK, WORK, Scope, open_matches_of_owner
from arena.store.open_matches import announce_match, close_match, is_stale, owner_of
from arena.store.records import Committed, Job, MatchWork, Page, ParkedJob, QualifyWork, StepWork, Work
from arena.store.replays import encode_info

if TYPE_CHECKING:
    from arena.store.client import Client, Value

LEASE_MS = 10_000
MAX_CLAIMS = 20
MAX_FAILURES = 3

_RETRY_MS = 500
_STAGE = 500
_FINISH = -1
"""In place of the number of staged jobs: the division is finished."""
_RENEW = 256
_SCOPES_A_POLL = 64
_UNWRITTEN_US = 60_000_000
"""Microseconds to the next look at a scope that is not running, or not written yet."""
_BUSY_US = 1_000_000
"""Microseconds to the next look at a version whose owner has another one qualified meanwhile."""
_FIRST_PAUSE_S = 0.005
_LONGEST_PAUSE_S = 0.05

T = TypeVar("T")
_log = logging.getLogger(__name__)


# Scope, job and fence: after a stall an owner may hold a job anew while its old task still plays it.
_Lease = tuple[Scope, str, int]


def _lease(job: Job) -> _Lease:
    return job.scope, job.id, job.fence


class _Hold:
    """A lease that is renewed, and the task that works under it."""

    __slots__ = ("due", "job", "lost", "task")

    def __init__(self, job: Job, task: asyncio.Task[object], now: float) -> None:
        self.job = job
        self.task = task
        self.due = now + self.lease_s / 4
        self.lost = False

    @property
    def lease_s(self) -> float:
        return self.job.lease_ms / 1000


class JobQueue:
    """One owner's view of all jobs: `owner` names it in the server, and is unique to the process.

    Every commit raises LeaseLostError when the job is no longer this owner's, and answers `before=True` when the
    same commit was made already and its answer lost.
    """

    def __init__(
        self, client: Client, owner: str, *, max_claims: int = MAX_CLAIMS, max_failures: int = MAX_FAILURES
    ) -> None:
        self._client = client
        self.owner = owner
        self.max_claims = max_claims
        self.max_failures = max_failures
        self.passed: dict[Scope, tuple[str, ...]] = {}
        """What this owner has left to others, with the runtimes that it lacked for it."""
        self._turns: dict[str, int] = {}
        """The number of each owner's last turn at a qualification here."""
        self._queued = asyncio.Event()
        self._held: dict[_Lease, _Hold] = {}
        self._holds_changed = asyncio.Event()
        self._renewer: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Stop renewing; leases still held run out."""
        if self._renewer is not None:
            self._renewer.cancel()
            await asyncio.gather(self._renewer, return_exceptions=True)
            self._renewer = None

    # -- taking -----------------------------------------------------------------------------------------------

    async def claim(
        self,
        limit: int,
        *,
        singles: int | None = None,
        wait_s: float = 0.0,
        runtimes: Collection[str] | None = None,
    ) -> list[Job]:
        """Lease up to `limit` jobs of leagues, spread over those that have some; wait up to `wait_s` for the first.

        Beside those, up to `singles` single matches are leased, by default as many as the leagues leave of `limit`:
        owners take turns. Rounds that need other runtimes than those offered (None: any) are left to others, which
        `passed` tells then.
        """
        return await self._wait_for(partial(self._claim_now, limit, singles, runtimes), wait_s)

    async def claim_version(
        self, *, busy: Collection[str] = (), wait_s: float = 0.0, runtimes: Collection[str] | None = None
    ) -> tuple[Job, str] | None:
        """Lease a version that is to be qualified; return its job, and whose turn that is.

        Owners take turns, so that the submissions of one delay nobody else's, and those that are `busy` wait; a bot
        without an owner is its own. `wait_s` and `runtimes` as `claim` has them.
        """
        return await self._wait_for(partial(self._claim_version_now, busy, runtimes), wait_s)

    async def _wait_for(self, claim: Callable[[], Awaitable[T]], wait_s: float) -> T:
        """What there is to claim, now or within so many seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        pause = _FIRST_PAUSE_S
        while True:
            self._queued.clear()
            claimed = await claim()
            left = deadline - loop.time()
            if claimed or left <= 0:
                return claimed
            try:
                async with asyncio.timeout(min(pause, left)):
                    await self._queued.wait()
                pause = _FIRST_PAUSE_S
            except TimeoutError:
                pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _claim_now(self, limit: int, singles: int | None, runtimes: Collection[str] | None) -> list[Job]:
        jobs: list[Job] = []
        scopes = await self._poll(WORK, _SCOPES_A_POLL) if limit > 0 else []
        for i, (scope, score) in enumerate(scopes):
            room = limit - len(jobs)
            if room <= 0:
                break
            # An even share each, so that a large league does not hold up a small one.
            jobs += await self._claim_from(Scope.parse(scope), score, -(-room // (len(scopes) - i)), runtimes)
        return jobs + await self._claim_singles(limit - len(jobs) if singles is None else singles)

    async def _poll(self, directory: str, limit: int) -> list[tuple[str, bytes]]:
        """Up to `limit` members of a directory that are due, each with the score that it has now."""
        due = await self._client.script("poll", [directory], [limit])
        return [(due[i].decode(), due[i + 1]) for i in range(0, len(due), 2)]

    async def _claim_version_now(
        self, busy: Collection[str], runtimes: Collection[str] | None
    ) -> tuple[Job, str] | None:
        due = [(Scope.parse(scope), score) for scope, score in await self._poll(VERSION_WORK, _SCOPES_A_POLL)]
        owners = await asyncio.gather(*(owner_of(self._client, scope) for scope, _ in due))
        turns = [owner or scope.name for owner, (scope, _) in zip(owners, due, strict=True)]
        for turn, (scope, score) in sorted(zip(turns, due, strict=True), key=lambda one: self._turns.get(one[0], 0)):
            if turn in busy:
                await self._client.script("announce", [scope.work], [str(scope), _BUSY_US, score])
            elif leased := await self._claim_from(scope, score, 1, runtimes):
                self._turns[turn] = max(self._turns.values(), default=0) + 1
                return leased[0], turn
        return None

    async def _claim_singles(self, limit: int) -> list[Job]:
        """Lease up to `limit` single matches, an even share of each owner who has some."""
        jobs: list[Job] = []
        owners = await self._poll(MATCH_OWNERS, min(limit, _SCOPES_A_POLL)) if limit > 0 else []
        for i, (owner, _) in enumerate(owners):
            room = limit - len(jobs)
            if room <= 0:
                break
            directory = open_matches_of_owner(owner)
            for scope, score in await self._poll(directory, -(-room // (len(owners) - i))):
                jobs += await self._claim_single(owner, Scope.parse(scope), score)
            await self._client.script("rest_owner", [MATCH_OWNERS, directory], [owner])
        return jobs

    async def _claim_single(self, owner: str, scope: Scope, score: bytes) -> list[Job]:
        state, wait_us, jobs = await self._claim(scope, 1)
        if state == b"finished" or (state is None and await is_stale(self._client, scope)):
            await close_match(self._client, owner, scope)
        else:
            await announce_match(self._client, owner, scope, wait_us if state == b"running" else _UNWRITTEN_US, score)
        return jobs

    async def claim_of(self, scope: Scope, limit: int = 1, runtimes: Collection[str] | None = None) -> list[Job]:
        """Lease up to `limit` jobs of one scope, without waiting; `runtimes` as `claim` has them."""
        _, _, jobs = await self._claim(scope, limit, runtimes)
        return jobs

    async def _claim_from(self, scope: Scope, score: bytes, limit: int, runtimes: Collection[str] | None) -> list[Job]:
        state, wait_us, jobs = await self._claim(scope, limit, runtimes)
        if state == b"passed":
            pass  # it stays due for others
        elif state in (b"finished", b"cancelled"):
            await self._client.call("ZREM", scope.work, str(scope))
        elif len(jobs) < limit:
            # A scope that is not running (or not written yet) is announced when it is.
            delay = wait_us if state == b"running" else _UNWRITTEN_US
            await self._client.script("announce", [scope.work], [str(scope), delay, score])
        return jobs

    async def _claim(
        self, scope: Scope, limit: int, runtimes: Collection[str] | None = None
    ) -> tuple[bytes | None, int, list[Job]]:
        """The scope's state, microseconds until leases may have run out there, and the jobs that were leased."""
        state, wait_us, lease_ms, *entries = await self._client.script(
            "claim",
            [scope.head, scope.jobs, scope.backlog, scope.claims, scope.parked],
            [self.owner, limit, self.max_claims, "*" if runtimes is None else f" {' '.join(runtimes)} "],
        )
        if state == b"passed":
            self.passed[scope] = tuple(entries[0].decode().split())
            return state, 0, []
        self.passed.pop(scope, None)
        jobs = []
        for id_, fence, kind, body, before in entries:
            jobs.append(job := Job(scope, id_.decode(), fence, lease_ms, read_work(kind, body)))
            if before:
                _log.warning("%s takes over %s, whose lease ran out, from %s", self.owner, job, before.decode())
        return state, int(wait_us), jobs

    # -- holding ----------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def hold(self, job: Job) -> AsyncIterator[None]:
        """Renew the lease every quarter of its time while the body runs.

        When the lease is lost, the body is cancelled and LeaseLostError raised in its place. A body that ends
        without commit, fail or release leaves the lease to run out.
        """
        task = asyncio.current_task()
        assert task is not None
        cancelling = task.cancelling()
        hold = _Hold(job, task, asyncio.get_running_loop().time())
        self._held[_lease(job)] = hold
        self._holds_changed.set()
        if self._renewer is None or self._renewer.done():
            self._renewer = asyncio.create_task(self._renew_all())
        try:
            yield
        except asyncio.CancelledError:
            if hold.lost and task.uncancel() <= cancelling:
                raise LeaseLostError(str(job)) from None
            raise
        finally:
            if self._held.get(_lease(job)) is hold:
                del self._held[_lease(job)]

    async def renew(self, jobs: Iterable[Job]) -> list[Job]:
        """Renew these leases; return the jobs whose lease is lost."""
        by_scope: dict[Scope, list[Job]] = defaultdict(list)
        for job in jobs:
            by_scope[job.scope].append(job)
        lost: list[Job] = []
        for scope, held in by_scope.items():
            for i in range(0, len(held), _RENEW):
                part = held[i : i + _RENEW]
                args: list[Value] = [self.owner]
                for job in part:
                    args += (job.id, job.fence)
                answer = await self._client.script("renew", [scope.jobs, scope.claims], args)
                lost += [part[place] for place in answer]
        return lost

    async def _renew_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._held:
            now = loop.time()
            # Those that are nearly due go along, so that many leases take few scripts.
            holds = {key: hold for key, hold in self._held.items() if hold.due - now <= hold.lease_s / 16}
            if holds:
                await self._renew_holds(holds)
                for hold in holds.values():
                    hold.due = now + hold.lease_s / 4
                continue
            self._holds_changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(min(hold.due for hold in self._held.values())):
                    await self._holds_changed.wait()

    async def _renew_holds(self, holds: dict[_Lease, _Hold]) -> None:
        try:
            lost = await self.renew(hold.job for hold in holds.values())
        except StoreError as error:
            # Not a loss: nobody else can claim while the store is away, and the fence decides afterwards.
            _log.warning("leases of %s not renewed: %s", self.owner, error)
            return
        for job in lost:
            hold = holds[_lease(job)]
            if self._held.get(_lease(job)) is hold:
                self._drop(job)
                hold.lost = True
                hold.task.cancel()
                _log.warning("%s lost the lease on %s", self.owner, job)

    def _drop(self, job: Job) -> None:
        """Renew no longer: what is being committed must not look lost once the commit has removed it."""
        self._held.pop(_lease(job), None)

    # -- ending -----------------------------------------------------------------------------------------------

    async def commit_match(self, job: Job, result: bytes, replay: bytes = b"", about: bytes = b"") -> Committed:
        """Store a match's result and replay; the round's last one queues the step to the next round.

        `about` is what a listing of replays gives of the match.
        """
        scope, work = job.scope, job.work
        assert isinstance(work, MatchWork)
        self._drop(job)
        keys = [
            scope.head,
            scope.jobs,
            scope.claims,
            scope.done,
            scope.results(work.round),
            scope.boards,
            scope.replays,
            scope.replay_info,
            scope.journal(work.key),
            scope.replay_index,
        ]
        if scope.kind == "league":  # a bot's single matches have an index of their own
            keys += [scope.replay_index_of(bot) for bot in dict.fromkeys(work.bots)]
        info = encode_info(work, len(replay), about)
        args: list[Value] = [job.id, job.fence, work.key, result, work.board, work.board_matches, replay, info]
        status, outstanding = await self._client.script("commit_match", keys, args)
        committed = _committed(job, status, outstanding)
        if scope.kind == "match":
            await close_match(self._client, await owner_of(self._client, scope), scope, work.bots)
        elif outstanding == 0:
            await self._announce(scope)
        return committed

    async def commit_version(self, job: Job, report: bytes, *, qualified: bool) -> Committed:
        """Store what came of a version's qualification."""
        scope = job.scope
        self._drop(job)
        status = await self._client.script(
            "commit_version",
            [scope.head, scope.jobs, scope.claims, scope.done],
            [job.id, job.fence, "qualified" if qualified else "failed", report],
        )
        return _committed(job, status, 0)

    async def commit_round(
        self, job: Job, plan: bytes, matches: Sequence[MatchWork], *, revision: int = 0, runtimes: Iterable[str] = ()
    ) -> Committed:
        """Store the pairing of the step's round and queue its matches, all or none.

        `revision` is the league's as it was when the entrants were read: EntrantsChangedError when it has changed
        since, and the job is still held. A round without matches is complete at once. The round, with the step after
        it, is for those alone who offer all these `runtimes`.
        """
        scope, work = job.scope, job.work
        assert isinstance(work, StepWork)
        if len({match.name for match in matches}) != len(matches):
            raise ValueError("two matches of a round have the same name")
        for i in range(0, len(matches), _STAGE):
            part = [encode_match(match, work.round) for match in matches[i : i + _STAGE]]
            staged = await self._client.script(
                "stage_round", [scope.head, scope.claims, scope.stage], [job.id, job.fence, revision, i, *part]
            )
            if staged < 0:
                break  # lost, or committed before: the commit itself tells which
        return await self._commit_step(job, revision, len(matches), plan, runtimes)

    async def commit_finish(self, job: Job, *, revision: int = 0) -> Committed:
        """Finish the division in place of a further round; with the last one the league is, its secret published.

        `revision` as in `commit_round`.
        """
        return await self._commit_step(job, revision, _FINISH, b"")

    async def _commit_step(
        self, job: Job, revision: int, staged: int, plan: bytes, runtimes: Iterable[str] = ()
    ) -> Committed:
        scope, work = job.scope, job.work
        assert isinstance(work, StepWork)
        hold = self._held.pop(_lease(job), None)
        status = await self._client.script(
            "commit_step",
            [
                *(scope.head, scope.jobs, scope.claims, scope.done, scope.stage, scope.backlog, scope.rounds),
                scope.whole.head,
            ],
            [job.id, job.fence, work.round, revision, staged, plan, " ".join(runtimes)],
        )
        if status == b"changed":
            if hold is not None:
                self._held[_lease(job)] = hold
                self._holds_changed.set()
            raise EntrantsChangedError(str(job))
        await self._announce(scope)
        return _committed(job, status, max(staged, 0))

    async def fail(self, job: Job, error: str, *, delay_ms: int = _RETRY_MS) -> bool:
        """Report a job that went wrong: it is tried again after `delay_ms`; True when it is parked instead.

        The delay is at most the lease. A lease that is lost already is no error.
        """
        self._drop(job)
        scope = job.scope
        status = await self._client.script(
            "fail",
            [scope.head, scope.jobs, scope.claims, scope.parked],
            [self.owner, job.id, job.fence, self.max_failures, delay_ms, error],
        )
        await self._announce(scope)
        if status == b"parked":
            _log.error("parked %s: %s", job, error)
        return bool(status == b"parked")

    async def release(self, job: Job) -> None:
        """Let others claim a job at once, as if it had not been tried; a lease that is lost already is no error."""
        self._drop(job)
        await self._client.script("release", [job.scope.jobs, job.scope.claims], [job.id, job.fence])
        await self._announce(job.scope)

    async def transfer(self, job: Job, owner: str) -> Job | None:
        """Hand the lease to another owner; return the job as that one holds it, None when the lease is lost."""
        self._drop(job)
        fence = await self._client.script("transfer", [job.scope.jobs, job.scope.claims], [owner, job.id, job.fence])
        return msgspec.structs.replace(job, fence=fence) if fence else None

    async def _announce(self, scope: Scope) -> None:
        await announce(self._client, scope)
        self._queued.set()

    # -- jobs that wait for a node that can play them ---------------------------------------------------------

    async def waits_for(self, scope: Scope) -> tuple[str, ...]:
        """Return the runtimes that a round, or a version's qualification, needs while nobody works on it; else none."""
        runtimes = await self._client.script("waits_for", [scope.head, scope.jobs, scope.backlog], [])
        return tuple(runtimes.decode().split())

    async def waiting(self) -> dict[Scope, tuple[str, ...]]:
        """Return all rounds and versions on which nobody works, with the runtimes that they need."""
        names = [name for place in (WORK, VERSION_WORK) for name in await self._client.call("ZRANGE", place, 0, -1)]
        scopes = [Scope.parse(name.decode()) for name in names]
        needed = await asyncio.gather(*map(self.waits_for, scopes))
        return {scope: runtimes for scope, runtimes in zip(scopes, needed, strict=True) if runtimes}

    # -- parked jobs ------------------------------------------------------------------------------------------

    async def parked(self, scope: Scope, *, after: str = "", limit: int = 100) -> Page[ParkedJob]:
        """List the scope's jobs that were given up, oldest first; InvalidCursorError."""
        if after and not all(part.isdecimal() for part in after.split("-", 1)):
            raise InvalidCursorError(after)
        entries = await self._client.call(
            "XRANGE", scope.parked, f"({after}" if after else "-", "+", "COUNT", limit + 1
        )
        items = []
        for id_, fields in entries[:limit]:
            (kind, body), *_ = fields.items()
            error = fields[b"error"].decode("utf-8", "replace")
            items.append(ParkedJob(scope, id_.decode(), read_work(kind, body), int(fields[b"tries"]), error))
        return Page(tuple(items), items[-1].id if len(entries) > limit else "")

    async def requeue(self, parked: ParkedJob) -> None:
        """Try a parked job again, as if never tried; ParkedJobError."""
        scope = parked.scope
        if not await self._client.script("requeue", [scope.jobs, scope.parked], [parked.id]):
            raise ParkedJobError(parked.id)
        await self._announce(scope)


async def expire_leases(client: Client) -> None:
    """End the leases of every scope that may have jobs: whoever held them is gone."""
    owners = [owner.decode() for owner in await client.call("ZRANGE", MATCH_OWNERS, 0, -1)]
    directories = (WORK, VERSION_WORK, *map(open_matches_of_owner, owners))
    names = [name for directory in directories for name in await client.call("ZRANGE", directory, 0, -1)]
    for scope in [Scope.parse(name.decode()) for name in names]:
        place = b"-"
        while place:
            place = await client.script("expire_leases", [scope.head, scope.jobs, scope.claims], [place, _RENEW])
        await announce(client, scope)


async def announce(client: Client, scope: Scope) -> None:
    """Tell every node that the scope may have jobs."""
    if scope.kind == "match":
        await announce_match(client, await owner_of(client, scope), scope)
        return
    await client.script("announce", [scope.work], [str(scope), 0, ""])


def encode_match(work: MatchWork, round_: int) -> bytes:
    """Return the job as it lies in the stream."""
    return msgspec.msgpack.encode(msgspec.structs.replace(work, round=round_))


def read_work(kind: bytes, body: bytes) -> Work:
    """Return what a job of the stream is about."""
    if kind == b"match":
        return msgspec.msgpack.decode(body, type=MatchWork)
    return QualifyWork(body.decode()) if kind == b"qualify" else StepWork(int(body))


def _committed(job: Job, status: bytes, outstanding: int) -> Committed:
    if status not in (b"held", b"again"):
        raise LeaseLostError(str(job))
    return Committed(before=status == b"again", outstanding=outstanding)
