"""`arena bot …`"""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.reading import existing_store, open_store
from arena.cli.values import DEFAULT_DATA, Data, RedisUrl, Variant

if TYPE_CHECKING:
    from arena.conformance.check import Report

_LONGEST_OWNER = 128

app = typer.Typer(name="bot", help="Bots: a starting point, a check, a token.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The bot's name: letters, digits, dots, underscores, hyphens.")]


@app.command()
def new(folder: Annotated[Path, typer.Argument(help="The folder to make.")]) -> None:
    """Write a starting point for a bot, which plays as it is."""
    from importlib.resources import files

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise WrongUseError(f"{folder} exists and is not an empty folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for template in files("arena.sdk").joinpath("template").iterdir():
            if template.is_file():
                (folder / template.name).write_bytes(template.read_bytes())
    except OSError as error:
        raise WrongUseError(f"{error.filename}: {error.strerror}") from error
    path = quote(str(folder / "bot.py"))
    typer.echo(f"A bot is in {folder}. Play it: arena match play {path} house:greedy --seed 7")


@app.command()
def check(
    bot: Annotated[str, typer.Argument(help="The bot's path.")],
    variant: Variant = "koikoi",
) -> None:
    """Play a bot through the protocol's checks, and show the exact decision that broke it. Exit status 1 if one did."""
    from arena.cli.aio import run
    from arena.conformance.check import check_bot
    from arena.launcher.sources import PathBot, parse_source
    from core_ext import variant_info

    source = parse_source(bot)
    if not isinstance(source, PathBot):
        raise WrongUseError(f"{bot!r} is no path; a check starts the bot itself, for example ./my_bot.py")
    variant_info(variant)  # an unknown one is refused before the bot is started
    _report(bot, run(check_bot(source, variant)))


@app.command()
def create(
    name: Name,
    owner: Annotated[
        str, typer.Option(help="Whose bot it is; bots of one owner are kept apart where that can be.")
    ] = "",
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
) -> None:
    """Register a bot and print its token, this once: the arena keeps only its hash."""
    from arena.cli.aio import run

    if len(owner) > _LONGEST_OWNER or not owner.isprintable():
        raise WrongUseError(f"an owner is one line of at most {_LONGEST_OWNER} printable characters")
    typer.echo(run(_create(name, owner, data, redis)))


@app.command("token")
def new_token(name: Name, data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """Give a bot a new token and print it; the old one is worth nothing at once."""
    from arena.cli.aio import run

    typer.echo(run(_rotate(name, data, redis)))


@app.command("list")
def list_bots(data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """List the bots that are registered."""
    from arena.cli.aio import run

    run(_list(data, redis))


def _report(bot: str, report: "Report") -> None:
    for outcome in report.outcomes:
        typer.echo(f"{'FAILED' if outcome.fault else 'ok':<6}  {outcome.name}")
    if report.reproducible is False:
        typer.echo("note    it played one match twice in different ways: decision.random gives the same dice each time")
    if report.passed:
        typer.echo(f"{bot} keeps the protocol")
        return
    failed = report.outcomes[-1]
    parts = [f"{bot}: {failed.fault}", str(failed.decision or ""), report.output and f"it wrote:\n{report.output}"]
    raise CheckFailedError("\n".join(filter(None, parts)))


async def _create(name: str, owner: str, data: Path, redis: str | None) -> str:
    async with open_store(data, redis) as store:
        _, token = await store.bots.create(name, owner=owner)
        return token


async def _rotate(name: str, data: Path, redis: str | None) -> str:
    async with existing_store(data, redis) as store:
        return await store.bots.rotate(name)


async def _list(data: Path, redis: str | None) -> None:
    async with existing_store(data, redis) as store:
        after = ""
        while True:
            page = await store.bots.list(after=after)
            for bot in page.items:
                typer.echo(f"{bot.name}{'  ' + bot.owner if bot.owner else ''}")
            if not page.next:
                return
            after = page.next
