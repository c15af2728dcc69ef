"""Registered bots and their tokens."""

import time
from operator import attrgetter

import msgspec

from arena.challenges import Challenges
from arena.store import paging
from arena.store.errors import BotExistsError, UnknownBotError
from arena.store.keys import BOT_CHALLENGES, BOT_VARIANTS, BOTS, bots_of_owner, check_name
from arena.store.records import Bot, Page
from arena.store.tokens import BOT, Accounts


class Bots(Accounts[Bot]):
    """All registered bots of a store."""

    record = Bot
    kind, keys, prefix = "bot", BOTS, BOT
    exists, unknown = BotExistsError, UnknownBotError
    owner_of = attrgetter("owner")

    async def create(self, name: str, *, owner: str = "", stateless: bool = False) -> tuple[Bot, str]:
        """Register a bot; return it with its token, which is shown this once.

        Raises BotExistsError, InvalidNameError, OwnerEndedError.
        """
        bot = Bot(name, owner, time.time_ns() // 1000, stateless)
        return bot, await self._register(name, bot, *([bots_of_owner(owner)] if owner else []))

    async def list(self, *, owner: str = "", after: str = "", limit: int = 100) -> Page[Bot]:
        """List bots by name; those of one owner, or all. InvalidNameError."""
        index = bots_of_owner(check_name("owner", owner)) if owner else BOTS.names
        names, cursor = await paging.names(self._client, index, after, limit)
        return Page(await self._read(names), cursor)

    async def take_challenges(self, name: str, challenges: Challenges) -> None:
        """Set whose challenges the bot accepts; UnknownBotError."""
        await self.get(name)
        await self._client.call("HSET", BOT_CHALLENGES, name, challenges)

    async def challenges(self, name: str) -> Challenges:
        """Return whose challenges the bot accepts: by default, those of its owner's bots."""
        raw = await self._client.call("HGET", BOT_CHALLENGES, name)
        return Challenges.OWNER if raw is None else Challenges(raw.decode())

    async def keep_variants(self, name: str, variants: tuple[str, ...]) -> None:
        """Store the variants (none: all) that the bot says it plays."""
        await self._client.call("HSET", BOT_VARIANTS, name, msgspec.msgpack.encode(variants))

    async def variants(self, name: str) -> tuple[str, ...] | None:
        """Return the variants (none: all) that the bot said it plays when it last connected; None if it never did."""
        raw = await self._client.call("HGET", BOT_VARIANTS, name)
        return None if raw is None else msgspec.msgpack.decode(raw, type=tuple[str, ...])
