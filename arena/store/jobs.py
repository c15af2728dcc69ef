"""Jobs: claimed under a lease, committed behind a fence, retried or parked."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from arena.store.client import Client, Value
from arena.store.errors import EntrantsChangedError, LeaseLostError, StoreError
from arena.store.keys import MATCH_OWNERS, VERSION_WORK, WORK, Scope, open_matches_of_owner
from arena.store.leases import Leases
from arena.store.open_matches import close_match, is_stale, owner_of
from arena.store.records import Committed, Job, MatchWork, QualifyWork, StepWork, Work
from arena.store.replays import encode_info

LEASE_MS = 10_000

_STAGE = 500
_FINISH = -1
"""In place of the number of staged jobs: the division is finished."""
_SCOPES_A_POLL = 64
_UNWRITTEN_US = 60_000_000
"""Microseconds to the next look at a scope that is not running, or not written yet."""
_BUSY_US = 1_000_000
"""Microseconds to the next look at a version whose owner already has another one being qualified."""
_FIRST_PAUSE_S = 0.005
_LONGEST_PAUSE_S = 0.05
_LEFT_S = 0.5
"""How long an owner's single matches are not looked at again here when all were left to others."""

_SINGLES = Scope("match", "*")
"""What is noted of single matches that are left to others: there may be many, and each is soon over."""

T = TypeVar("T")
_log = logging.getLogger(__name__)


class JobQueue:
    """The jobs as one owner claims them. `owner` names it in the server, and is unique to the process.

    Every commit raises LeaseLostError when the job is no longer this owner's, and answers `before=True` when the
    same commit was made already and its answer lost.
    """

    max_claims = 20
    """After so many claims that came to nothing a job is parked."""
    max_failures = 3
    """After so many reported failures a job is parked."""
    retry_ms = 500
    """How long after a reported failure a job is tried again, where its lease is not shorter."""

    def __init__(self, client: Client, owner: str) -> None:
        self._client = client
        self.owner = owner
        self.leases = Leases(client, owner)
        """The leases on the jobs that are being worked on."""
        self.passed: dict[Scope, tuple[str, ...]] = {}
        """What this owner has left to others, with the runtimes that it lacked for it."""
        self._turns: dict[str, int] = {}
        """The number of each owner's last turn at a qualification here."""
        self._left: dict[str, tuple[float, Collection[str] | None]] = {}
        """By owner: until when its single matches are left to others, and the runtimes that are too few for them."""
        self._queued = asyncio.Event()

    # -- taking -----------------------------------------------------------------------------------------------

    async def claim(
        self,
        limit: int,
        *,
        singles: int | None = None,
        wait_s: float = 0.0,
        runtimes: Collection[str] | None = None,
        without: Collection[Scope] = (),
        caging: Callable[[], Collection[str]] = tuple,
    ) -> list[Job]:
        """Lease up to `limit` jobs of leagues, spread over those that have some; wait up to `wait_s` for the first.

        Beside those, up to `singles` single matches are leased, by default as many as the leagues leave of `limit`:
        owners take turns. Rounds that need other runtimes than those offered (None: any) are left to others and noted
        in `passed`. Nothing is leased of the scopes in `without`. Of each owner's single matches that need runtimes one
        is leased, and none while `caging` names the owner: what cannot be played here at once is left to others, and
        not looked at again for a while. Cancelled, it gives back what it has leased.
        """
        claim = partial(self._claim_now, limit, singles, runtimes, without, caging)
        return await self._wait_for(claim, lambda jobs: jobs, wait_s)

    async def claim_version(
        self, *, busy: Collection[str] = (), wait_s: float = 0.0, runtimes: Collection[str] | None = None
    ) -> tuple[Job, str] | None:
        """Lease a version that is to be qualified; return its job, and the owner whose turn it is.

        Owners take turns, so that the submissions of one do not delay another's, and `busy` ones wait; a bot without an
        owner is its own. `wait_s` and `runtimes` as `claim` has them, and so is what a cancellation does.
        """
        claim = partial(self._claim_version_now, busy, runtimes)
        return await self._wait_for(claim, lambda claimed: [] if claimed is None else [claimed[0]], wait_s)

    async def _wait_for(
        self, claim: Callable[[], Coroutine[None, None, T]], jobs_of: Callable[[T], list[Job]], wait_s: float
    ) -> T:
        """What there is to claim, now or within so many seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        pause = _FIRST_PAUSE_S
        while True:
            self._queued.clear()
            claimed = await self._claim_whole(claim(), jobs_of)
            left = deadline - loop.time()
            if claimed or left <= 0:
                return claimed
            try:
                # Whoever waits in this process asks at the same moments, so that all goes to the store in one batch.
                async with asyncio.timeout(min(pause - loop.time() % pause, left)):
                    await self._queued.wait()
                pause = _FIRST_PAUSE_S
            except TimeoutError:
                pause = min(2 * pause, _LONGEST_PAUSE_S)

    async def _claim_whole(self, claim: Coroutine[None, None, T], jobs_of: Callable[[T], list[Job]]) -> T:
        """What a claim leases. A cancellation waits for the answers that are under way, and releases those jobs."""
        claiming = asyncio.create_task(claim)
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            try:
                for job in jobs_of(await claiming):
                    await self.release(job)
            except StoreError as error:
                _log.warning("what %s was claiming is left to its lease: %s", self.owner, error)
            raise

    async def _claim_now(
        self,
        limit: int,
        singles: int | None,
        runtimes: Collection[str] | None,
        without: Collection[Scope],
        caging: Callable[[], Collection[str]],
    ) -> list[Job]:
        jobs: list[Job] = []
        due = await self._poll(WORK, _SCOPES_A_POLL + len(without)) if limit > 0 else []
        scopes = [(scope, score) for name, score in due if (scope := Scope.parse(name)) not in without]
        for i, (scope, score) in enumerate(scopes):
            room = limit - len(jobs)
            if room <= 0:
                break
            # An even share each, so that a large league does not hold up a small one.
            jobs += await self._claim_from(scope, score, -(-room // (len(scopes) - i)), runtimes)
        return jobs + await self._claim_singles(limit - len(jobs) if singles is None else singles, runtimes, caging)

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
                await announce(self._client, scope, _BUSY_US, score)
            elif leased := await self._claim_from(scope, score, 1, runtimes):
                self._turns[turn] = max(self._turns.values(), default=0) + 1
                return leased[0], turn
        return None

    async def _claim_singles(
        self, limit: int, runtimes: Collection[str] | None, caging: Callable[[], Collection[str]]
    ) -> list[Job]:
        """Lease up to `limit` single matches, an even share of each owner who has some."""
        jobs: list[Job] = []
        now = asyncio.get_running_loop().time()
        owners = await self._poll(MATCH_OWNERS, min(limit, _SCOPES_A_POLL)) if limit > 0 else []
        for i, (owner, _) in enumerate(owners):
            room = limit - len(jobs)
            if room <= 0:
                break
            # With a match in a cage here, the others are looked through for those that need none.
            offered = () if owner in caging() else runtimes
            until, too_few = self._left.get(owner, (0.0, None))
            if now < until and offered == too_few:
                continue
            directory = open_matches_of_owner(owner)
            leased: list[Job] = []
            for scope, score in await self._poll(directory, -(-room // (len(owners) - i))):
                leased += await self._claim_from(Scope.parse(scope), score, 1, offered, owner)
                if any(isinstance(job.work, MatchWork) and job.work.caged for job in leased):
                    offered = ()
            if _SINGLES in self.passed and not leased:
                self._left[owner] = now + _LEFT_S, offered
            jobs += leased
            await self._client.script("rest_owner", [MATCH_OWNERS, directory], [owner])
        return jobs

    async def claim_of(self, scope: Scope) -> list[Job]:
        """Lease a job of one scope, if it has one now."""
        _, _, jobs = await self._claim(scope, 1)
        return jobs

    async def _claim_from(
        self, scope: Scope, score: bytes, limit: int, runtimes: Collection[str] | None, owner: str | None = None
    ) -> list[Job]:
        """Lease up to `limit` jobs of a scope that was polled; a single match has an `owner`."""
        state, wait_us, jobs = await self._claim(scope, limit, runtimes)
        # A scope that is not running, or not written yet, is announced when it is.
        delay_us = wait_us if state in (b"running", b"parked") else _UNWRITTEN_US
        if state == b"passed":
            pass  # it stays due for others
        elif owner is not None:
            if state in (b"finished", b"parked") or (state is None and await is_stale(self._client, scope)):
                await close_match(self._client, owner, scope)
            else:
                await announce(self._client, scope, delay_us, score, owner=owner)
        elif state in (b"finished", b"cancelled"):
            await self._client.call("ZREM", scope.work, str(scope))
        elif len(jobs) < limit:
            await announce(self._client, scope, delay_us, score)
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
        noted = _SINGLES if scope.kind == "match" else scope
        if state == b"passed":
            self.passed[noted] = tuple(entries[0].decode().split())
            return state, 0, []
        self.passed.pop(noted, None)
        jobs = []
        for id_, fence, kind, body, before in entries:
            jobs.append(job := Job(scope, id_.decode(), fence, lease_ms, read_work(kind, body)))
            if before:
                _log.warning("%s takes over %s, whose lease ran out, from %s", self.owner, job, before.decode())
        return state, int(wait_us), jobs

    # -- ending -----------------------------------------------------------------------------------------------

    async def commit_match(self, job: Job, result: bytes, replay: bytes = b"", about: bytes = b"") -> Committed:
        """Store a match's result and replay; the round's last one queues the step to the next round.

        `about` is what a listing of replays gives of the match.
        """
        scope, work = job.scope, job.work
        assert isinstance(work, MatchWork)
        self.leases.drop(job)
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
        self.leases.drop(job)
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
        since, and the job is still held. A round without matches is complete at once. Only owners that offer all these
        `runtimes` get the round, and the step after it.
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
                break  # lost, or committed before: the commit finds out which
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
        hold = self.leases.drop(job)
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
                self.leases.keep(hold)
            raise EntrantsChangedError(f"the entrants changed while {job} was computed")
        await self._announce(scope)
        return _committed(job, status, max(staged, 0))

    async def fail(self, job: Job, error: str) -> bool:
        """Report a job that went wrong: it is tried again, or parked (True); a lease that is lost is no error."""
        self.leases.drop(job)
        scope = job.scope
        status = await self._client.script(
            "fail",
            [scope.head, scope.jobs, scope.claims, scope.parked],
            [self.owner, job.id, job.fence, self.max_failures, self.retry_ms, error],
        )
        if status == b"parked":
            _log.error("parked %s: %s", job, error)
        if status == b"parked" and scope.kind == "match":
            # Until somebody deletes it, or has it tried again, it takes no place of its owner and its bots.
            await close_match(self._client, await owner_of(self._client, scope), scope)
        else:
            await self._announce(scope)
        return bool(status == b"parked")

    async def release(self, job: Job) -> None:
        """Let others claim a job at once, as if it had not been tried; a lease that is lost already is no error."""
        self.leases.drop(job)
        await self._client.script("release", [job.scope.jobs, job.scope.claims], [job.id, job.fence])
        await self._announce(job.scope)

    async def transfer(self, job: Job, owner: str) -> Job | None:
        """Hand the lease to another owner; return the job as that one holds it, None when the lease is lost."""
        self.leases.drop(job)
        fence = await self._client.script("transfer", [job.scope.jobs, job.scope.claims], [owner, job.id, job.fence])
        return msgspec.structs.replace(job, fence=fence) if fence else None

    async def _announce(self, scope: Scope) -> None:
        await announce(self._client, scope)
        self._queued.set()


async def expire_leases(client: Client) -> None:
    """End the leases of every scope that may have jobs: whoever held them is gone."""
    owners = [owner.decode() for owner in await client.call("ZRANGE", MATCH_OWNERS, 0, -1)]
    directories = (WORK, VERSION_WORK, *map(open_matches_of_owner, owners))
    names = [name for directory in directories for name in await client.call("ZRANGE", directory, 0, -1)]
    for scope in [Scope.parse(name.decode()) for name in names]:
        await client.script("expire_leases", [scope.head, scope.jobs, scope.claims])
        await announce(client, scope)


async def announce(
    client: Client, scope: Scope, delay_us: int = 0, score: bytes | str = "", *, owner: str | None = None
) -> None:
    """Announce to every node that the scope may have jobs, `delay_us` microseconds from now.

    With the `score` of a poll, only where it may have some still and was not announced since. `owner` is that of a
    single match, where it is known.
    """
    keys, args = [scope.work], list[Value]((str(scope), delay_us, score))
    if scope.kind == "match":
        owner = await owner_of(client, scope) if owner is None else owner
        keys, args = [open_matches_of_owner(owner), MATCH_OWNERS], [*args, owner]
    await client.script("announce", keys, args)


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
