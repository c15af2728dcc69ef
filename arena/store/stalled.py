"""Jobs that nobody works on: those that were given up, and those that wait for a node with the runtimes they need."""

import asyncio

from arena.store.client import Section
from arena.store.directories import announce
from arena.store.errors import InvalidCursorError
from arena.store.keys import LADDER_WORK, VERSION_WORK, WORK, Scope
from arena.store.records import Page, ParkedJob, read_work

_PLACES = (WORK, LADDER_WORK, VERSION_WORK)


class StalledJobs(Section):
    """All jobs that need an operator or another node."""

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

    async def requeue(self, parked: ParkedJob) -> bool:
        """Try a parked job again, as if never tried; False where it is not parked any more."""
        scope = parked.scope
        queued = await self._client.script("requeue", [scope.jobs, scope.parked], [parked.id])
        await announce(self._client, scope)
        return bool(queued)

    async def waits_for(self, scope: Scope) -> tuple[str, ...]:
        """Return the runtimes that a round, or a version's qualification, needs while nobody works on it; else none."""
        runtimes = await self._client.script("waits_for", [scope.head, scope.jobs, scope.backlog], [])
        return tuple(runtimes.decode().split())

    async def is_idle(self, scope: Scope) -> bool:
        """Return whether a round has jobs on which nobody works."""
        return bool(await self._client.script("waits_for", [scope.head, scope.jobs, scope.backlog], ["any"]))

    async def waiting(self) -> dict[Scope, tuple[str, ...]]:
        """Return all rounds and versions on which nobody works, with the runtimes that they need."""
        names = [name for place in _PLACES for name in await self._client.call("ZRANGE", place, 0, -1)]
        scopes = [Scope.parse(name.decode()) for name in names]
        needed = await asyncio.gather(*map(self.waits_for, scopes))
        return {scope: runtimes for scope, runtimes in zip(scopes, needed, strict=True) if runtimes}
