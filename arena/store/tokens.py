"""Tokens of bots and owners. Only their SHA-256 is stored."""

import base64
import hashlib
import secrets
import zlib
from collections.abc import Sequence
from operator import attrgetter
from typing import ClassVar, Generic, Literal

import msgspec

from arena.store.client import Section, Value
from arena.store.errors import MalformedTokenError, NameExistsError, OwnerEndedError, UnknownError, UnknownTokenError
from arena.store.keys import BOTS, OWNERS, OWNERS_ENDED, REVOCATIONS, Registry, check_name
from arena.store.records import Record

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


class Accounts(Section, Generic[Record]):
    """All bots, or all owners, of a store: each has a name, a record and a token."""

    record: type[Record]
    kind: ClassVar[Literal["bot", "owner"]]
    keys: ClassVar[Registry]
    prefix: ClassVar[Prefix]
    exists: ClassVar[type[NameExistsError]]
    unknown: ClassVar[type[UnknownError]]
    owner_of: ClassVar["attrgetter[str]"]
    """By the record, the owner with whom its token ends; '' where there is none."""

    async def get(self, name: str) -> Record:
        """Return who has the name; UnknownBotError or UnknownOwnerError."""
        [record] = await self._read([name])
        return record

    async def _read(self, names: Sequence[str]) -> tuple[Record, ...]:
        """Return those of these names; UnknownBotError or UnknownOwnerError."""
        records = await self._client.call("HMGET", self.keys.records, *names) if names else []
        for name, raw in zip(names, records, strict=True):
            if raw is None:
                raise self.unknown(name)
        return tuple(msgspec.msgpack.decode(raw, type=self.record) for raw in records)

    async def authenticate(self, token: str) -> Record:
        """Return whose token this is; MalformedTokenError, UnknownTokenError.

        The token is looked up by its hash, so that the time taken reveals nothing about other tokens.
        """
        name = await self._client.call("HGET", self.keys.tokens, token_hash(token, self.prefix))
        if name is None:
            raise UnknownTokenError(f"this token belongs to no {self.kind}")
        return await self.get(name.decode())

    async def rotate(self, name: str) -> str:
        """Replace a token and return the new one; the old one stops working at once.

        Raises UnknownBotError, UnknownOwnerError, OwnerEndedError.
        """
        owner = self.owner_of(await self.get(name))
        token = new_token(self.prefix)
        keys = [self.keys.tokens, self.keys.hashes, REVOCATIONS, OWNERS_ENDED]
        if not await self._client.script("change_token", keys, [name, token_hash(token, self.prefix), owner]):
            raise OwnerEndedError(owner)
        return token

    async def _register(self, name: str, record: Record, *indexes: str) -> str:
        """Store a new record, with its name in further `indexes`, and return its token.

        Raises `exists`, InvalidNameError, OwnerEndedError.
        """
        check_name(self.kind, name)
        token = new_token(self.prefix)
        owner = self.owner_of(record)
        keys = [self.keys.records, self.keys.tokens, self.keys.hashes, self.keys.folded, OWNERS_ENDED]
        keys += [self.keys.names, *indexes]
        args: list[Value] = [name, msgspec.msgpack.encode(record), token_hash(token, self.prefix), owner]
        answer = await self._client.script("register", keys, args)
        if answer == 0:
            raise OwnerEndedError(owner)
        if taken := answer.decode():
            raise self.exists(name, taken)
        return token


class Tokens(Section):
    """The tokens of a store, by their SHA-256 in hex."""

    async def revocations(self) -> int:
        """Return a number that rises whenever tokens are revoked."""
        return int(await self._client.call("GET", REVOCATIONS) or 0)

    async def revoked(self, hashes: Sequence[str]) -> set[str]:
        """Return those of the tokens that belong to nobody any more."""
        if not hashes:
            return set()
        bots = await self._client.call("HMGET", BOTS.tokens, *hashes)
        owners = await self._client.call("HMGET", OWNERS.tokens, *hashes)
        return {
            digest for digest, bot, owner in zip(hashes, bots, owners, strict=True) if bot is None and owner is None
        }
