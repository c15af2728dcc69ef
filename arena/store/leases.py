"""The leases of one owner: renewed while it works on their jobs; its work is cancelled when one is lost."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from arena.store.client import Client, Value
from arena.store.errors import LeaseLostError, StoreError
from arena.store.keys import Scope
from arena.store.records import Job

_RENEWED_AT_ONCE = 256

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Hold:
    """A lease that is renewed, the next time when it is `due`, and the task that works under it."""

    job: Job
    task: asyncio.Task[object]
    due: float
    lost: bool = False

    @property
    def lease_s(self) -> float:
        return self.job.lease_ms / 1000


# After a stall an owner may hold a job anew while its old task still works on it: the fence tells the two apart.
_Lease = tuple[Scope, str, int]


def _lease(job: Job) -> _Lease:
    return job.scope, job.id, job.fence


class Leases:
    """The leases that `owner` holds."""

    def __init__(self, client: Client, owner: str) -> None:
        self._client = client
        self._owner = owner
        self._held: dict[_Lease, _Hold] = {}
        self._changed = asyncio.Event()
        self._renewer: asyncio.Task[None] | None = None

    async def close(self) -> None:
        """Stop renewing; leases still held run out."""
        if self._renewer is not None:
            self._renewer.cancel()
            await asyncio.gather(self._renewer, return_exceptions=True)
            self._renewer = None

    @asynccontextmanager
    async def hold(self, job: Job) -> AsyncIterator[None]:
        """Renew the job's lease every quarter of its time while the body runs.

        When the lease is lost, the body is cancelled and LeaseLostError raised in its place. A body that ends
        without commit, fail or release leaves the lease to run out.
        """
        task = asyncio.current_task()
        assert task is not None
        cancelling = task.cancelling()
        hold = _Hold(job, task, asyncio.get_running_loop().time() + job.lease_ms / 4000)
        self.keep(hold)
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
                self.drop(job)

    def drop(self, job: Job) -> _Hold | None:
        """Stop renewing a lease: what is being committed must not look lost once the commit has removed it."""
        return self._held.pop(_lease(job), None)

    def keep(self, hold: _Hold) -> None:
        """Renew a lease from now on."""
        self._held[_lease(hold.job)] = hold
        self._changed.set()

    async def renew(self, jobs: Iterable[Job]) -> list[Job]:
        """Renew the leases of these jobs now; return the jobs whose lease is lost."""
        by_scope: dict[Scope, list[Job]] = defaultdict(list)
        for job in jobs:
            by_scope[job.scope].append(job)
        lost: list[Job] = []
        for scope, held in by_scope.items():
            for i in range(0, len(held), _RENEWED_AT_ONCE):
                part = held[i : i + _RENEWED_AT_ONCE]
                args: list[Value] = [self._owner]
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
                await self._renew(holds)
                for hold in holds.values():
                    hold.due = now + hold.lease_s / 4
                continue
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(min(hold.due for hold in self._held.values())):
                    await self._changed.wait()

    async def _renew(self, holds: dict[_Lease, _Hold]) -> None:
        try:
            lost = await self.renew(hold.job for hold in holds.values())
        except StoreError as error:
            # Not a loss: nobody else can claim while the store is away, and the fence decides afterwards.
            _log.warning("leases of %s not renewed: %s", self._owner, error)
            return
        for job in lost:
            hold = holds[_lease(job)]
            if self._held.get(_lease(job)) is hold:
                self.drop(job)
                hold.lost = True
                hold.task.cancel()
                _log.warning("%s lost the lease on %s", self._owner, job)
