"""Submissions on a store: a pack becomes a version of its bot, and a version qualifies or does not."""

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace

import msgspec

from arena.launcher.sources import SubmittedBot
from arena.packs.packing import Pack
from arena.seats.watched import Step
from arena.store import BotVersion, Job, JobQueue, Store, Submission
from arena.store.errors import NameTakenError, UnknownBotError
from arena.stream.hub import Hub
from arena.submissions.qualification import Report, qualify
from arena.submissions.record import VersionRecord
from arena.submissions.starter import VersionStarter
from bots import is_house_name

_OWNER_LOOK_S = 1.0
STARTED = b""
"""Noted where a step would be: a qualification begins, perhaps again."""

log = logging.getLogger(__name__)


async def submit(store: Store, pack: Pack) -> BotVersion:
    """Record a pack as a version of the bot that it names, which is registered if it is not, and queue its
    qualification; nothing happens when the version is there. Raises NameTakenError, VersionsFullError.
    """
    name = pack.manifest.name
    if is_house_name(name):
        raise NameTakenError(name)
    try:
        await store.bots.get(name)
    except UnknownBotError:
        await store.bots.create(name, stateless=True)
    await store.packs.put(pack.version, pack.data)
    return await record(store, pack)


async def record(store: Store, pack: Pack, owner: str = "") -> BotVersion:
    """Record a pack that is in the store as a version of its bot, and queue its qualification.

    It counts against the limits of its `owner`. Nothing happens when the version is there. Raises VersionsFullError.
    """
    about = msgspec.json.encode(VersionRecord(pack.manifest, pack.files, pack.unpacked))
    manifest = pack.manifest
    version = await store.versions.create(manifest.name, pack.version, about, owner=owner, runtime=manifest.runtime)
    await secure(store, version)
    return version


async def secure(store: Store, version: BotVersion) -> None:
    """Keep the pack of a version, and count it as its owner's.

    Done when a version is made and again when it is qualified, in case its maker was killed in between.
    """
    await store.packs.keep(version.version)
    if version.owner:
        size = await store.packs.size(version.version)
        await store.owners.keep(version.owner, Submission(version.bot, version.version, size))


def read_report(version: BotVersion) -> Report | None:
    """Return what came of a version's qualification; None before."""
    return msgspec.json.decode(version.report, type=Report) if version.report else None


async def _while_owner_stays(store: Store, owner: str, qualifying: Coroutine[None, None, Report]) -> Report:
    """What comes of a qualification, which fails when the operator ends the owner."""
    working = asyncio.ensure_future(qualifying)
    try:
        while not working.done():
            if owner and await store.owners.ended([owner]):
                return Report((Step("owner", f"owner {owner} has ended"),))
            await asyncio.wait((working,), timeout=_OWNER_LOOK_S)
        return working.result()
    finally:
        working.cancel()
        await asyncio.wait((working,))


async def work_on(job: Job, queue: JobQueue, starter: VersionStarter) -> Report:
    """Qualify the version of a job in cages, and commit the result. Each step can be followed in the store.

    Raises LeaseLostError, and what keeps this node from it: CageStartError, OSError, StoreError.
    """
    store, starter = starter.store, replace(starter, any_status=True)
    bot = SubmittedBot(job.scope.name, job.scope.part)

    async def note(step: Step) -> None:
        await store.versions.note(job, msgspec.json.encode(step))

    async with queue.leases.hold(job), starter.cache.use(bot.version) as (_, manifest):
        version = await store.versions.get(bot.name, bot.version)
        await secure(store, version)
        await store.versions.note(job, STARTED)
        # Matches come first, so it plays aside.
        qualifying = qualify(lambda: starter.start(Hub(), bot, bot.name, aside=True), manifest, note)
        report = await _while_owner_stays(store, version.owner, qualifying)
        await queue.commit_version(job, msgspec.json.encode(report), qualified=report.qualified)
    log.info("%s: %s", job, "qualified" if report.qualified else report.steps[-1].fault)
    return report
