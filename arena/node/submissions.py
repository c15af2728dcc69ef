"""Submitted bots at a node: versions that are to be qualified, and the cages that its matches use too."""

import asyncio
import logging
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from arena.launcher.cage.errors import NoCageError
from arena.launcher.cage.probe import probe
from arena.launcher.cage.runtimes import lacking, offered
from arena.launcher.cage.shared import SharedCages
from arena.node.job_outcomes import handled
from arena.node.seat_provider import SeatProvider
from arena.store import Job, JobQueue, Scope, Store
from arena.store.errors import StoreError
from arena.submissions.cache import PackCache, own_folder
from arena.submissions.starter import VersionStarter
from arena.submissions.submit import work_on

QUALIFICATIONS_AT_ONCE = 4
"""How many owners have a version qualified at once: a bot that thinks long holds up nobody else's."""
_POLL_S = 1.0
_RETRY_S = 1.0

log = logging.getLogger(__name__)


@dataclass(eq=False)
class Submissions:
    """What a node does with submitted bots, if it can cage them.

    It finds out whether it can when one is first to be qualified or played, or `at_once`; from then on `seat_provider`
    starts them. Versions are unpacked into `folder`.
    """

    store: Store
    jobs: JobQueue
    seat_provider: SeatProvider
    folder: Path
    cages: SharedCages
    at_once: bool = False
    why_not: str = ""
    """Why this node takes no submitted bots; empty while it does, or has not tried."""

    def __post_init__(self) -> None:
        self._stack = ExitStack()
        self._logged: set[Scope] = set()

    async def run(self) -> None:
        """Qualify versions, one of an owner at a time, until cancelled.

        What this node leaves to others, as it cannot cage or does not offer a runtime, it logs once.
        """
        starter = await self._opened() if self.at_once else None
        under_way: dict[asyncio.Task[None], str] = {}
        async with asyncio.TaskGroup() as group:
            while True:
                if len(under_way) == QUALIFICATIONS_AT_ONCE:
                    await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                offers = frozenset() if starter is None else offered()
                try:
                    claimed = await self.jobs.claim_version(busy=under_way.values(), wait_s=_POLL_S, runtimes=offers)
                except StoreError as error:
                    log.warning("cannot take versions to qualify: %s", error)
                    await asyncio.sleep(_RETRY_S)
                    continue
                if starter is None and not self.why_not and self.jobs.passed:
                    starter = await self._opened()
                elif starter is not None or self.why_not:
                    self._log_left(offers)
                if starter is not None and claimed is not None:
                    job, owner = claimed
                    task = group.create_task(self._qualify(job, starter))
                    under_way[task] = owner
                    task.add_done_callback(under_way.pop)

    def why_left(self, league: str) -> str:
        """Return why this node leaves rounds of a league to others; empty if it leaves none, or may yet play them."""
        whole, passed = Scope.league(league), self.jobs.passed.items()
        runtimes = {name for scope, lacked in passed if scope.whole == whole for name in lacked}
        if runtimes and self.why_not:
            return self.why_not
        return "; ".join(why for name, why in lacking().items() if name in runtimes)

    def _log_left(self, offers: frozenset[str]) -> None:
        for scope, runtimes in self.jobs.passed.items():
            # What was passed before the cage was tried is offered now.
            lacked = [runtime for runtime in runtimes if runtime not in offers]
            if lacked and scope not in self._logged:
                self._logged.add(scope)
                log.warning("%s is left to other nodes: it needs %s, not offered here", scope, " and ".join(lacked))

    def close(self) -> None:
        """Free what it holds, when no match is played any more."""
        self._stack.close()

    async def _opened(self) -> VersionStarter | None:
        """Start versions from now on, if the cage holds."""
        try:
            cages = self.cages.get()
            held_by = await probe(cages)
            folder = self._stack.enter_context(own_folder(self.folder))
            starter = VersionStarter(self.store, PackCache(self.store, folder), cages)
        except (NoCageError, OSError) as error:
            if isinstance(error, NoCageError):
                self.cages.give_up(str(error))
            self._give_up(str(error))
            return None
        self.seat_provider.starter = starter
        log.info("this node takes submitted bots and bots by path; the cage: %s", held_by)
        return starter

    def _give_up(self, why: str) -> None:
        self.why_not = why
        log.warning("this node plays no bots by path and takes no submitted bots: %s", why)

    async def _qualify(self, job: Job, starter: VersionStarter) -> None:
        async with handled(self.jobs, job):
            await work_on(job, self.jobs, starter)
