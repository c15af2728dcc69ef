"""Who calls: bots and owners, by the token in the call's metadata."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from typing import Protocol

from msgspec import Struct

from arena.rpc.errors import ApiError, Reason

Metadata = Sequence[tuple[str, str | bytes]]
_SCHEME = "bearer "


class BotIdentity(Struct, frozen=True):
    """The bot that a token belongs to. `owner` groups the bots of one person.

    `token` is the SHA-256 of one that can be revoked, in hex.
    """

    name: str
    owner: str = ""
    token: str = ""

    @property
    def share(self) -> str:
        """Whose share its calls and challenges count in: its owner's; a bot without one has a share of its own."""
        return f"owner:{self.owner}" if self.owner else f"bot:{self.name}"


class OwnerIdentity(Struct, frozen=True):
    """The owner that a token belongs to, who acts for its bots. `token` is as a bot's."""

    name: str
    token: str = ""

    @property
    def share(self) -> str:
        """Whose share its calls and challenges count in."""
        return f"owner:{self.name}"


class Operator(Struct, frozen=True):
    """Whoever holds the arena's store itself, and may do everything there. No token makes an operator."""

    name: str = ""
    token: str = ""
    share: str = ""


Identity = BotIdentity | OwnerIdentity | Operator


class TokenDirectory(Protocol):
    """Finds who a token belongs to."""

    async def lookup(self, token: str) -> Identity | None:
        """Return the bot or owner that the token belongs to, or None for an unknown token."""


class MemoryTokens:
    """A directory in memory, for bots that the node starts itself and for other nodes. Keeps hashes, not tokens."""

    def __init__(self, bots: Mapping[str, BotIdentity] | None = None) -> None:
        self._bots = {_digest(token): bot for token, bot in (bots or {}).items()}

    def issue(self, bot: BotIdentity) -> str:
        """Return a new token for the bot; its earlier tokens end."""
        token = secrets.token_urlsafe(32)
        self._bots = {key: identity for key, identity in self._bots.items() if identity.name != bot.name}
        self._bots[_digest(token)] = bot
        return token

    async def lookup(self, token: str) -> BotIdentity | None:
        """Return the bot that the token belongs to, or None."""
        return self._bots.get(_digest(token))


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def bearer_token(metadata: Metadata) -> str:
    """Return the token of `authorization: Bearer TOKEN`. Raises ApiError TOKEN_MISSING."""
    for key, value in metadata:
        if key == "authorization" and isinstance(value, str) and value[: len(_SCHEME)].lower() == _SCHEME:
            return value[len(_SCHEME) :].strip()
    raise ApiError(
        Reason.TOKEN_MISSING, "the call carries no token; send it in the metadata as `authorization: Bearer TOKEN`"
    )


async def authenticate(metadata: Metadata, directory: TokenDirectory) -> Identity:
    """Return who calls. Raises ApiError TOKEN_MISSING or TOKEN_UNKNOWN."""
    identity = await directory.lookup(bearer_token(metadata))
    if identity is None:
        raise ApiError(Reason.TOKEN_UNKNOWN, "this arena does not know the token; was it replaced by a newer one?")
    return identity


caller: ContextVar[Identity] = ContextVar("caller")
"""Who calls, inside a servicer's method; set before the method runs."""


def calling_owner() -> OwnerIdentity:
    """Return the owner that calls. Raises ApiError OWNER_TOKEN_REQUIRED where a bot does."""
    identity = caller.get()
    if not isinstance(identity, OwnerIdentity):
        raise ApiError(Reason.OWNER_TOKEN_REQUIRED, "the call carries a bot's token, and needs its owner's")
    return identity


def calling_bot() -> BotIdentity:
    """Return the bot that calls. Raises ApiError BOT_TOKEN_REQUIRED where an owner does."""
    identity = caller.get()
    if not isinstance(identity, BotIdentity):
        raise ApiError(Reason.BOT_TOKEN_REQUIRED, "the call carries an owner's token, and needs a bot's own")
    return identity
