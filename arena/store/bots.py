"""Registered bots, their tokens and versions. Of a token only its SHA-256 is stored."""

from __future__ import annotations

import base64
import hashlib
import secrets
import time
import zlib
from typing import TYPE_CHECKING

import msgspec

from arena.store import paging, scripts
from arena.store.errors import (
    BotExistsError,
    MalformedTokenError,
    UnknownBotError,
    UnknownTokenError,
)
from arena.store.keys import (
    BOT_HASHES,
    BOT_NAMES,
    BOT_RECORDS,
    BOT_TOKENS,
    BOT_VARIANTS,
    check_name,
)
from arena.store.records import Bot, Page

if TYPE_CHECKING:
    from arena.store.client import Client

_PREFIX = "hfa_"
_RANDOM = 32
_CHECK = 4


def new_token() -> str:
    """Draw a token: `hfa_`, then 32 random bytes and their CRC-32 in base64url, 52 characters in all."""
    drawn = secrets.token_bytes(_RANDOM)
    return _PREFIX + base64.urlsafe_b64encode(drawn + zlib.crc32(drawn).to_bytes(_CHECK, "big")).decode()


def token_hash(token: str) -> str:
    """Return the SHA-256 of a token in hex; MalformedTokenError when it was cut or mistyped."""
    body = token.removeprefix(_PREFIX)
    try:
        raw = base64.b64decode(body.encode("ascii"), altchars=b"-_", validate=True)
    except ValueError:
        raise MalformedTokenError from None
    drawn, check = raw[:_RANDOM], raw[_RANDOM:]
    if body == token or zlib.crc32(drawn).to_bytes(_CHECK, "big") != check:
        raise MalformedTokenError
    return hashlib.sha256(token.encode("ascii")).hexdigest()


class Bots:
    """All registered bots of a store."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def create(self, name: str, *, owner: str = "", stateless: bool = False) -> tuple[Bot, str]:
        """Register a bot; return it with its token, which is shown this once. BotExistsError, InvalidNameError."""
        check_name("bot", name)
        bot = Bot(name, owner, time.time_ns() // 1000, stateless)
        token = new_token()
        made = await self._client.script(
            scripts.CREATE_BOT,
            [BOT_NAMES, BOT_RECORDS, BOT_TOKENS, BOT_HASHES],
            [name, msgspec.msgpack.encode(bot), token_hash(token)],
        )
        if not made:
            raise BotExistsError(name)
        return bot, token

    async def get(self, name: str) -> Bot:
        """Return a bot; UnknownBotError."""
        raw = await self._client.call("HGET", BOT_RECORDS, name)
        if raw is None:
            raise UnknownBotError(name)
        return msgspec.msgpack.decode(raw, type=Bot)

    async def list(self, *, after: str = "", limit: int = 100) -> Page[Bot]:
        """List bots by name."""
        names, cursor = await paging.names(self._client, BOT_NAMES, after, limit)
        raw = await self._client.call("HMGET", BOT_RECORDS, *names) if names else []
        return Page(tuple(msgspec.msgpack.decode(one, type=Bot) for one in raw), cursor)

    async def authenticate(self, token: str) -> Bot:
        """Return the bot whose token this is; MalformedTokenError, UnknownTokenError.

        The token is looked up by its hash, so that the time taken tells nothing of other tokens.
        """
        name = await self._client.call("HGET", BOT_TOKENS, token_hash(token))
        if name is None:
            raise UnknownTokenError
        return await self.get(name.decode())

    async def rotate(self, name: str) -> str:
        """Give the bot another token and return it; the old one is worth nothing at once. UnknownBotError."""
        token = new_token()
        await self._change(name, token_hash(token))
        return token

    async def revoke(self, name: str) -> None:
        """Take the bot's token away; UnknownBotError."""
        await self._change(name, "")

    async def _change(self, name: str, hashed: str) -> None:
        keys = [BOT_RECORDS, BOT_TOKENS, BOT_HASHES]
        if not await self._client.script(scripts.CHANGE_TOKEN, keys, [name, hashed]):
            raise UnknownBotError(name)

    async def keep_variants(self, name: str, variants: tuple[str, ...]) -> None:
        """Keep which variants (none: all) the bot says it plays."""
        await self._client.call("HSET", BOT_VARIANTS, name, msgspec.msgpack.encode(variants))

    async def variants(self, name: str) -> tuple[str, ...] | None:
        """Return the variants (none: all) that the bot said it plays when it last connected; None if it never did."""
        raw = await self._client.call("HGET", BOT_VARIANTS, name)
        return None if raw is None else msgspec.msgpack.decode(raw, type=tuple[str, ...])
