"""Claims: jobs of one scope are leased, and the scope is looked at again when it may have more."""

import logging
from collections.abc import Collection
from typing import NamedTuple

from arena.logs import event
from arena.metrics import meters
from arena.store.client import Client
from arena.store.directories import Due, announce
from arena.store.keys import Scope
from arena.store.open_matches import close_match, is_stale
from arena.store.records import Job, read_work

_UNWRITTEN_US = 60_000_000
"""Microseconds to the next look at a scope that is not running, or not written yet."""

_SINGLES = Scope("match", "*")
"""What is noted of single matches that are left to others: there may be many, and each is soon over."""

_log = logging.getLogger(__name__)


class _Claimed(NamedTuple):
    """What a claim came to: the scope's state, the jobs, and when leases may have run out there."""

    state: bytes | None
    wait_us: int
    jobs: list[Job]


class Claims:
    """What `owner` claims. After `max_claims` that came to nothing a job is parked."""

    max_claims = 20

    def __init__(self, client: Client, owner: str) -> None:
        self._client = client
        self._owner = owner
        self.passed: dict[Scope, tuple[str, ...]] = {}
        """What this owner has left to others, with the runtimes that it lacked for it."""

    @property
    def passed_singles(self) -> bool:
        """Whether the last single match that was looked at was left to others."""
        return _SINGLES in self.passed

    async def of_scope(self, scope: Scope) -> list[Job]:
        """Lease a job of one scope, if it has one now."""
        return (await self._claim(scope, 1)).jobs

    async def of_due(
        self, due: Due, limit: int, runtimes: Collection[str] | None, *, owner: str | None = None
    ) -> list[Job]:
        """Lease up to `limit` jobs of a scope that was polled; a single match has an `owner`.

        Jobs that need other runtimes than these (None: any) are left to others.
        """
        scope = Scope.parse(due.name)
        state, wait_us, jobs = await self._claim(scope, limit, runtimes)
        # A scope that is not running, or not written yet, is announced when it is.
        delay_us = wait_us if state in (b"running", b"parked") else _UNWRITTEN_US
        if state == b"passed":
            pass  # it stays due for others
        elif owner is not None:
            if state in (b"finished", b"parked") or (state is None and await is_stale(self._client, scope)):
                await close_match(self._client, owner, scope)
            else:
                await announce(self._client, scope, delay_us, due.score, owner=owner)
        elif state in (b"finished", b"cancelled"):
            await self._client.call("ZREM", scope.work, str(scope))
        elif len(jobs) < limit:
            await announce(self._client, scope, delay_us, due.score)
        return jobs

    async def _claim(self, scope: Scope, limit: int, runtimes: Collection[str] | None = None) -> _Claimed:
        state, wait_us, lease_ms, *entries = await self._client.script(
            "claim",
            [scope.head, scope.jobs, scope.backlog, scope.claims, scope.parked],
            [self._owner, limit, self.max_claims, "*" if runtimes is None else f" {' '.join(runtimes)} "],
        )
        noted = _SINGLES if scope.kind == "match" else scope
        if state == b"passed":
            self.passed[noted] = tuple(entries[0].decode().split())
            return _Claimed(state, 0, [])
        self.passed.pop(noted, None)
        jobs = []
        for id_, fence, kind, body, previous_owner in entries:
            jobs.append(job := Job(scope, id_.decode(), fence, lease_ms, read_work(kind, body)))
            if previous_owner:
                meters.jobs_taken_over.add()
                event(
                    _log,
                    logging.WARNING,
                    "take_over",
                    "%s takes over %s, whose lease ran out, from %s",
                    *(self._owner, job, previous_owner.decode()),
                    job=str(job),
                    node=self._owner,
                    previous=previous_owner.decode(),
                    **job.about,
                )
        return _Claimed(state, int(wait_us), jobs)
