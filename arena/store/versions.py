"""Versions of bots: created once, qualified by a job, active, retired or taken out."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import Literal

from arena.store import paging
from arena.store.client import Section
from arena.store.directories import announce
from arena.store.errors import UnknownVersionError, VersionsFullError, VersionStateError
from arena.store.keys import Scope
from arena.store.records import BotVersion, Job, Page, from_hash

MAX_VERSIONS = 1_000
"""How many versions a bot may have, those not counted that did not qualify."""

GIVEN_UP_MS = 600_000
"""How long after its qualification was given up a version that is sent again is tried again."""

_STEPS_MS = 3_600_000
"""How long the steps of a qualification are kept; its report holds them for good."""


class Versions(Section):
    """The versions of all bots."""

    async def create(self, bot: str, version: str, record: bytes, *, owner: str = "", runtime: str = "") -> BotVersion:
        """Record a version, whose pack is there, and queue its qualification; nothing happens when it is there.

        A qualification that was given up, GIVEN_UP_MS before or earlier, is queued again.
        It is made for an `owner`, whose limits it counts against, and qualified by those who offer its `runtime`.
        Raises VersionsFullError, InvalidNameError.
        """
        scope = Scope.version(bot, version)
        # Announced before as well: a version that is queued and known to no node would wait for ever.
        await announce(self._client, scope)

        async def create(limit: int) -> bool:
            status = await self._client.script(
                "create_version",
                [scope.whole.versions, scope.head, scope.jobs],
                [version, record, self._lease_ms, limit, owner, runtime, GIVEN_UP_MS],
            )
            return bool(status != b"full")

        if not await create(MAX_VERSIONS) and not await create(MAX_VERSIONS + await self._failed(bot)):
            raise VersionsFullError(f"bot {bot!r} has {MAX_VERSIONS} versions, and may have no more")
        await announce(self._client, scope)
        return await self.get(bot, version)

    async def _failed(self, bot: str) -> int:
        """Return how many versions did not qualify, which no version comes back from."""
        heads = [Scope.version(bot, version).head for version in await self._names(bot)]
        return [await self._client.call("HGET", head, "status") for head in heads].count(b"failed")

    async def _names(self, bot: str) -> Sequence[str]:
        """Return a bot's versions, the oldest first."""
        raw = await self._client.call("ZRANGE", Scope.version(bot).versions, 0, -1)
        return [version.decode() for version in raw]

    async def get(self, bot: str, version: str) -> BotVersion:
        """Return a version; UnknownVersionError."""
        scope = Scope.version(bot, version)
        head = await self._client.call("HGETALL", scope.head)
        if not head:
            raise UnknownVersionError(bot, version)
        active = await self.active(bot) == version
        return from_hash(BotVersion, head, bot=bot, version=version, active=active)

    async def find(self, bot: str, prefix: str) -> BotVersion:
        """Return the one version whose digest begins so; UnknownVersionError."""
        versions = [version for version in await self._names(bot) if version.startswith(prefix)]
        if len(versions) != 1 or not prefix:
            raise UnknownVersionError(bot, prefix)
        return await self.get(bot, versions[0])

    async def list(self, bot: str) -> tuple[BotVersion, ...]:
        """Return a bot's versions, the oldest first."""
        return await self._read(bot, await self._names(bot))

    async def page(self, bot: str, *, after: str = "", limit: int = 100) -> Page[BotVersion]:
        """List a bot's versions, the oldest first."""
        names, cursor = await paging.scored(self._client, Scope.version(bot).versions, after, limit)
        return Page(await self._read(bot, names), cursor)

    async def _read(self, bot: str, versions: Iterable[str]) -> tuple[BotVersion, ...]:
        return tuple(await asyncio.gather(*(self.get(bot, version) for version in versions)))

    async def note(self, job: Job, step: bytes) -> None:
        """Note a step of a qualification for those who follow it."""
        key = job.scope.steps
        await self._client.call("RPUSH", key, b"%d %s" % (job.fence, step))
        await self._client.call("PEXPIRE", key, _STEPS_MS)

    async def steps(self, bot: str, version: str, seen: int) -> tuple[tuple[int, bytes], ...]:
        """Return the steps noted beyond those that were seen, each with the fence of the job that it was noted for."""
        noted = await self._client.call("LRANGE", Scope.version(bot, version).steps, seen, -1)
        return tuple((int(fence), step) for fence, _, step in (line.partition(b" ") for line in noted))

    async def active(self, bot: str) -> str | None:
        """Return the version that plays where the bot is named without one; None where there is none."""
        raw: bytes | None = await self._client.call("HGET", Scope.version(bot).head, "active")
        return None if raw is None else raw.decode()

    async def activate(self, bot: str, version: str) -> None:
        """Make a qualified version the one that plays; UnknownVersionError, VersionStateError."""
        await self._change(bot, version, "activate")

    async def retire(self, bot: str, version: str) -> None:
        """Keep a version from entering anything until it is activated again; UnknownVersionError, VersionStateError."""
        await self._change(bot, version, "retire")

    async def take_out(self, bot: str, version: str) -> None:
        """Bar a version from playing for good; what it has played stays. UnknownVersionError."""
        await self._change(bot, version, "take_out")

    async def _change(self, bot: str, version: str, change: Literal["activate", "retire", "take_out"]) -> None:
        scope = Scope.version(bot, version)
        answer = await self._client.script("change_version", [scope.whole.head, scope.head], [version, change])
        if not answer:
            raise UnknownVersionError(bot, version)
        allowed, status = answer
        if not allowed:
            raise VersionStateError(
                f"version {version[:12]} of bot {bot!r} is not qualified: {status.decode().replace('_', ' ')}"
            )
