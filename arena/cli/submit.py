"""`arena bot submit`: into a store, where the bot is qualified here unless a node does it, or over the network."""

import asyncio
from contextlib import closing, suppress

from arena.cli.failures import CheckFailedError
from arena.cli.infos import status_text
from arena.cli.output import say
from arena.cli.targets import Server, StoreOptions
from arena.cli.values import SHORT
from arena.launcher.cage.cages import Cages
from arena.launcher.cage.errors import NoCageError, RuntimeUnknownError
from arena.launcher.cage.limits import CageLimits
from arena.launcher.cage.runtimes import runtime
from arena.match.model import TimeControl
from arena.packs.packing import Pack
from arena.remote.submissions import PATIENCE_S, upload, watch
from arena.scratch import scratch_folder
from arena.services.submissions import news_message
from arena.services.versions import version_message
from arena.store import BotVersion, Scope, Store
from arena.store.errors import LeaseLostError
from arena.submissions.cache import PackCache
from arena.submissions.following import follow
from arena.submissions.record import read_record
from arena.submissions.starter import VersionStarter
from arena.submissions.submit import submit, work_on
from hanafuda.arena.v1.bot_pb2 import ActivateVersionRequest
from hanafuda.arena.v1.bot_pb2 import BotVersion as BotVersionMessage
from hanafuda.arena.v1.submission_pb2 import WatchSubmissionResponse

_LOOK_S = 0.2
_TENTHS = 10


async def submit_here(packed: Pack, activate: bool, target: StoreOptions) -> str:
    """Put a pack into a store, qualify it, and return its status. Raises StoreError, CheckFailedError."""
    async with target.open(create=True) as store:
        version = await submit(store, packed)
        if version.status == "qualifying":
            version = await _qualify(store, version)
        else:
            _show_known(version_message(version, is_own=True))
        status = _concluded(packed.manifest.name, version_message(version, is_own=True))
        if activate:
            await store.versions.activate(packed.manifest.name, version.version)
    return "active" if activate else status


async def submit_to(server: Server, packed: Pack, activate: bool) -> str:
    """Send a pack to an arena, wait for its qualification, and return its status. RemoteError, CheckFailedError."""
    endpoint, manifest = server.endpoint, packed.manifest
    version = await upload(endpoint, packed, _UploadProgress(len(packed.data)), _waits)
    if status_text(version.status) == "qualifying":
        version = await watch(endpoint, packed, _Steps(manifest.runtime), _waits)
    else:
        _show_known(version)
    status = _concluded(manifest.name, version)
    if activate:
        async with server.connect() as client:
            request = ActivateVersionRequest(bot=manifest.name, version=packed.version)
            await client.call(client.bots.ActivateVersion, request)
    return "active" if activate else status


def _show_known(version: BotVersionMessage) -> None:
    """Say that a version need not qualify, as it was there and over before."""
    status = "active" if version.active else status_text(version.status)
    say(f"known    this content was submitted before, and {'has' if status == 'failed' else 'is'} {status}")


def _concluded(bot: str, version: BotVersionMessage) -> str:
    """How it stands after a qualification; CheckFailedError with the step, the fault and the decision if it failed."""
    label, status, failure = f"{bot}@{version.version[:SHORT]}", status_text(version.status), version.failure
    if version.HasField("failure"):
        reason = f"{label} failed: {failure.name}: {failure.fault}"
        raise CheckFailedError("\n".join(filter(None, (reason, failure.decision))))
    if status == "failed":
        raise CheckFailedError(f"{label} could not be qualified: {version.note}; send it in again after ten minutes")
    if version.note:
        say(f"note     it played one match in two ways: {version.note}")
    return "active" if version.active else status


async def _qualify(store: Store, version: BotVersion) -> BotVersion:
    """Qualify the version here, or wait for the node that does, and show each step. CheckFailedError without a cage."""
    runtime = read_record(version).manifest.runtime
    show = _Steps(runtime)
    no_cage: Exception | None = None
    try:
        async with asyncio.TaskGroup() as group:
            working = group.create_task(_work(store, version, runtime))
            async for news in follow(store, version.bot, version.version):
                if isinstance(news, BotVersion):
                    working.cancel()
                    version = news
                else:
                    show(news_message(news))
    except* (NoCageError, RuntimeUnknownError) as failed:
        no_cage = failed.exceptions[0]
    if no_cage is not None:
        label = f"{version.bot}@{version.version[:SHORT]}"
        raise CheckFailedError(f"{label} waits for a node that can cage it: {no_cage}") from no_cage
    return version


async def _work(store: Store, version: BotVersion, needed: str) -> None:
    """Take the version's qualification whenever nobody has it. NoCageError, RuntimeUnknownError."""
    runtime(needed)  # before the job is taken from those who offer it
    queue = store.jobs()
    with closing(Cages(CageLimits.with_fuel(store.fuel))) as cages:
        while True:
            for job in await queue.claim_of(Scope.version(version.bot, version.version)):
                with suppress(LeaseLostError), scratch_folder() as folder:  # a lost one goes on at a node
                    await work_on(job, queue, VersionStarter(store, PackCache(store, folder), cages))
            await asyncio.sleep(_LOOK_S)


def _waits(why: str) -> None:
    say(f"waits    up to {PATIENCE_S:g} s: {why}")


class _UploadProgress:
    """Shows how much of a pack is sent, in tenths."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._shown = 0

    def __call__(self, received: int) -> None:
        tenth = received * _TENTHS // self._size
        if tenth > self._shown:
            self._shown = tenth
            say(f"sent     {received:,} of {self._size:,} bytes")


class _Steps:
    """Shows how a qualification goes on."""

    def __init__(self, runtime: str) -> None:
        self._runtime = runtime
        self._started = False

    def __call__(self, message: WatchSubmissionResponse) -> None:
        match message.WhichOneof("message"):
            case "waiting":
                say(f"waits    for a node that can cage bots and offers {self._runtime}")
            case "started":
                if self._started:
                    say("again    from the first step: the node that qualified it was lost")
                else:
                    time = TimeControl()
                    longest_s = (time.per_decision_ms + time.bank_ms) / 1000
                    say(
                        f"starts   to qualify; a bot that does not answer fails after {longest_s:g} s "
                        "(`arena bot check` finds it sooner)"
                    )
                self._started = True
            case "step":
                say(f"{'FAILED' if message.step.fault else 'ok':<7}  {message.step.name}")
