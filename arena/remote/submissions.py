"""Sending in a packed bot, whatever becomes of the connection."""

import asyncio
import hashlib
import math
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from arena.packs.packing import Pack
from arena.remote.client import Client, connected
from arena.remote.errors import RefusedError, RemoteError, UnreachableError
from arena.sdk.connection import Endpoint
from hanafuda.arena.v1 import bot_pb2, submission_pb2

CHUNK = 48 << 10
"""Bytes that are sent with one call."""
PATIENCE_S = 60.0
"""How long the nodes of an arena may be away."""
_FIRST_WAIT_S = 0.1
_MAX_WAIT_S = 2.0
_SILENT_S = 3.0
"""How long nothing is said of a node that neither answers nor refuses."""
_PASSING = frozenset({"SHUTTING_DOWN", "STORE_UNAVAILABLE"})
"""Reasons of refusals that pass by themselves, or at another node."""

T = TypeVar("T")


Waits = Callable[[str], None]
"""Is called with the reason why the work does not go on, once for each reason."""


async def upload(endpoint: Endpoint, pack: Pack, sent: Callable[[int], None], waits: Waits) -> bot_pb2.BotVersion:
    """Make a pack a version of its bot, and return it; `sent` hears how many bytes the arena has, if it lacks some.

    Raises RemoteError.
    """
    begin = submission_pb2.BeginUploadRequest(
        bot=pack.manifest.name, version=pack.version, size=len(pack.data), sha256=hashlib.sha256(pack.data).digest()
    )
    finish = submission_pb2.FinishUploadRequest(bot=pack.manifest.name, version=pack.version)

    async def work(client: Client) -> bot_pb2.BotVersion:
        service = client.submissions
        received = (await client.call(service.BeginUpload, begin)).received
        if received < len(pack.data):
            sent(received)
        while received < len(pack.data):
            chunk = submission_pb2.AppendUploadRequest(
                version=pack.version, offset=received, data=pack.data[received : received + CHUNK]
            )
            received = (await client.call(service.AppendUpload, chunk)).received
            sent(received)
        return (await client.call(service.FinishUpload, finish)).version

    return await patiently(endpoint, work, waits)


async def watch(
    endpoint: Endpoint,
    pack: Pack,
    show: Callable[[submission_pb2.WatchSubmissionResponse], None],
    waits: Waits,
) -> bot_pb2.BotVersion:
    """Follow a version's qualification, each step shown once, and return the version as it stands then.

    Raises RemoteError.
    """
    request = submission_pb2.WatchSubmissionRequest(bot=pack.manifest.name, version=pack.version)
    shown = 0

    async def work(client: Client) -> bot_pb2.BotVersion:
        nonlocal shown
        seen = 0
        async for message in client.stream(client.submissions.WatchSubmission, request):
            if message.HasField("version"):
                return message.version
            if message.HasField("waiting"):
                show(message)
                continue
            seen += 1  # every node sends the same steps in the same order
            if seen > shown:
                shown = seen
                show(message)
        raise UnreachableError(endpoint.address, "the stream ended without the version")

    return await patiently(endpoint, work, waits)


async def patiently(endpoint: Endpoint, work: Callable[[Client], Awaitable[T]], waits: Waits) -> T:
    """Do the work at a node; when that is lost, do it again from the start at another one. RemoteError.

    `waits` hears what it waits for meanwhile. Gives up when no node has answered for `PATIENCE_S`.
    """
    reached, wait = -math.inf, _FIRST_WAIT_S
    reported: set[str] = set()

    def say(why: str) -> None:
        if why not in reported:
            reported.add(why)
            waits(why)

    while True:
        silence = UnreachableError(endpoint.address, f"nothing came within {_SILENT_S:g} s")
        silent = asyncio.get_running_loop().call_later(_SILENT_S, say, str(silence))
        try:
            async with connected(endpoint) as client:
                silent.cancel()
                reached = time.monotonic()
                return await work(client)
        except RemoteError as error:
            passes = isinstance(error, UnreachableError) or (
                isinstance(error, RefusedError) and error.reason in _PASSING
            )
            if not passes or time.monotonic() - reached > PATIENCE_S:
                raise
            say(str(error))
        finally:
            silent.cancel()
        await asyncio.sleep(wait)
        wait = min(2 * wait, _MAX_WAIT_S)
