"""Signed tables and archives: what exactly is signed of them, and how a reader finds out by whom."""

from collections.abc import Mapping
from typing import Literal, TypeVar

import msgspec

from arena.league.errors import ArchiveError
from arena.league.tables import json_document
from arena.signatures import Signature, Signed, SigningKey, key_text, parse_key, table_payload

SIGNATURE = "signature.json"
"""The member of an archive that holds its signature."""


class ArchiveSignature(msgspec.Struct, frozen=True):
    """The signature of an archive: `key` as `key_text` writes it, `value` in hex."""

    key: str
    value: str


class SignedTable(msgspec.Struct, frozen=True):
    """A league's tables as their arena signs them: `document` is the text of an archive's `table.json`."""

    format: Literal["hanafuda-arena/table/1"]
    league: str
    document: str
    key: str
    value: str


_Signed = TypeVar("_Signed", ArchiveSignature, SignedTable)


def manifest(digests: Mapping[str, str]) -> bytes:
    """What is signed of an archive: a line `SHA-256  MEMBER` for each member but the signature, sorted by member."""
    return "".join(f"{digest}  {name}\n" for name, digest in sorted(digests.items()) if name != SIGNATURE).encode()


def sign_archive(digests: Mapping[str, str], key: SigningKey) -> bytes:
    """The document `signature.json` for an archive with these members."""
    signature = key.sign(Signed.ARCHIVE, manifest(digests))
    return json_document(ArchiveSignature(key_text(signature.key), signature.value.hex()))


def archive_signer(document: bytes, digests: Mapping[str, str]) -> bytes:
    """The public key that signed an archive with these members. Raises ArchiveError where none did."""
    read, signature = _read(document, ArchiveSignature, SIGNATURE)
    if not signature.holds(Signed.ARCHIVE, manifest(digests)):
        raise ArchiveError(f"{SIGNATURE}: this is not the signature of {read.key} under these files")
    return signature.key


def signed_table(league: str, document: bytes, signature: Signature) -> bytes:
    """A table as a JSON document with its signature."""
    return json_document(
        SignedTable("hanafuda-arena/table/1", league, document.decode(), key_text(signature.key), signature.value.hex())
    )


def table_signer(raw: bytes) -> tuple[SignedTable, bytes]:
    """A signed table and the public key that signed it. Raises ArchiveError where it is none, or was altered."""
    table, signature = _read(raw, SignedTable, "this is not a signed table")
    if not signature.holds(Signed.TABLE, table_payload(table.league, table.document.encode())):
        raise ArchiveError(f"the table was altered: its signature is not one by {table.key}")
    return table, signature.key


def _read(document: bytes, kind: type[_Signed], what: str) -> tuple[_Signed, Signature]:
    try:
        decoded = msgspec.json.decode(document, type=kind)
        return decoded, Signature(parse_key(decoded.key), bytes.fromhex(decoded.value))
    except (RecursionError, ValueError) as error:
        raise ArchiveError(f"{what}: {error}") from error
