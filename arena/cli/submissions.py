"""`arena bot submit` and what is done with versions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.bot import Name
from arena.cli.commands import command
from arena.cli.documents import print_answer
from arena.cli.failures import TerminatedError
from arena.cli.places import Arena, StoreOptions
from arena.cli.values import SHORT, AsJson

if TYPE_CHECKING:
    from arena.remote.client import Client
    from arena.store import Store

app = typer.Typer()
Version = Annotated[
    str, typer.Argument(metavar="VERSION", help="The version, or the beginning of its digest that no other has.")
]


@command(
    app,
    "arena bot submit my-bot --activate",
    "arena bot submit my-bot --server arena.example:7777 --token @owner.token",
)
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
    from arena.cli.submit import submit_here, submit_to
    from arena.packs.packing import pack

    packed = pack(folder)
    label = f"{packed.manifest.name}@{packed.version[:SHORT]}"
    typer.echo(f"packed   {packed.files} files, {len(packed.data):,} bytes: {label}")
    submitted = (
        submit_here(packed, activate, arena.store)
        if arena.server is None
        else submit_to(arena.server, packed, activate)
    )
    try:
        status = run(submitted)
    except (KeyboardInterrupt, TerminatedError):
        typer.echo(f"{label} has not qualified yet; the same command continues where it was", err=True)
        raise
    typer.echo(f"{label} is {status}")
    if status == "qualified":
        version = packed.version[:SHORT]
        typer.echo(f"let it play: arena bot activate {packed.manifest.name} {version}{arena.flags}")


@command(app, "arena bot versions my-bot")
def versions(name: Name, arena: Arena, as_json: AsJson = False) -> None:
    """List the versions of a bot, the oldest first."""
    from arena.cli.infos import version_document
    from hanafuda.arena.v1.bot_pb2 import ListVersionsRequest

    request = ListVersionsRequest(bot=name)
    found = arena.do(lambda client: client.all(client.bots.ListVersions, request, lambda page: page.versions))
    rows = [version_document(version) for version in found]
    lines = []
    for row in rows:
        marks = [row["status"], *(mark for mark in ("active", "reproducible") if row[mark])]
        reason = f": {_in_one_line(row['failure'])}" if row["failure"] else ""
        lines.append(f"{row['version'][:SHORT]}  {row['created_at']}  {', '.join(marks)}{reason}")
    print_answer(as_json, {"bot": name, "versions": rows}, lines)


def _in_one_line(failure: str) -> str:
    """The first line; where that announces what the bot wrote, with the last, which says most in a traceback."""
    first, *more = failure.splitlines()
    return f"{first} {more[-1].strip()}" if more and first.endswith(":") else first


@command(app, "arena bot activate my-bot 3f9c")
def activate(name: Name, version: Version, arena: Arena) -> None:
    """Let a qualified version play where its bot is named."""
    from hanafuda.arena.v1.bot_pb2 import ActivateVersionRequest

    request = ActivateVersionRequest(bot=name, version=version)
    changed = arena.do(lambda client: client.call(client.bots.ActivateVersion, request)).version
    typer.echo(f"{name}@{changed.version[:SHORT]} is active")


@command(app, "arena bot retire my-bot 3f9c")
def retire(name: Name, version: Version, arena: Arena) -> None:
    """Stop a version from entering leagues and matches. Activating it again undoes this."""
    from hanafuda.arena.v1.bot_pb2 import VERSION_STATUS_RETIRED, ListVersionsRequest, RetireVersionRequest

    async def change(client: "Client") -> tuple[str, bool]:
        known = await client.all(client.bots.ListVersions, ListVersionsRequest(bot=name), lambda page: page.versions)
        request = RetireVersionRequest(bot=name, version=version)
        retired = (await client.call(client.bots.RetireVersion, request)).version.version
        return retired, any(one.version == retired and one.status == VERSION_STATUS_RETIRED for one in known)

    retired, before = arena.do(change)
    typer.echo(f"{name}@{retired[:SHORT]} {'was retired already' if before else 'is retired'}")


@command(app, "arena bot take-out my-bot 3f9c")
def take_out(name: Name, version: Version, place: StoreOptions) -> None:
    """Bar a version for good. It forfeits its remaining matches; its past results stay."""

    async def change(store: "Store") -> str:
        found = await store.versions.find(name, version)
        await store.versions.take_out(name, found.version)
        return found.version

    typer.echo(f"{name}@{place.do(change)[:SHORT]} is taken out")
