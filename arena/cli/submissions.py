"""`arena bot submit` and what is done with versions."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.bot import Name
from arena.cli.commands import command
from arena.cli.documents import print_document
from arena.cli.failures import CheckFailedError
from arena.cli.reading import existing_store, open_store
from arena.cli.values import DEFAULT_DATA, AsJson, Data, RedisUrl

if TYPE_CHECKING:
    from arena.store import BotVersion, Store
    from arena.submissions.qualification import Step

app = typer.Typer()

_LOOK_S = 0.2
_SHORT = 12
"""Digits of a version where people read it."""

Version = Annotated[
    str, typer.Argument(metavar="VERSION", help="The version, or the beginning of its digest that no other has.")
]


@command(app, "arena bot submit my-bot --activate")
def submit(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The bot's folder, with its bot.toml.")],
    activate: Annotated[
        bool, typer.Option("--activate", help="Let it play where the bot is named, once it has qualified.")
    ] = False,
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
) -> None:
    """Send in a bot as a version of it, which has to qualify.

    The version is the SHA-256 of the folder's content. It qualifies by playing each of its variants in a cage. Exit
    status 1 if it does not.
    """
    from arena.cli.aio import run

    run(_submit(folder, activate, data, redis))


@command(app, "arena bot versions my-bot")
def versions(name: Name, data: Data = DEFAULT_DATA, redis: RedisUrl = None, as_json: AsJson = False) -> None:
    """List the versions of a bot, the oldest first."""
    from arena.cli.aio import run

    rows = run(_versions(name, data, redis))
    if as_json:
        print_document({"bot": name, "versions": rows})
        return
    for row in rows:
        marks = [
            row["status"],
            *(["active"] if row["active"] else []),
            *(["reproducible"] if row["reproducible"] else []),
        ]
        typer.echo(f"{row['version'][:_SHORT]}  {row['created_at']}  {', '.join(marks)}")


@command(app, "arena bot activate my-bot 3f9c")
def activate(name: Name, version: Version, data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """Let a qualified version play where its bot is named."""
    _change(name, version, data, redis, "active", lambda store, found: store.versions.activate(name, found.version))


@command(app, "arena bot retire my-bot 3f9c")
def retire(name: Name, version: Version, data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """Let a version enter nothing any more, until it is activated again."""
    _change(name, version, data, redis, "retired", lambda store, found: store.versions.retire(name, found.version))


@command(app, "arena bot take-out my-bot 3f9c")
def take_out(name: Name, version: Version, data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """Let a version never play again. What it played stays."""
    _change(name, version, data, redis, "taken out", lambda store, found: store.versions.take_out(name, found.version))


def _change(
    name: str,
    version: str,
    data: Path,
    redis: str | None,
    status: str,
    change: "Callable[[Store, BotVersion], Awaitable[None]]",
) -> None:
    from arena.cli.aio import run

    async def changed() -> str:
        async with existing_store(data, redis) as store:
            found = await store.versions.find(name, version)
            await change(store, found)
            return found.version

    typer.echo(f"{name}@{run(changed())[:_SHORT]} is {status}")


async def _submit(folder: Path, activate: bool, data: Path, redis: str | None) -> None:
    from arena.launcher.cage.errors import NoCageError
    from arena.submissions.packing import pack
    from arena.submissions.submit import read_report, submit

    packed = pack(folder)
    name, label = packed.manifest.name, f"{packed.manifest.name}@{packed.version[:_SHORT]}"
    typer.echo(f"packed   {packed.files} files, {len(packed.data):,} bytes: {label}")
    async with open_store(data, redis) as store:
        version = await submit(store, packed)
        if version.status == "qualifying":
            try:
                await _qualify(store, version)
            except NoCageError as error:
                raise CheckFailedError(f"{label} waits for a node that can cage it: {error}") from error
            version = await store.versions.get(name, version.version)
        report = read_report(version)
        if version.status == "failed" and report is not None:
            step = report.steps[-1]
            raise CheckFailedError(
                "\n".join(filter(None, (f"{label} failed: {step.name}: {step.fault}", step.decision)))
            )
        if report is not None and report.difference:
            typer.echo(f"note     it played one match in two ways: {report.difference}")
        if version.error:
            raise CheckFailedError(f"{label} could not be qualified: {version.error}")
        if activate:
            await store.versions.activate(name, version.version)
    typer.echo(f"{label} is {'active' if activate else version.status.replace('_', ' ')}")


async def _qualify(store: "Store", version: "BotVersion") -> None:
    """Qualify the version here, or wait for the node that does. Raises NoCageError."""
    import asyncio

    from arena.launcher.cage.cages import Cages
    from arena.scratch import scratch_folder
    from arena.store import Scope
    from arena.store.errors import LeaseLostError
    from arena.submissions.cache import PackCache
    from arena.submissions.submit import work_on

    cages = Cages()
    queue = store.jobs()
    try:
        while version.status == "qualifying":
            with scratch_folder() as folder:
                for job in await queue.claim_of(Scope.version(version.bot, version.version)):
                    with suppress(LeaseLostError):  # to a node, which goes on with it
                        await work_on(job, queue, PackCache(store, folder), cages, _show)
            await asyncio.sleep(_LOOK_S)
            version = await store.versions.get(version.bot, version.version)
    finally:
        cages.close()


def _show(step: "Step") -> None:
    typer.echo(f"{'FAILED' if step.fault else 'ok':<7}  {step.name}")


async def _versions(name: str, data: Path, redis: str | None) -> list[dict[str, Any]]:
    from datetime import UTC, datetime

    from arena.submissions.record import read_record
    from arena.submissions.submit import read_report

    async with existing_store(data, redis) as store:
        await store.bots.get(name)
        rows = []
        for version in await store.versions.list(name):
            report = read_report(version)
            rows.append(
                {
                    "version": version.version,
                    "created_at": datetime.fromtimestamp(version.created_us // 1_000_000, UTC).isoformat(),
                    "status": version.status.replace("_", " "),
                    "active": version.active,
                    "reproducible": report is not None and bool(report.reproducible),
                    "parent": version.parent or None,
                    "about": read_record(version).manifest.about,
                    "failure": (
                        report.steps[-1].fault if report is not None and not report.qualified else version.error
                    )
                    or None,
                }
            )
        return rows
