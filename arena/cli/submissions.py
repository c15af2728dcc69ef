"""`arena bot submit` and what is done with versions."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.bot import Name
from arena.cli.commands import command
from arena.cli.documents import print_document
from arena.cli.reading import existing_store
from arena.cli.server import Server, with_server
from arena.cli.submit import SHORT, status_text, submit
from arena.cli.values import DEFAULT_DATA, AsJson, Data, RedisUrl

if TYPE_CHECKING:
    from arena.remote.remote import Remote
    from arena.store import BotVersion, Store

app = typer.Typer()
command(
    app,
    "arena bot submit my-bot --activate",
    "arena bot submit my-bot --server arena.example:7777 --token @owner.token",
)(submit)

Version = Annotated[
    str, typer.Argument(metavar="VERSION", help="The version, or the beginning of its digest that no other has.")
]


@command(app, "arena bot versions my-bot")
@with_server
def versions(
    name: Name,
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
    as_json: AsJson = False,
    server: Server | None = None,
) -> None:
    """List the versions of a bot, the oldest first."""
    from arena.cli.aio import run

    rows = run(_versions(name, data, redis) if server is None else _versions_at(server, name))
    if as_json:
        print_document({"bot": name, "versions": rows})
        return
    for row in rows:
        marks = [
            row["status"],
            *(["active"] if row["active"] else []),
            *(["reproducible"] if row["reproducible"] else []),
        ]
        typer.echo(f"{row['version'][:SHORT]}  {row['created_at']}  {', '.join(marks)}")


@command(app, "arena bot activate my-bot 3f9c")
@with_server
def activate(
    name: Name, version: Version, data: Data = DEFAULT_DATA, redis: RedisUrl = None, server: Server | None = None
) -> None:
    """Let a qualified version play where its bot is named."""
    from arena.cli.aio import run

    async def there(remote: "Remote") -> str:
        from hanafuda.arena.v1.bot_pb2 import ActivateVersionRequest

        request = ActivateVersionRequest(bot=name, version=version)
        return (await remote.call(remote.bots.ActivateVersion, request)).version.version

    async def here(store: "Store", found: "BotVersion") -> None:
        await store.versions.activate(name, found.version)

    changed = run(_at(server, there) if server else _in_store(name, version, data, redis, here))
    typer.echo(f"{name}@{changed[:SHORT]} is active")


@command(app, "arena bot retire my-bot 3f9c")
@with_server
def retire(
    name: Name, version: Version, data: Data = DEFAULT_DATA, redis: RedisUrl = None, server: Server | None = None
) -> None:
    """Stop a version from entering leagues and matches. Activating it again undoes this."""
    from arena.cli.aio import run

    async def there(remote: "Remote") -> str:
        from hanafuda.arena.v1.bot_pb2 import RetireVersionRequest

        request = RetireVersionRequest(bot=name, version=version)
        return (await remote.call(remote.bots.RetireVersion, request)).version.version

    async def here(store: "Store", found: "BotVersion") -> None:
        await store.versions.retire(name, found.version)

    changed = run(_at(server, there) if server else _in_store(name, version, data, redis, here))
    typer.echo(f"{name}@{changed[:SHORT]} is retired")


@command(app, "arena bot take-out my-bot 3f9c")
def take_out(name: Name, version: Version, data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """Bar a version for good. It forfeits its remaining matches; its past results stay."""
    from arena.cli.aio import run

    async def here(store: "Store", found: "BotVersion") -> None:
        await store.versions.take_out(name, found.version)

    changed = run(_in_store(name, version, data, redis, here))
    typer.echo(f"{name}@{changed[:SHORT]} is taken out")


async def _at(server: Server, change: "Callable[[Remote], Awaitable[str]]") -> str:
    async with server.connect() as remote:
        return await change(remote)


async def _in_store(
    name: str,
    version: str,
    data: Path,
    redis: str | None,
    change: "Callable[[Store, BotVersion], Awaitable[None]]",
) -> str:
    """Change the version of which VERSION is the beginning; return it whole."""
    async with existing_store(data, redis) as store:
        found = await store.versions.find(name, version)
        await change(store, found)
        return found.version


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


async def _versions_at(server: Server, name: str) -> list[dict[str, Any]]:
    from datetime import UTC, datetime

    from hanafuda.arena.v1.bot_pb2 import ListVersionsRequest

    async with server.connect() as remote:
        request = ListVersionsRequest(bot=name, page_size=100)
        found = await remote.pages(remote.bots.ListVersions, request, lambda page: page.versions)
    return [
        {
            "version": version.version,
            "created_at": datetime.fromtimestamp(version.created_at.seconds, UTC).isoformat(),
            "status": status_text(version.status),
            "active": version.active,
            "reproducible": version.reproducible,
            "parent": version.parent or None,
            "about": version.about,
            "failure": version.failure.fault or (version.note if status_text(version.status) == "failed" else None),
        }
        for version in found
    ]
