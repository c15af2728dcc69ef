"""`arena bot submit`: into a store, where the bot is qualified here unless a node does it, or over the network."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import CheckFailedError, TerminatedError
from arena.cli.places import Arena, Server, StoreOptions

if TYPE_CHECKING:
    from arena.packs.packing import Pack
    from arena.store import BotVersion, Store
    from hanafuda.arena.v1.bot_pb2 import BotVersion as BotVersionMessage
    from hanafuda.arena.v1.submission_pb2 import WatchSubmissionResponse

SHORT = 12
"""Digits of a version where people read it."""
_LOOK_S = 0.2
_PATIENCE_S = 60.0
"""How long the nodes of an arena may be away."""
_TENTHS = 10


def submit(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The bot's folder, with its bot.toml.")],
    arena: Arena,
    activate: Annotated[
        bool, typer.Option("--activate", help="Let it play where the bot is named, once it has qualified.")
    ] = False,
) -> None:
    """Send in a bot as a version of it, which has to qualify.

    The version is the SHA-256 of the folder's content. It qualifies by playing each of its variants in a cage. With
    --server and an owner's token, the first submission of a new name makes the bot the owner's; a connection that is
    lost is taken up again. Exit status 1 if the version does not qualify.
    """
    from arena.cli.aio import run
    from arena.packs.packing import pack

    packed = pack(folder)
    label = f"{packed.manifest.name}@{packed.version[:SHORT]}"
    typer.echo(f"packed   {packed.files} files, {len(packed.data):,} bytes: {label}")
    submitted = (
        _submit(packed, activate, arena.store) if arena.server is None else _submit_to(arena.server, packed, activate)
    )
    try:
        status = run(submitted)
    except (KeyboardInterrupt, TerminatedError):
        typer.echo(f"{label} is not through yet; the same command goes on where it was", err=True)
        raise
    typer.echo(f"{label} is {status}")


async def _submit(packed: "Pack", activate: bool, place: StoreOptions) -> str:
    from arena.services.versions import version_message
    from arena.submissions.submit import submit

    async with place.open(create=True) as store:
        version = await submit(store, packed)
        if version.status == "qualifying":
            version = await _qualify(store, version)
        status = _concluded(packed.manifest.name, version_message(version, own=True))
        if activate:
            await store.versions.activate(packed.manifest.name, version.version)
    return "active" if activate else status


async def _submit_to(server: Server, packed: "Pack", activate: bool) -> str:
    from arena.remote.submissions import upload, watch
    from hanafuda.arena.v1.bot_pb2 import ActivateVersionRequest

    endpoint, manifest = server.endpoint, packed.manifest
    await upload(endpoint, packed, _UploadProgress(len(packed.data)), _PATIENCE_S, _waits)
    status = _concluded(manifest.name, await watch(endpoint, packed, _Steps(manifest.runtime), _PATIENCE_S, _waits))
    if activate:
        async with server.connect() as remote:
            request = ActivateVersionRequest(bot=manifest.name, version=packed.version)
            await remote.call(remote.bots.ActivateVersion, request)
    return "active" if activate else status


def _concluded(bot: str, version: "BotVersionMessage") -> str:
    """The status after a qualification; CheckFailedError where it failed, with the step, the fault and the decision."""
    from arena.cli.infos import status_text

    label, status, failure = f"{bot}@{version.version[:SHORT]}", status_text(version.status), version.failure
    if version.HasField("failure"):
        reason = f"{label} failed: {failure.name}: {failure.fault}"
        raise CheckFailedError("\n".join(filter(None, (reason, failure.decision))))
    if status == "failed":
        raise CheckFailedError(f"{label} could not be qualified: {version.note}; send it in again after ten minutes")
    if version.note:
        typer.echo(f"note     it played one match in two ways: {version.note}")
    return status


async def _qualify(store: "Store", version: "BotVersion") -> "BotVersion":
    """Qualify the version here, or wait for the node that does, and show each step. CheckFailedError without a cage."""
    import asyncio

    from arena.launcher.cage.errors import NoCageError, RuntimeUnknownError
    from arena.services.submissions import news_message
    from arena.store import BotVersion
    from arena.submissions.following import follow
    from arena.submissions.record import read_record

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


async def _work(store: "Store", version: "BotVersion", needed: str) -> None:
    """Take the version's qualification whenever nobody has it. NoCageError, RuntimeUnknownError."""
    import asyncio

    from arena.launcher.cage.cages import Cages
    from arena.launcher.cage.limits import CageLimits
    from arena.launcher.cage.runtimes import runtime
    from arena.scratch import scratch_folder
    from arena.store import Scope
    from arena.store.errors import LeaseLostError
    from arena.submissions.cache import PackCache
    from arena.submissions.submit import work_on

    runtime(needed)  # before the job is taken from those who offer it
    cages = Cages(CageLimits.with_fuel(store.fuel))
    queue = store.jobs()
    try:
        while True:
            with scratch_folder() as folder:
                for job in await queue.claim_of(Scope.version(version.bot, version.version)):
                    with suppress(LeaseLostError):  # to a node, which goes on with it
                        await work_on(job, store, queue, PackCache(store, folder), cages)
            await asyncio.sleep(_LOOK_S)
    finally:
        cages.close()


def _waits(why: str) -> None:
    typer.echo(f"waits    up to {_PATIENCE_S:g} s: {why}")


class _UploadProgress:
    """Shows how much of a pack is sent, in tenths."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._shown = 0

    def __call__(self, received: int) -> None:
        tenth = received * _TENTHS // self._size
        if tenth > self._shown:
            self._shown = tenth
            typer.echo(f"sent     {received:,} of {self._size:,} bytes")


class _Steps:
    """Shows how a qualification goes on."""

    def __init__(self, runtime: str) -> None:
        self._runtime = runtime
        self._begun = False

    def __call__(self, message: "WatchSubmissionResponse") -> None:
        match message.WhichOneof("message"):
            case "waiting":
                typer.echo(f"waits    for a node that can cage bots and offers {self._runtime}")
            case "started":
                if self._begun:
                    typer.echo("again    from the first step: the node that was at it is lost")
                self._begun = True
            case "step":
                typer.echo(f"{'FAILED' if message.step.fault else 'ok':<7}  {message.step.name}")
