"""Registered bots and their tokens."""

import time

import msgspec

from arena.challenges import Challenges
from arena.store import paging
from arena.store.client import Section
from arena.store.errors import BotExistsError, UnknownBotError, UnknownTokenError
from arena.store.keys import (
    BOT_CHALLENGES,
    BOT_FOLDED,
    BOT_HASHES,
    BOT_NAMES,
    BOT_RECORDS,
    BOT_TOKENS,
    BOT_VARIANTS,
    REVOCATIONS,
    bots_of_owner,
    check_name,
)
from arena.store.records import Bot, Page
from arena.store.tokens import BOT, new_token, token_hash


class Bots(Section):
    """All registered bots of a store."""

    async def create(self, name: str, *, owner: str = "", stateless: bool = False) -> tuple[Bot, str]:
        """Register a bot; return it with its token, which is shown this once. BotExistsError, InvalidNameError."""
        check_name("bot", name)
        bot = Bot(name, owner, time.time_ns() // 1000, stateless)
        token = new_token(BOT)
        taken = await self._client.script(
            "register",
            [BOT_RECORDS, BOT_TOKENS, BOT_HASHES, BOT_FOLDED, BOT_NAMES, *([bots_of_owner(owner)] if owner else [])],
            [name, msgspec.msgpack.encode(bot), token_hash(token, BOT)],
        )
        if taken:
            raise BotExistsError(taken.decode(), name)
        return bot, token

    async def get(self, name: str) -> Bot:
        """Return a bot; UnknownBotError."""
        raw = await self._client.call("HGET", BOT_RECORDS, name)
        if raw is None:
            raise UnknownBotError(name)
        return msgspec.msgpack.decode(raw, type=Bot)

    async def list(self, *, owner: str = "", after: str = "", limit: int = 100) -> Page[Bot]:
        """List bots by name; those of one owner, or all. InvalidNameError."""
        index = bots_of_owner(check_name("owner", owner)) if owner else BOT_NAMES
        names, cursor = await paging.names(self._client, index, after, limit)
        raw = await self._client.call("HMGET", BOT_RECORDS, *names) if names else []
        return Page(tuple(msgspec.msgpack.decode(one, type=Bot) for one in raw), cursor)

    async def authenticate(self, token: str) -> Bot:
        """Return the bot whose token this is; MalformedTokenError, UnknownTokenError.

        The token is looked up by its hash, so that the time taken tells nothing of other tokens.
        """
        name = await self._client.call("HGET", BOT_TOKENS, token_hash(token, BOT))
        if name is None:
            raise UnknownTokenError("bot")
        return await self.get(name.decode())

    async def rotate(self, name: str) -> str:
        """Give the bot another token and return it; the old one stops working at once. UnknownBotError."""
        token = new_token(BOT)
        keys = [BOT_RECORDS, BOT_TOKENS, BOT_HASHES, REVOCATIONS]
        if not await self._client.script("change_token", keys, [name, token_hash(token, BOT)]):
            raise UnknownBotError(name)
        return token

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
