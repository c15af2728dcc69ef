"""The leases of one owner: renewed while it works on their jobs; its work is cancelled when one is lost."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from arena.logs import event
from arena.store.client import Client
from arena.store.errors import LeaseLostError, StoreError
from arena.store.keys import Scope
from arena.store.records import Job

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Hold:
    """A lease, the task that works under it, and the one that renews it."""

    job: Job
    task: asyncio.Task[object]
    renewer: asyncio.Task[None] = field(init=False)
    lost: bool = False


# After a stall an owner may hold a job anew while its old task still works on it: the fence tells the two apart.
_Lease = tuple[Scope, str, int]


def _lease(job: Job) -> _Lease:
    return job.scope, job.id, job.fence


class Leases:
    """The leases that `owner` holds."""

    def __init__(self, client: Client, owner: str) -> None:
        self._client = client
        self._owner = owner
        self._holds: dict[_Lease, _Hold] = {}

    async def close(self) -> None:
        """Stop renewing; leases still held run out."""
        renewers = [hold.renewer for hold in self._holds.values()]
        for renewer in renewers:
            renewer.cancel()
        await asyncio.gather(*renewers, return_exceptions=True)

    @asynccontextmanager
    async def hold(self, job: Job) -> AsyncIterator[None]:
        """Renew the job's lease every quarter of its time while the body runs.

        When the lease is lost, the body is cancelled and LeaseLostError raised in its place. A body that ends
        without commit, fail or release leaves the lease to run out.
        """
        task = asyncio.current_task()
        assert task is not None
        cancelling = task.cancelling()
        hold = _Hold(job, task)
        self.keep(hold)
        try:
            yield
        except asyncio.CancelledError:
            if hold.lost and task.uncancel() <= cancelling:
                raise LeaseLostError(str(job)) from None
            raise
        finally:
            self.drop(job)

    def drop(self, job: Job) -> _Hold | None:
        """Stop renewing a lease: what is being committed must not look lost once the commit has removed it."""
        hold = self._holds.pop(_lease(job), None)
        if hold is not None:
            hold.renewer.cancel()
        return hold

    def keep(self, hold: _Hold) -> None:
        """Renew a lease from now on."""
        self._holds[_lease(hold.job)] = hold
        hold.renewer = asyncio.create_task(self._keep_renewed(hold))

    async def renew(self, job: Job) -> bool:
        """Renew the job's lease now; False when it is lost."""
        return bool(
            await self._client.script("renew", [job.scope.jobs, job.scope.claims], [self._owner, job.id, job.fence])
        )

    async def is_cancelled(self, job: Job) -> bool:
        """Return whether the league that the job belongs to was cancelled: nobody works on it any more. StoreError."""
        return bool(await self._client.call("HGET", job.scope.head, "state") == b"cancelled")

    async def _keep_renewed(self, hold: _Hold) -> None:
        while not hold.lost:
            await asyncio.sleep(hold.job.lease_ms / 4000)
            try:
                hold.lost = not await self.renew(hold.job)
            except StoreError as error:
                # Not a loss: nobody else can claim while the store is away, and the fence decides afterwards.
                _log.warning("the lease on %s is not renewed: %s", hold.job, error)
        hold.task.cancel()
        text = "%s lost the lease on %s"
        try:
            level = logging.INFO if await self.is_cancelled(hold.job) else logging.WARNING
        except StoreError:
            level = logging.WARNING  # nobody knows why it is lost
        about = {"job": str(hold.job), "node": self._owner, **hold.job.about}
        event(_log, level, "lease_lost", text, self._owner, hold.job, **about)
