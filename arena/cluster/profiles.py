"""Which variants connected bots play, kept in the store for when they are away."""

import asyncio
import logging

from arena.cluster.peers import is_own
from arena.store.bots import Bots
from arena.store.errors import StoreError
from arena.stream.hub import Hub

_AWAY_S = 1.0

log = logging.getLogger(__name__)


class BotProfiles:
    """Keeps the variants that each bot declared in its last Hello."""

    def __init__(self, hub: Hub, bots: Bots) -> None:
        self._hub = hub
        self._bots = bots
        self._unwritten: dict[str, tuple[str, ...]] = {}
        """Variants that bots have declared and that are not yet stored."""
        self._wake = asyncio.Event()
        hub.listen(self._on_bot)

    async def run(self) -> None:
        """Store what bots declare, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._write()
            except StoreError as error:
                log.warning("cannot store which variants bots play: %s", error)
                await asyncio.sleep(_AWAY_S)
                self._wake.set()

    async def _write(self) -> None:
        while self._unwritten:
            name, variants = next(iter(self._unwritten.items()))
            await self._bots.keep_variants(name, variants)
            if self._unwritten[name] == variants:
                del self._unwritten[name]

    def _on_bot(self, name: str, connected: bool) -> None:
        bot = self._hub.find(name)
        if connected and bot is not None and not is_own(name):
            self._unwritten[name] = bot.variants
            self._wake.set()
