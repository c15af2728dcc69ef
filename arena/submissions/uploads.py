"""Packs that owners upload in chunks: any node can continue an upload, and checks the whole."""

import asyncio
import hashlib

from arena.packs.errors import ManifestError, PackError, UploadIncompleteError
from arena.packs.packing import check
from arena.store import BotVersion, Store, Submission
from arena.store.errors import (
    NameTakenError,
    OwnerLimitError,
    UnknownBotError,
    UnknownVersionError,
    UploadError,
)
from arena.store.packs import Upload
from arena.submissions.submit import record, secure
from bots import is_house_name


class Uploads:
    """The uploads of all owners. An owner has one upload of a version, which nobody else can name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._checking = asyncio.Semaphore(1)
        """A pack that is checked is in memory."""

    async def begin(self, owner: str, submission: Submission) -> int:
        """Begin an upload or go on with it; return how many bytes are there.

        Raises OwnerEndedError, NameTakenError, OwnerLimitError, InvalidNameError.
        """
        await self._admit(owner, submission)
        received = await self._store.packs.go_on(submission.version, _upload(owner), submission.size, submission.sha256)
        return submission.size if received is None else received

    async def append(self, owner: str, version: str, before: int, chunk: bytes) -> int:
        """Add the chunk that follows `before` bytes; return how many bytes there are. UploadError."""
        return await self._store.packs.append(version, _upload(owner), before, chunk)

    async def finish(self, owner: str, bot: str, version: str) -> BotVersion:
        """Check an upload and make it a version of its bot, which becomes the owner's if it is nobody's.

        May be called again. An upload that is refused is forgotten. Raises UploadError, UploadIncompleteError,
        ManifestError, PackError, OwnerEndedError, NameTakenError, OwnerLimitError, VersionsFullError.
        """
        place = Submission(bot, version, 0).place
        async with self._checking:
            existing = await self._existing(owner, bot, version)
            if existing is not None:
                return existing
            # A check is work, of which an owner has as much as it may send in, even of what is there already.
            if not await self._store.owners.has_reserved(owner, place):
                raise UploadError(_upload(owner), "it was not started, or was refused")
            data, upload = await self._sent(owner, version)
            submission = Submission(bot, version, len(data), hashlib.sha256(data).hexdigest())
            try:
                if upload is not None and upload.sha256 != submission.sha256:
                    raise PackError(
                        f"what was uploaded has the SHA-256 {submission.sha256}, not {upload.sha256}; send it again"
                    )
                pack = await asyncio.to_thread(check, data)
                if pack.version != version:
                    raise PackError(f"what was uploaded is version {pack.version}, not {version}")
                if pack.manifest.name != bot:
                    raise PackError(f"what was uploaded is the bot {pack.manifest.name!r}, not {bot!r}")
            except (ManifestError, PackError):
                if upload is not None:
                    await self._store.packs.drop(version, _upload(owner))
                await self._store.owners.refuse(owner, place)
                raise
        await self._admit(owner, submission, register=True)
        if upload is not None:
            await self._store.packs.commit(version, _upload(owner), upload.started_us)
        return await record(self._store, pack, owner)

    async def _admit(self, owner: str, submission: Submission, *, register: bool = False) -> None:
        """Admit a submission as `Owners.admit`; versions of the bot that did not qualify stop counting when needed."""
        if is_house_name(submission.bot):
            raise NameTakenError(submission.bot)
        try:
            await self._store.owners.admit(owner, submission, register=register)
        except OwnerLimitError as error:
            if error.limit != "versions":
                raise
            for version in await self._store.versions.list(submission.bot):
                if version.status == "failed" and version.owner == owner:
                    size = await self._store.packs.size(version.version)
                    await self._store.owners.fail(owner, Submission(version.bot, version.version, size))
            await self._store.owners.admit(owner, submission, register=register)

    async def _existing(self, owner: str, bot: str, version: str) -> BotVersion | None:
        """Return the version, if it exists with its pack; NameTakenError where the bot is somebody else's.

        A version whose pack has expired, as its node was lost before securing it, counts as missing: sending it again
        completes it. One whose qualification was given up is tried again.
        """
        try:
            if (await self._store.bots.get(bot)).owner != owner:
                raise NameTakenError(bot)
            stored = await self._store.versions.get(bot, version)
        except (UnknownBotError, UnknownVersionError):
            return None
        if not await self._store.packs.exists(version):
            return None
        await secure(self._store, stored)
        return await self._store.versions.create(bot, version, stored.record, owner=owner) if stored.error else stored

    async def _sent(self, owner: str, version: str) -> tuple[bytes, Upload | None]:
        """The uploaded bytes with their upload; the pack without one where that is stored already."""
        packs = self._store.packs
        if not await packs.exists(version):
            try:
                upload = await packs.upload(version, _upload(owner))
                if upload.received < upload.size:
                    raise UploadIncompleteError(upload.received, upload.size)
                data = await packs.uploaded(version, _upload(owner))
                if len(data) == upload.size:
                    return data, upload
            except UploadError:
                if not await packs.exists(version):
                    raise
        return await packs.get(version), None


def _upload(owner: str) -> str:
    """The id of an owner's upload; other uploads have hexadecimal digits for theirs."""
    return f"of-{owner}"
