"""The submissions service."""

import re
from collections import Counter
from contextlib import aclosing

from grpc.aio import ServicerContext

from arena.packs.errors import SubmissionError, UploadIncompleteError
from arena.packs.packing import LIMITS
from arena.rpc.errors import ApiError, Reason, invalid
from arena.rpc.identity import calling_owner
from arena.seats.watched import Step
from arena.services.acting import acting_bot
from arena.services.requests import required
from arena.services.versions import step_message, version_message
from arena.store import BotVersion, Store, Submission
from arena.submissions.following import Started, Waiting, follow
from arena.submissions.uploads import Uploads
from hanafuda.arena.v1 import submission_pb2, submission_pb2_grpc

CHUNK = 48 << 10
"""Bytes that come with one call, at most."""
_MAX_WATCHING = 16
"""Streams that follow submissions of one bot at this node: each looks into the store several times a second."""
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)

WatchContext = ServicerContext[submission_pb2.WatchSubmissionRequest, submission_pb2.WatchSubmissionResponse]


class SubmissionServicer(submission_pb2_grpc.SubmissionServiceServicer):
    """Uploads, and the qualifications that follow."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._uploads = Uploads(store)
        self._watching: Counter[str] = Counter()

    async def BeginUpload(
        self, request: submission_pb2.BeginUploadRequest, context: object
    ) -> submission_pb2.BeginUploadResponse:
        """Begin an upload, or continue one. OWNER_TOKEN_REQUIRED, INVALID_REQUEST, NAME_TAKEN, LIMIT_REACHED."""
        owner = calling_owner().name
        if not 0 < request.size <= LIMITS.packed:
            raise invalid(size=f"a pack has 1 to {LIMITS.packed:,} bytes, not {request.size:,}")
        if len(request.sha256) != 32:
            raise invalid(sha256=f"a SHA-256 has 32 bytes, not {len(request.sha256)}")
        submission = Submission(
            required("bot", request.bot), _digest(request.version), request.size, request.sha256.hex()
        )
        return submission_pb2.BeginUploadResponse(received=await self._uploads.begin(owner, submission))

    async def AppendUpload(
        self, request: submission_pb2.AppendUploadRequest, context: object
    ) -> submission_pb2.AppendUploadResponse:
        """Add the next bytes of an upload. OWNER_TOKEN_REQUIRED, INVALID_REQUEST, UNKNOWN_UPLOAD."""
        owner = calling_owner().name
        if not 0 < len(request.data) <= CHUNK:
            raise invalid(data=f"a call brings 1 to {CHUNK:,} bytes, not {len(request.data):,}")
        received = await self._uploads.append(owner, _digest(request.version), request.offset, request.data)
        return submission_pb2.AppendUploadResponse(received=received)

    async def FinishUpload(
        self, request: submission_pb2.FinishUploadRequest, context: object
    ) -> submission_pb2.FinishUploadResponse:
        """Make a version of what was uploaded.

        OWNER_TOKEN_REQUIRED, INVALID_REQUEST, UNKNOWN_UPLOAD, UPLOAD_INCOMPLETE, PACK_REFUSED, NAME_TAKEN,
        LIMIT_REACHED.
        """
        owner = calling_owner().name
        bot, digest = required("bot", request.bot), _digest(request.version)
        try:
            version = await self._uploads.finish(owner, bot, digest)
        except UploadIncompleteError as error:
            about = {"received": str(error.received)}
            raise ApiError(Reason.UPLOAD_INCOMPLETE, str(error), metadata=about) from error
        except SubmissionError as error:
            raise ApiError(Reason.PACK_REFUSED, str(error)) from error
        return submission_pb2.FinishUploadResponse(version=version_message(version, is_own=True))

    async def WatchSubmission(  # type: ignore[override]  # it writes, it is no iterator
        self, request: submission_pb2.WatchSubmissionRequest, context: WatchContext
    ) -> None:
        """Stream a qualification. INVALID_REQUEST, NOT_YOUR_BOT, UNKNOWN_BOT, UNKNOWN_VERSION, LIMIT_REACHED."""
        bot = await acting_bot(self._store.bots, request.bot)
        version = await self._store.versions.find(bot, required("version", request.version))
        if self._watching[bot] >= _MAX_WATCHING:
            about = {"limit": "watching", "most": str(_MAX_WATCHING)}
            text = f"{_MAX_WATCHING} streams follow submissions of {bot} at this node; end one of them first"
            raise ApiError(Reason.LIMIT_REACHED, text, metadata=about)
        self._watching[bot] += 1
        try:
            async with aclosing(follow(self._store, bot, version.version)) as steps:
                async for news in steps:
                    await context.write(news_message(news))
        finally:
            self._watching[bot] -= 1


def news_message(news: Waiting | Started | Step | BotVersion) -> submission_pb2.WatchSubmissionResponse:
    """Return the message of what happened in a qualification, for the bot's owner."""
    message = submission_pb2.WatchSubmissionResponse()
    match news:
        case Waiting():
            message.waiting.SetInParent()
        case Started():
            message.started.SetInParent()
        case Step():
            message.step.CopyFrom(step_message(news))
        case _:
            message.version.CopyFrom(version_message(news, is_own=True))
    return message


def _digest(version: str) -> str:
    if _DIGEST.fullmatch(version) is None:
        raise invalid(version="a version is the SHA-256 of a bot's content: 64 hexadecimal digits")
    return version
