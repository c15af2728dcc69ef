"""Starts submitted versions in a node's cages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from arena.launcher.cage.bot import CagedBot, caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.paths import program_in
from arena.launcher.sources import SubmittedBot
from arena.packs.errors import VersionTakenOutError
from arena.seats.processors import Processors
from arena.store import Store
from arena.stream.hub import Hub
from arena.submissions.cache import PackCache


@dataclass(frozen=True)
class VersionStarter:
    """Starts versions, which are unpacked into `cache`.

    With `any_status` also those that the operator has taken out, and under whatever name they are asked for.
    """

    store: Store
    cache: PackCache
    cages: Cages
    any_status: bool = False

    @asynccontextmanager
    async def start(self, hub: Hub, bot: SubmittedBot, label: str, *, aside: bool = False) -> AsyncIterator[CagedBot]:
        """A version for one match, which has said Hello; gone afterwards, whatever it started.

        One that plays `aside` takes no place to think, and gets what others leave of the processors.
        Raises BotStartError and VersionTakenOutError, and what keeps this node from it: CageError, SubmissionError,
        StoreError, OSError.
        """
        known = None if self.any_status else await self.store.versions.get(bot.name, bot.version)
        if known is not None and known.status == "taken_out":
            raise VersionTakenOutError(f"{bot} was taken out by the operator")
        limits, processors = (self.cages.limits.aside(), Processors(1)) if aside else (None, None)
        async with (
            self.cache.use(bot.version) as (folder, manifest),
            caged(self.cages, hub, program_in(folder, manifest), label, limits, processors=processors) as started,
        ):
            yield started
