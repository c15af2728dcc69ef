"""Whose jobs are claimed next: leagues get even shares, and owners take turns."""

import asyncio
from collections.abc import Collection

from arena.store.cage_policy import CagePolicy
from arena.store.claims import Claims
from arena.store.client import Client
from arena.store.directories import announce, poll
from arena.store.keys import LADDER_WORK, MATCH_OWNERS, VERSION_WORK, WORK, Scope, open_matches_of_owner
from arena.store.open_matches import owner_of
from arena.store.records import Job

_SCOPES_A_POLL = 64
_BUSY_US = 1_000_000
"""Microseconds to the next look at a version whose owner already has another one being qualified."""


class Turns:
    """Shares what there is to claim among those who have some."""

    def __init__(self, client: Client, claims: Claims) -> None:
        self._client = client
        self._claims = claims
        self._last_turns: dict[str, int] = {}
        """The number of each owner's last turn at a qualification here."""

    async def leagues(self, limit: int, runtimes: Collection[str] | None, without: Collection[Scope]) -> list[Job]:
        """Lease up to `limit` jobs of leagues, an even share of each, so that a large one holds up no small one."""
        return await self._divisions(WORK, limit, runtimes, without)

    async def ladders(self, limit: int, runtimes: Collection[str] | None) -> list[Job]:
        """Lease up to `limit` jobs of ladders, an even share of each."""
        return await self._divisions(LADDER_WORK, limit, runtimes, ())

    async def _divisions(
        self, directory: str, limit: int, runtimes: Collection[str] | None, without: Collection[Scope]
    ) -> list[Job]:
        jobs: list[Job] = []
        polled = await poll(self._client, directory, _SCOPES_A_POLL + len(without)) if limit > 0 else []
        leagues = [due for due in polled if Scope.parse(due.name) not in without]
        for number, due in enumerate(leagues):
            room = limit - len(jobs)
            if room <= 0:
                break
            jobs += await self._claims.of_due(due, _share(room, len(leagues) - number), runtimes)
        return jobs

    async def singles(self, limit: int, cages: CagePolicy) -> list[Job]:
        """Lease up to `limit` single matches, an even share of each owner who has some."""
        jobs: list[Job] = []
        owners = await poll(self._client, MATCH_OWNERS, min(limit, _SCOPES_A_POLL)) if limit > 0 else []
        for number, (owner, _) in enumerate(owners):
            room = limit - len(jobs)
            if room <= 0:
                break
            offered = cages.offered(owner)
            if cages.leaves(owner, offered):
                continue
            directory = open_matches_of_owner(owner)
            leased: list[Job] = []
            for due in await poll(self._client, directory, _share(room, len(owners) - number)):
                leased += await self._claims.of_due(due, 1, cages.remaining(offered, leased), owner=owner)
            if not leased and self._claims.passed_singles:
                cages.leave(owner, offered)
            jobs += leased
            await self._client.script("rest_owner", [MATCH_OWNERS, directory], [owner])
        return jobs

    async def versions(self, busy: Collection[str], runtimes: Collection[str] | None) -> tuple[Job, str] | None:
        """Lease a version that is to be qualified: its job, and the owner whose turn it is. `busy` owners wait."""
        versions = await poll(self._client, VERSION_WORK, _SCOPES_A_POLL)
        scopes = [Scope.parse(due.name) for due in versions]
        owners = await asyncio.gather(*(owner_of(self._client, scope) for scope in scopes))
        waiting = [
            (owner or scope.name, scope, due) for owner, scope, due in zip(owners, scopes, versions, strict=True)
        ]
        for owner, scope, due in sorted(waiting, key=lambda version: self._last_turns.get(version[0], 0)):
            if owner in busy:
                await announce(self._client, scope, _BUSY_US, due.score)
            elif leased := await self._claims.of_due(due, 1, runtimes):
                self._last_turns[owner] = max(self._last_turns.values(), default=0) + 1
                return leased[0], owner
        return None


def _share(room: int, count: int) -> int:
    """Return an even share of the room, rounded up."""
    return -(-room // count)
