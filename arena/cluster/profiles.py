"""Which variants connected bots play, kept in the store for when they are away."""

import asyncio

from arena.cluster.peers import is_own
from arena.rpc.identity import BotIdentity
from arena.store.bots import Bots
from arena.stream.hub import Hub


class BotProfiles:
    """Keeps the variants that each bot declared in its last Hello."""

    def __init__(self, hub: Hub, bots: Bots) -> None:
        self._hub = hub
        self._bots = bots
        self._unwritten: dict[str, tuple[str, ...]] = {}
        """Variants that bots have declared and that are not yet stored."""
        self._wake = asyncio.Event()
        hub.listen(self._on_bot)

    async def write(self) -> None:
        """Store what bots declare, when there is something. Raises StoreError."""
        if not self._unwritten:
            self._wake.clear()
            await self._wake.wait()
        while self._unwritten:
            name, variants = next(iter(self._unwritten.items()))
            await self._bots.keep_variants(name, variants)
            if self._unwritten[name] == variants:
                del self._unwritten[name]

    def _on_bot(self, bot: BotIdentity, connected: bool) -> None:
        profile = self._hub.find(bot.name)
        if connected and profile is not None and not is_own(bot.name):
            self._unwritten[bot.name] = profile.variants
            self._wake.set()
