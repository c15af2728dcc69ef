"""`arena league …`"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.failures import CheckFailedError, TerminatedError, WrongUseError
from arena.cli.reading import existing_store
from arena.cli.values import DEFAULT_DATA, AsJson, Data, RedisUrl

if TYPE_CHECKING:
    from rich.console import Console

    from arena.league.spec import LeagueSpec
    from arena.store import League, Store
    from arena.worker.entries import Player
    from arena.worker.node import Node

app = typer.Typer(name="league", help="Leagues: run one from a file, look at how it stands.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The league's name.")]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="The league file (TOML).")],
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
    as_json: AsJson = False,
) -> None:
    """Run a whole league, from entries to the final table.

    Killed at any moment, it goes on where it was when the same command is run again.
    """
    from arena.cli.aio import run as run_loop
    from arena.league.spec import fault, parse_league
    from arena.worker.entries import check
    from arena.worker.errors import UnplayableError
    from core_ext import VARIANTS

    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise WrongUseError(f"league file {file}: {reason}") from error
    spec = parse_league(text, str(file), VARIANTS)
    try:
        players = check(spec, file.resolve().parent)
    except UnplayableError as error:
        raise fault(text, str(file), error.path, str(error)) from error
    try:
        run_loop(_run(spec, players, data, redis, as_json))
    except (KeyboardInterrupt, TerminatedError):
        typer.echo(f"league {spec.name} stopped; the same command goes on where it was", err=True)
        raise


@app.command("list")
def list_leagues(data: Data = DEFAULT_DATA, redis: RedisUrl = None) -> None:
    """List the leagues of a store."""
    from arena.cli.aio import run as run_loop

    run_loop(_list(data, redis))


@app.command()
def show(name: Name, data: Data = DEFAULT_DATA, redis: RedisUrl = None, as_json: AsJson = False) -> None:
    """Show a league's table after the rounds that are complete."""
    from arena.cli.aio import run as run_loop

    run_loop(_show(name, data, redis, as_json))


async def _run(spec: "LeagueSpec", players: "dict[str, Player]", data: Path, redis: str | None, as_json: bool) -> None:
    import msgspec
    from rich.console import Console

    from arena.league.spec import canonical, digest
    from arena.store import Entrant, Store
    from arena.worker.league import retry_parked
    from arena.worker.node import running_node

    console = Console(file=sys.stderr if as_json else sys.stdout)
    async with await Store.open(data, redis=redis) as store:
        secret = bytes.fromhex(spec.secret) if spec.secret else None
        league = await store.leagues.create(spec.name, canonical(spec), digest=digest(spec), secret=secret)
        console.print(
            f"League {league.name}. SHA-256 of its secret: {league.commitment}", highlight=False, soft_wrap=True
        )
        if league.state == "open":
            for name, player in players.items():
                await store.leagues.enter(spec.name, Entrant(name, payload=msgspec.msgpack.encode(player)))
            await store.leagues.start(spec.name)
        if league.state in ("open", "running"):
            async with running_node(store, data) as node:
                await retry_parked(node.jobs, spec.name)
                await _watch(console, spec, store, node)
        await _report(console, spec, store, data, redis, as_json)


async def _watch(console: "Console", spec: "LeagueSpec", store: "Store", node: "Node") -> None:
    """Show progress until the league is over. A job that was given up ends the run: somebody has to look at it."""
    from rich.live import Live
    from rich.text import Text

    from arena.cli.league_view import progress_line, round_line
    from arena.store import Scope

    scope = Scope.league(spec.name)
    printed = -1
    with Live(console=console, refresh_per_second=5, transient=True) as live:
        while True:
            league = await store.leagues.get(spec.name)
            if console.is_terminal:
                live.update(Text(progress_line(spec, league)))
            elif league.round != printed:
                console.print(round_line(spec, league), highlight=False, soft_wrap=True)
                printed = league.round
            if league.state == "finished":
                return
            parked = await node.jobs.parked(scope, limit=1)
            if parked.items:
                raise CheckFailedError(
                    f"league {spec.name} cannot go on: {parked.items[0].error}\n"
                    "mend that and run the same command again; nothing that was played is lost"
                )
            await node.progress(timeout=0.5 if console.is_terminal else 5.0)


async def _report(
    console: "Console", spec: "LeagueSpec", store: "Store", data: Path, redis: str | None, as_json: bool
) -> None:
    from arena.cli.league_view import print_result
    from arena.worker.league import table_of

    league = await store.leagues.get(spec.name)
    table = await table_of(store, league)
    if as_json:
        _print_json(league, table)
        return
    place = f" --redis {redis}" if redis else f" --data {data}" if data != DEFAULT_DATA else ""
    first = (await store.replays.list(league=spec.name, limit=1)).items
    where = f"Replays: arena replay list --league {spec.name}{place}"
    if first:
        where += f"\nVerify one: arena replay verify {first[0].id}{place}"
    print_result(console, spec, league, table, where)


async def _list(data: Path, redis: str | None) -> None:
    async with existing_store(data, redis) as store:
        after = ""
        while True:
            page = await store.leagues.list(after=after)
            for league in page.items:
                typer.echo(f"{league.name}  {league.state}  round {league.round}  {league.played} matches")
            if not page.next:
                return
            after = page.next


async def _show(name: str, data: Path, redis: str | None, as_json: bool) -> None:
    from rich.console import Console

    from arena.cli.league_view import progress_line, standings
    from arena.worker.league import spec_of, table_of

    async with existing_store(data, redis) as store:
        league = await store.leagues.get(name)
        table = await table_of(store, league)
        if as_json:
            _print_json(league, table)
            return
        spec = spec_of(league)
        console = Console()
        if league.state != "finished":
            console.print(progress_line(spec, league), highlight=False)
        console.print(standings(spec, table))


def _print_json(league: "League", table: object) -> None:
    import msgspec

    document = {
        "league": league.name,
        "state": league.state,
        "test": league.test,
        "commitment": league.commitment,
        "secret": league.secret.hex() if league.secret else None,
        "matches": league.played,
        "table": table,
    }
    typer.echo(msgspec.json.encode(document).decode())
