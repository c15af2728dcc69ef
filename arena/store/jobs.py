"""Jobs: claimed under a lease, committed behind a fence, retried or parked."""

import asyncio
import logging
from collections.abc import Callable, Collection, Coroutine, Iterable, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from arena.metrics import meters
from arena.store.cage_policy import CagePolicy, LeftSingles
from arena.store.claims import Claims
from arena.store.client import Client, Value
from arena.store.directories import announce
from arena.store.errors import EntrantsChangedError, LeaseLostError, StoreError
from arena.store.keys import Scope
from arena.store.leases import Leases
from arena.store.open_matches import close_match, owner_of
from arena.store.records import Committed, Job, MatchWork, StepWork, encode_match
from arena.store.replays import encode_info
from arena.store.turns import Turns

LEASE_MS = 10_000

_STAGE = 500
_FINISH = -1
"""In place of the number of staged jobs: the division is finished."""
_FIRST_PAUSE_S = 0.005
_MAX_PAUSE_S = 0.05

T = TypeVar("T")
_log = logging.getLogger(__name__)


class JobQueue:
    """The jobs as one owner claims them. `owner` names it in the server, and is unique to the process.

    Every commit raises LeaseLostError when the job is no longer this owner's, and answers `before=True` when the
    same commit was made already and its answer lost.
    """

    max_failures = 3
    """After so many reported failures a job is parked."""
    retry_ms = 500
    """How long after a reported failure a job is tried again, where its lease is not shorter."""

    def __init__(self, client: Client, owner: str) -> None:
        self._client = client
        self.owner = owner
        self.leases = Leases(client, owner)
        """The leases on the jobs that are being worked on."""
        self.claims = Claims(client, owner)
        """The claims on single scopes, which `claim` makes in turn."""
        self._turns = Turns(client, self.claims)
        self._left_singles = LeftSingles()
        self._queued = asyncio.Event()

    @property
    def passed(self) -> dict[Scope, tuple[str, ...]]:
        """What this owner has left to others, with the runtimes that it lacked for it."""
        return self.claims.passed

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
        cages = CagePolicy(runtimes, caging, self._left_singles)

        async def claim() -> list[Job]:
            jobs = await self._turns.leagues(limit, runtimes, without)
            return jobs + await self._turns.singles(limit - len(jobs) if singles is None else singles, cages)

        return await self._wait_for(claim, lambda jobs: jobs, wait_s)

    async def claim_ladders(
        self, limit: int, *, wait_s: float = 0.0, runtimes: Collection[str] | None = None
    ) -> list[Job]:
        """Lease up to `limit` jobs of ladders: for whoever has nothing else to do. Otherwise as `claim`."""
        return await self._wait_for(partial(self._turns.ladders, limit, runtimes), lambda jobs: jobs, wait_s)

    async def claim_version(
        self, *, busy: Collection[str] = (), wait_s: float = 0.0, runtimes: Collection[str] | None = None
    ) -> tuple[Job, str] | None:
        """Lease a version that is to be qualified; return its job, and the owner whose turn it is.

        Owners take turns, so that the submissions of one do not delay another's, and `busy` ones wait; a bot without an
        owner is its own. `wait_s` and `runtimes` as `claim` has them, and so is what a cancellation does.
        """
        claim = partial(self._turns.versions, busy, runtimes)
        return await self._wait_for(claim, lambda claimed: [] if claimed is None else [claimed[0]], wait_s)

    async def _wait_for(
        self, claim: Callable[[], Coroutine[None, None, T]], jobs_of: Callable[[T], list[Job]], wait_s: float
    ) -> T:
        """Return what there is to claim, now or within so many seconds."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_s
        pause = _FIRST_PAUSE_S
        while True:
            self._queued.clear()
            claimed = await self._claim_whole(claim(), jobs_of)
            remaining_s = deadline - loop.time()
            if claimed or remaining_s <= 0:
                return claimed
            try:
                # Whoever waits in this process asks at the same moments, so that all goes to the store in one batch.
                async with asyncio.timeout(min(pause - loop.time() % pause, remaining_s)):
                    await self._queued.wait()
                pause = _FIRST_PAUSE_S
            except TimeoutError:
                pause = min(2 * pause, _MAX_PAUSE_S)

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

    async def claim_of(self, scope: Scope) -> list[Job]:
        """Lease a job of one scope, if it has one now."""
        return await self.claims.of_scope(scope)

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
            meters.jobs_parked.add()
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


def _committed(job: Job, status: bytes, outstanding: int) -> Committed:
    if status not in (b"held", b"again"):
        raise LeaseLostError(str(job))
    return Committed(before=status == b"again", outstanding=outstanding)
