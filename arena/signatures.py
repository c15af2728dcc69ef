"""Signatures of an arena: Ed25519 over what it publishes, so that a stranger can tell whose results these are.

What is signed is the UTF-8 text of three lines joined by `\\n`: `hanafuda-arena/signature/1`, what the payload is (a
`Signed`), and the payload's SHA-256 in lower-case hex.
"""

import re
from enum import StrEnum
from hashlib import sha256

from msgspec import Struct

SECRET_BYTES = 32
_KEY = re.compile("hfk_[0-9a-f]{64}")


class SignatureError(ValueError):
    """A key is not one, or something is not signed as it has to be."""


class Signed(StrEnum):
    """What is signed: a signature of one kind of thing says nothing about another."""

    REPLAY = "replay"
    TABLE = "table"
    ARCHIVE = "archive"


class Signature(Struct, frozen=True):
    """A public key (32 bytes) and its signature (64 bytes)."""

    key: bytes
    value: bytes

    def holds(self, what: Signed, payload: bytes) -> bool:
        """Whether the holder of `key` signed the payload as such."""
        from nacl import signing  # it takes long to import, and most replays bear no signature
        from nacl.exceptions import BadSignatureError

        try:
            signing.VerifyKey(self.key).verify(_message(what, payload), self.value)
        except (BadSignatureError, ValueError):  # ValueError: those bytes are not a key, or not a signature
            return False
        return True


class SigningKey:
    """A key that signs, made from its 32 secret bytes."""

    def __init__(self, secret: bytes) -> None:
        from nacl import signing

        self._key = signing.SigningKey(secret)
        self.public = bytes(self._key.verify_key)

    def sign(self, what: Signed, payload: bytes) -> Signature:
        """The signature of a payload. The same each time: Ed25519 draws nothing."""
        return Signature(self.public, self._key.sign(_message(what, payload)).signature)


def key_text(key: bytes) -> str:
    """A public key as people pass it on: `hfk_` and 64 hex digits."""
    return f"hfk_{key.hex()}"


def parse_key(text: str) -> bytes:
    """The public key that `key_text` wrote. Raises SignatureError."""
    if _KEY.fullmatch(text) is None:
        raise SignatureError(f"{text!r} is not a signing key: hfk_ and 64 hex digits")
    return bytes.fromhex(text.removeprefix("hfk_"))


def table_payload(league: str, document: bytes) -> bytes:
    """What is signed of a league's tables: its name, a line feed, and the document."""
    return league.encode() + b"\n" + document


def _message(what: Signed, payload: bytes) -> bytes:
    return f"hanafuda-arena/signature/1\n{what}\n{sha256(payload).hexdigest()}".encode()
