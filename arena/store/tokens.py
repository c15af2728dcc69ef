"""Tokens of bots and owners. Only their SHA-256 is stored."""

import base64
import hashlib
import secrets
import zlib
from collections.abc import Sequence
from typing import Literal

from arena.store.client import Section
from arena.store.errors import MalformedTokenError
from arena.store.keys import BOT_TOKENS, OWNER_TOKENS, REVOCATIONS

Prefix = Literal["hfa_", "hfo_"]

BOT: Prefix = "hfa_"
OWNER: Prefix = "hfo_"
_RANDOM = 32
_CHECK = 4


def new_token(prefix: Prefix) -> str:
    """Draw a token: its prefix, then 32 random bytes and their CRC-32 in base64url, 52 characters in all."""
    drawn = secrets.token_bytes(_RANDOM)
    return prefix + base64.urlsafe_b64encode(drawn + zlib.crc32(drawn).to_bytes(_CHECK, "big")).decode()


def token_hash(token: str, prefix: Prefix) -> str:
    """Return the SHA-256 of a token in hex; MalformedTokenError when it was cut or mistyped, or is of another kind."""
    body = token.removeprefix(prefix)
    try:
        raw = base64.b64decode(body.encode("ascii"), altchars=b"-_", validate=True)
    except ValueError:
        raise MalformedTokenError from None
    drawn, check = raw[:_RANDOM], raw[_RANDOM:]
    if body == token or zlib.crc32(drawn).to_bytes(_CHECK, "big") != check:
        raise MalformedTokenError
    return hashlib.sha256(token.encode("ascii")).hexdigest()


class Tokens(Section):
    """The tokens of a store, by their SHA-256 in hex."""

    async def revocations(self) -> int:
        """Return a number that rises whenever tokens are revoked."""
        return int(await self._client.call("GET", REVOCATIONS) or 0)

    async def revoked(self, hashes: Sequence[str]) -> set[str]:
        """Return those of the tokens that belong to nobody any more."""
        if not hashes:
            return set()
        bots = await self._client.call("HMGET", BOT_TOKENS, *hashes)
        owners = await self._client.call("HMGET", OWNER_TOKENS, *hashes)
        return {one for one, bot, owner in zip(hashes, bots, owners, strict=True) if bot is None and owner is None}
