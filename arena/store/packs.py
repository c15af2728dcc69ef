"""Packed bots, kept once by their content.

An upload is resumable. It is forgotten where nobody goes on with it, and so is a pack of which no version was made.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from arena.store import scripts
from arena.store.errors import UnknownPackError, UploadError
from arena.store.keys import check_name, pack_key, upload_key

if TYPE_CHECKING:
    from arena.store.client import Client

CHUNK = 256 << 10
"""Bytes of a chunk, at most."""
_FORGOTTEN_MS = 3_600_000


class Packs:
    """All packs of a store. A `version` is the SHA-256 of what is packed, which the store believes the caller."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def begin(self, version: str, size: int) -> str | None:
        """Begin the upload of a pack of so many bytes; return its id, or None when the pack is there already."""
        check_name("version", version)
        upload = secrets.token_hex(8)
        pack = pack_key(version)
        keys = [pack, upload_key(version, upload), f"{pack}:chunks"]
        begun = await self._client.script(scripts.BEGIN_UPLOAD, keys, [size, _FORGOTTEN_MS])
        return upload if begun else None

    async def append(self, version: str, upload: str, before: int, chunk: bytes) -> int:
        """Add the chunk that follows `before` bytes; return how many bytes there are, so that a caller can resume.

        Nothing is added where other bytes were expected, or more than the pack has. Raises UploadError.
        """
        head = upload_key(version, upload)
        received = await self._client.script(
            scripts.APPEND_UPLOAD, [head, f"{head}:chunks"], [before, chunk, _FORGOTTEN_MS]
        )
        if received < 0:
            raise UploadError(upload, "it is finished, or has expired")
        return int(received)

    async def uploaded(self, version: str, upload: str) -> bytes:
        """Return what an upload holds so far, for it to be checked."""
        return b"".join(await self._client.call("LRANGE", f"{upload_key(version, upload)}:chunks", 0, -1))

    async def commit(self, version: str, upload: str) -> None:
        """Make an upload the pack; may be called again. UploadError while it is not whole."""
        pack, head = pack_key(version), upload_key(version, upload)
        keys = [pack, f"{pack}:chunks", head, f"{head}:chunks"]
        if not await self._client.script(scripts.COMMIT_UPLOAD, keys, [_FORGOTTEN_MS]):
            raise UploadError(upload, "a part of it is missing")

    async def put(self, version: str, data: bytes) -> None:
        """Upload a whole pack, unless it is there."""
        upload = await self.begin(version, len(data))
        if upload is None:
            return
        for start in range(0, len(data), CHUNK):
            await self.append(version, upload, start, data[start : start + CHUNK])
        await self.commit(version, upload)

    async def keep(self, version: str) -> None:
        """Keep a pack for good: a version is made of it."""
        pack = pack_key(version)
        for key in (pack, f"{pack}:chunks"):
            await self._client.call("PERSIST", key)

    async def get(self, version: str) -> bytes:
        """Return a pack; UnknownPackError."""
        pack = pack_key(version)
        if not await self._client.call("EXISTS", pack):
            raise UnknownPackError(version)
        return b"".join(await self._client.call("LRANGE", f"{pack}:chunks", 0, -1))
