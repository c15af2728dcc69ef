"""Packed bots, kept once by their content.

An upload is resumable. It is forgotten where nobody goes on with it, and so is a pack of which no version was made.
"""

import secrets

import msgspec

from arena.store.client import Section
from arena.store.errors import UnknownPackError, UploadError
from arena.store.keys import check_name, pack_key, upload_key

CHUNK = 256 << 10
"""Bytes of a chunk, at most."""
FORGOTTEN_MS = 3_600_000
"""How long an upload is kept with which nobody goes on."""
_OVER = "it is finished, or has expired"


class Upload(msgspec.Struct, frozen=True):
    """An upload under way: how many bytes the pack has, how many are there, and the pack's SHA-256 in hex, if known."""

    size: int
    received: int
    sha256: str
    started_us: str
    """Differs from that of any other upload of this id."""


class Packs(Section):
    """All packs of a store. A `version` is the SHA-256 of what is packed, which the store believes the caller."""

    async def go_on(self, version: str, upload: str, size: int, sha256: str = "") -> int | None:
        """Begin an upload under an id that the caller chooses, or go on with it; return how many bytes are there.

        None when the pack is there already. An upload of another size or SHA-256 begins anew. InvalidNameError.
        """
        check_name("version", version)
        pack, head = pack_key(version), upload_key(version, upload)
        keys = [pack, head, f"{pack}:chunks", f"{head}:chunks"]
        received = await self._client.script("begin_upload", keys, [size, FORGOTTEN_MS, sha256])
        return None if received < 0 else int(received)

    async def upload(self, version: str, upload: str) -> Upload:
        """Return how far an upload is; UploadError where there is none."""
        fields = ("size", "received", "sha256", "begun")
        size, received, sha256, started_us = await self._client.call("HMGET", upload_key(version, upload), *fields)
        if size is None:
            raise UploadError(upload, _OVER)
        return Upload(int(size), int(received), sha256.decode(), started_us.decode())

    async def drop(self, version: str, upload: str) -> None:
        """Forget an upload."""
        head = upload_key(version, upload)
        await self._client.call("DEL", head, f"{head}:chunks")

    async def append(self, version: str, upload: str, before: int, chunk: bytes) -> int:
        """Add the chunk that follows `before` bytes; return how many bytes there are, so that a caller can resume.

        Nothing is added where other bytes were expected, or more than the pack has. Raises UploadError.
        """
        head = upload_key(version, upload)
        received = await self._client.script("append_upload", [head, f"{head}:chunks"], [before, chunk, FORGOTTEN_MS])
        if received < 0:
            raise UploadError(upload, _OVER)
        return int(received)

    async def uploaded(self, version: str, upload: str) -> bytes:
        """Return what an upload holds so far, for it to be checked."""
        return b"".join(await self._client.call("LRANGE", f"{upload_key(version, upload)}:chunks", 0, -1))

    async def commit(self, version: str, upload: str, started_us: str = "") -> None:
        """Make an upload the pack; may be called again.

        Raises UploadError while it is not whole, and when it is no longer the one that was `started_us`.
        """
        pack, head = pack_key(version), upload_key(version, upload)
        keys = [pack, f"{pack}:chunks", head, f"{head}:chunks"]
        if not await self._client.script("commit_upload", keys, [FORGOTTEN_MS, started_us]):
            raise UploadError(upload, "a part of it is missing")

    async def put(self, version: str, data: bytes) -> None:
        """Upload a whole pack, unless it is there."""
        upload = secrets.token_hex(8)
        if await self.go_on(version, upload, len(data)) is None:
            return
        for start in range(0, len(data), CHUNK):
            await self.append(version, upload, start, data[start : start + CHUNK])
        await self.commit(version, upload)

    async def keep(self, version: str) -> None:
        """Keep a pack for good: a version is made of it."""
        pack = pack_key(version)
        # In this order: a pack of which only the chunks are kept counts as missing when it expires, and can come again.
        for key in (f"{pack}:chunks", pack):
            await self._client.call("PERSIST", key)

    async def exists(self, version: str) -> bool:
        """Return whether a pack is there."""
        return bool(await self._client.call("EXISTS", pack_key(version)))

    async def size(self, version: str) -> int:
        """Return how many bytes a pack has; UnknownPackError."""
        size = await self._client.call("HGET", pack_key(version), "size")
        if size is None:
            raise UnknownPackError(version)
        return int(size)

    async def get(self, version: str) -> bytes:
        """Return a pack; UnknownPackError."""
        if not await self.exists(version):
            raise UnknownPackError(version)
        return b"".join(await self._client.call("LRANGE", f"{pack_key(version)}:chunks", 0, -1))
