"""`arena bot submit` and what is done with versions."""

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.bot import Name
from arena.cli.commands import command
from arena.cli.documents import print_document
from arena.cli.places import Arena, StoreOptions
from arena.cli.submit import SHORT, submit
from arena.cli.values import AsJson

if TYPE_CHECKING:
    from arena.store import Store

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
def versions(name: Name, arena: Arena, as_json: AsJson = False) -> None:
    """List the versions of a bot, the oldest first."""
    rows = arena.do(lambda source: source.versions(name))
    if as_json:
        print_document({"bot": name, "versions": rows})
        return
    for row in rows:
        marks = [row["status"], *(mark for mark in ("active", "reproducible") if row[mark])]
        typer.echo(f"{row['version'][:SHORT]}  {row['created_at']}  {', '.join(marks)}")


@command(app, "arena bot activate my-bot 3f9c")
def activate(name: Name, version: Version, arena: Arena) -> None:
    """Let a qualified version play where its bot is named."""
    changed = arena.do(lambda source: source.activate(name, version))
    typer.echo(f"{name}@{changed[:SHORT]} is active")


@command(app, "arena bot retire my-bot 3f9c")
def retire(name: Name, version: Version, arena: Arena) -> None:
    """Stop a version from entering leagues and matches. Activating it again undoes this."""
    changed = arena.do(lambda source: source.retire(name, version))
    typer.echo(f"{name}@{changed[:SHORT]} is retired")


@command(app, "arena bot take-out my-bot 3f9c")
def take_out(name: Name, version: Version, place: StoreOptions) -> None:
    """Bar a version for good. It forfeits its remaining matches; its past results stay."""

    async def change(store: "Store") -> str:
        found = await store.versions.find(name, version)
        await store.versions.take_out(name, found.version)
        return found.version

    typer.echo(f"{name}@{place.do(change)[:SHORT]} is taken out")
