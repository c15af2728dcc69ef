"""Starts submitted versions in a node's cages."""

import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from arena.launcher.cage.bot import CagedBot, caged
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.paths import program_in
from arena.launcher.output import MatchOutput
from arena.launcher.sources import SubmittedBot
from arena.packs.errors import VersionTakenOutError
from arena.seats.processors import Processors
from arena.store import Store
from arena.store.errors import StoreError
from arena.store.outputs import Output, OutputPart
from arena.stream.hub import Hub
from arena.submissions.cache import PackCache

log = logging.getLogger(__name__)


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
    async def start(
        self, hub: Hub, bot: SubmittedBot, label: str, match_id: str = "", *, aside: bool = False
    ) -> AsyncIterator[CagedBot]:
        """A version for one match, which has said Hello; gone afterwards, whatever it started.

        What it writes is kept for its owner, by the match; without one it is that of its qualification. One that plays
        `aside` takes no place to think, and gets what others leave of the processors.
        Raises BotStartError and VersionTakenOutError, and what keeps this node from it: CageError, SubmissionError,
        StoreError, OSError.
        """
        stored = None if self.any_status else await self.store.versions.get(bot.name, bot.version)
        if stored is not None and stored.status == "taken_out":
            raise VersionTakenOutError(f"{bot} was taken out by the operator")
        limits, processors = (self.cages.limits.aside(), Processors(1)) if aside else (None, None)
        output = MatchOutput()
        async with (
            self._keeping(bot, match_id, output),
            self.cache.use(bot.version) as (folder, manifest),
            caged(self.cages, hub, program_in(folder, manifest), label, limits, output, processors) as started,
        ):
            yield started

    @asynccontextmanager
    async def _keeping(self, bot: SubmittedBot, match_id: str, output: MatchOutput) -> AsyncIterator[None]:
        """Keep what a version has written when it is gone. Without a store that answers it is lost, and logged."""
        try:
            yield
        finally:
            if parts := output.parts():
                stored = Output(
                    version=bot.version,
                    match=match_id,
                    ended_us=time.time_ns() // 1000,
                    parts=tuple(OutputPart(*part) for part in parts),
                    left_out=output.left_out,
                )
                try:
                    await self.store.outputs.add(bot.name, stored)
                except StoreError as error:
                    log.warning("what %s wrote in match %s is lost: %s", bot, match_id or "its qualification", error)
