"""`arena league …`"""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.commands import command
from arena.cli.failures import WrongUseError
from arena.cli.interrupts import saying_if_stopped
from arena.cli.league_analysis import analyse
from arena.cli.league_changes import cancel, close, enter, pause, resume, retry, reveal, start, withdraw
from arena.cli.league_owners import owners
from arena.cli.league_proof import export, table, verify
from arena.cli.league_report import report
from arena.cli.league_schedules import schedule, unschedule, upcoming
from arena.cli.output import print_answer, print_document
from arena.cli.targets import Arena, StoreOptions
from arena.cli.values import AsJson, LeagueName, Uncaged, confinement_of
from arena.cli.web import WebAddress

if TYPE_CHECKING:
    from arena.league.tables import LeagueTable
    from arena.remote.client import Client
    from hanafuda.arena.v1.league_pb2 import League

app = typer.Typer(name="league", help="Run leagues, enter bots, show tables.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The league file (TOML).")]


@command(app, "arena league run examples/koikoi.toml")
def run(
    file: File, target: StoreOptions, web: WebAddress = None, uncaged: Uncaged = False, as_json: AsJson = False
) -> None:
    """Run a whole league, from its entries to the final table.

    It can be stopped or killed at any moment: the same command continues where it was.
    """
    from arena.cli.aio import run as run_loop
    from arena.cli.league_file import read_file
    from arena.cli.league_run import run_league
    from arena.store.errors import DataFolderInUseError

    read = read_file(file, target)
    stopped = f"league {read.spec.name} stopped; the same command continues where it was"
    try:
        with saying_if_stopped(lambda: stopped):
            run_loop(run_league(read, web, confinement_of(uncaged), target, as_json))
    except DataFolderInUseError as error:
        opens, starts = (
            target.command(f"league open {quote(str(file))}"),
            target.command(f"league start {read.spec.name}"),
        )
        raise WrongUseError(f"{error}; beside a node, {opens} and {starts} do it") from error


@command(app, "arena league open grand.toml", name="open")
def open_league(file: File, target: StoreOptions, as_json: AsJson = False) -> None:
    """Create a league from a file, open for bots to enter.

    Run again with a changed file, it changes the league, as long as that has not started. Bots that have entered stay.
    """
    from arena.cli.league_file import make_or_change, read_file

    read = read_file(file, target, takes_entries=True)
    made = target.do(lambda store: make_or_change(read, store), create=True)
    print_answer(as_json, made.document(), made.lines(read, target))


@command(app, "arena league list --json", name="list")
def list_leagues(arena: Arena, as_json: AsJson = False) -> None:
    """List the leagues of an arena."""
    from arena.cli.infos import division_document, league_document, matches_played, state_of
    from arena.league.plurals import pluralize
    from hanafuda.arena.v1.league_pb2 import ListLeaguesRequest

    request = ListLeaguesRequest()
    leagues = arena.read(lambda client: client.list_all(client.leagues.ListLeagues, request, lambda page: page.leagues))
    listed = [
        league_document(league) | {"divisions": [division_document(division) for division in league.divisions]}
        for league in leagues
    ]
    lines = []
    for league in leagues:
        rounds = ", ".join(f"{division.variant} {division.round}/{division.rounds}" for division in league.divisions)
        played = pluralize(matches_played(league), "match", "matches")
        lines.append(f"{league.name}  {state_of(league.status)}  {rounds}  {played}")
    print_answer(as_json, {"leagues": listed}, lines)


@command(app, "arena league show grand --division koikoi --head-to-head")
def show(
    name: LeagueName,
    arena: Arena,
    division: Annotated[str | None, typer.Option(metavar="VARIANT", help="Only this division.")] = None,
    meetings: Annotated[
        bool, typer.Option("--head-to-head", help="Also show what each bot scored against each other bot.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a league's tables after the rounds that are complete."""
    from rich.console import Console

    from arena.cli.infos import Troubles, league_of, state_of, table_of, tables_document, troubles_of, variants_of
    from arena.cli.league_view import print_league
    from arena.cli.pager import paged

    async def read(client: "Client") -> "tuple[League, LeagueTable]":
        league = await league_of(client, name)
        if division not in (None, *variants_of(league)):
            divisions = ", ".join(variants_of(league))
            raise WrongUseError(f"league {name} has no division of {division!r}; it has {divisions}")
        return league, await table_of(client, name)

    league, table = arena.read(read)
    shown = variants_of(league) if division is None else (division,)
    if as_json:
        print_document(tables_document(league, table, shown))
        return
    target = None if arena.server else arena.store
    troubles = Troubles()
    if target is not None and state_of(league.status) == "running":
        troubles = target.read(lambda store: troubles_of(store, league))
    console = Console()
    with paged(console):
        print_league(console, league, table, shown, troubles, target, meetings=meetings)


for function, example in (
    (start, "arena league start grand"),
    (close, "arena league close grand"),
    (enter, "arena league enter grand house:search --as third --nonce third.nonce"),
    (reveal, "arena league reveal grand third third.nonce"),
    (withdraw, "arena league withdraw grand third"),
    (pause, "arena league pause grand"),
    (resume, "arena league resume grand"),
    (retry, "arena league retry grand"),
    (cancel, "arena league cancel grand"),
    (schedule, "arena league schedule daily.toml"),
    (upcoming, "arena league upcoming"),
    (unschedule, "arena league unschedule daily"),
    (export, "arena league export spring spring.zip"),
    (table, "arena league table spring spring.json"),
    (report, "arena league report spring --html spring.html"),
    (analyse, "arena league analyse spring --matches 20 --worst 5"),
    (owners, "arena league owners spring.zip"),
    (verify, "arena league verify spring.zip"),
):
    command(app, example)(function)
