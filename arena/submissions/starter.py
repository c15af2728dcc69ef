"""Starts submitted versions in a node's cages."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from arena.launcher.cage.bot import CagedBot, caged
from arena.launcher.cage.paths import program_in
from arena.packs.errors import VersionTakenOutError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from arena.launcher.cage.cages import Cages
    from arena.launcher.sources import SubmittedBot
    from arena.store import Store
    from arena.stream.hub import Hub
    from arena.submissions.cache import PackCache


class VersionStarter:
    """Starts versions, which are unpacked into `cache`.

    With `any_status` also those that the operator has taken out, and under whatever name they are asked for.
    """

    def __init__(self, store: Store, cache: PackCache, cages: Cages, *, any_status: bool = False) -> None:
        self.cages = cages
        self.cache = cache
        self._store = store
        self._any_status = any_status

    @asynccontextmanager
    async def start(self, hub: Hub, bot: SubmittedBot, label: str) -> AsyncIterator[CagedBot]:
        """A version for one match, which has said Hello; gone afterwards, whatever it started.

        Raises BotStartError and VersionTakenOutError, and what keeps this node from it: CageError, SubmissionError,
        StoreError, OSError.
        """
        known = None if self._any_status else await self._store.versions.get(bot.name, bot.version)
        if known is not None and known.status == "taken_out":
            raise VersionTakenOutError(f"{bot} was taken out by the operator")
        async with (
            self.cache.use(bot.version) as (folder, content),
            caged(self.cages, hub, program_in(folder, content.manifest), label) as started,
        ):
            yield started
