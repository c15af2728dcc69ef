"""`arena league …`"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.commands import command
from arena.cli.documents import print_document
from arena.cli.failures import CheckFailedError, TerminatedError, WrongUseError
from arena.cli.league_changes import cancel, enter, pause, resume, retry, start, withdraw
from arena.cli.league_file import LeagueFile, read_file
from arena.cli.league_proof import export, table, verify
from arena.cli.league_schedules import schedule, unschedule, upcoming
from arena.cli.places import Arena, StoreOptions
from arena.cli.values import AsJson, LeagueName, Uncaged, confinement_of
from arena.cli.web import WebAddress, pages_beside

if TYPE_CHECKING:
    from rich.console import Console

    from arena.cli.infos import LeagueInfo
    from arena.cli.places import Source
    from arena.launcher.path_bots import Confinement
    from arena.league.tables import LeagueTable
    from arena.node.node import Node
    from arena.store import League, Store
    from hanafuda.arena.v1.league_pb2 import LeagueDivision

app = typer.Typer(name="league", help="Run leagues, enter bots, show tables.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The league file (TOML).")]


@command(app, "arena league run examples/koikoi.toml")
def run(
    file: File, place: StoreOptions, web: WebAddress = None, uncaged: Uncaged = False, as_json: AsJson = False
) -> None:
    """Run a whole league, from its entries to the final table.

    It can be stopped or killed at any moment: the same command continues where it was.
    """
    from arena.cli.aio import run as run_loop
    from arena.store.errors import DataFolderInUseError

    read = read_file(file, place)
    try:
        run_loop(_run(read, web, confinement_of(uncaged), place, as_json))
    except DataFolderInUseError as error:
        raise WrongUseError(f"{error}; beside a node, `arena league open` and `arena league start` do it") from error
    except (KeyboardInterrupt, TerminatedError):
        typer.echo(f"league {read.spec.name} stopped; the same command continues where it was", err=True)
        raise


@command(app, "arena league open grand.toml", name="open")
def open_league(file: File, place: StoreOptions) -> None:
    """Create a league from a file, open for bots to enter.

    Run again with a changed file, it changes the league, as long as that has not started. Bots that have entered stay.
    """
    read = read_file(file, place, takes_entries=True)
    place.do(lambda store: _open(read, store), create=True)


@command(app, "arena league list --json", name="list")
def list_leagues(arena: Arena, as_json: AsJson = False) -> None:
    """List the leagues of an arena."""
    from arena.league.plurals import pluralize

    leagues = arena.do(lambda source: source.leagues())
    if as_json:
        listed = [_head(league) | {"divisions": [_division(one) for one in league.divisions]} for league in leagues]
        print_document({"leagues": listed})
        return
    for league in leagues:
        rounds = ", ".join(f"{one.variant} {one.round}/{one.rounds}" for one in league.divisions)
        typer.echo(f"{league.name}  {league.state}  {rounds}  {pluralize(league.played, 'match', 'matches')}")


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

    from arena.cli.league_view import head_to_head, print_tables, print_versions, progress_lines

    async def read(source: "Source") -> "tuple[LeagueInfo, LeagueTable]":
        league = await source.league(name)
        if division is not None and division not in league.variants:
            raise WrongUseError(f"league {name} has no division of {division!r}; it has {', '.join(league.variants)}")
        return league, await source.table(name)

    league, table = arena.do(read)
    shown = league.variants if division is None else (division,)
    if as_json:
        _print_json(league, table, shown)
        return
    console = Console()
    if league.state not in ("finished", "cancelled"):
        for line in [*progress_lines(league, shown), *_waiting(league, shown), *_given_up(league, shown)]:
            console.print(line, highlight=False)
    print_tables(console, league, table, shown)
    print_versions(console, league)
    if meetings:
        for one in table.divisions:
            if one.variant in shown and one.rounds:
                console.print(head_to_head(name, one))


for function, example in (
    (start, "arena league start grand"),
    (enter, "arena league enter grand house:search --as third"),
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
    (verify, "arena league verify spring.zip"),
):
    command(app, example)(function)


async def _open(file: LeagueFile, store: "Store") -> None:
    from arena.league.plurals import pluralize
    from arena.store.errors import LeagueChangedError

    try:
        league = await file.create(store)
    except LeagueChangedError:
        change = await file.change(store)
        league = change.league
        typer.echo(f"League {league.name} is changed as its file now says; its commitment is the same.")
        for dropped in change.dropped:
            typer.echo(f"No longer entered: {dropped}")
        for name in change.withdrawn:
            typer.echo(f"{name} had withdrawn and stays out; `arena league enter` brings it back.")
    typer.echo(_commitment(league))
    entered = pluralize(len(await store.leagues.entrants(league.name)), "bot")
    go_on = "; `arena league enter` adds one, `arena league start` begins" if league.state == "open" else ""
    typer.echo(f"It is {league.state}, with {entered}{go_on}.")


def _commitment(league: "League") -> str:
    return f"League {league.name}. SHA-256 of its secret: {league.commitment}"


async def _run(
    file: LeagueFile, web: str | None, confinement: "Confinement", place: StoreOptions, as_json: bool
) -> None:
    from rich.console import Console

    from arena.match.live import LiveMatches
    from arena.node.node import running_node
    from arena.organizer.steps import retry_parked
    from arena.organizer.steps import start as start_league
    from arena.organizer.versions import entered_versions
    from arena.store import Store

    console = Console(file=sys.stderr if as_json else sys.stdout)
    live = LiveMatches()
    async with await Store.open(place.data, redis=place.redis) as store, pages_beside(place, web):
        league = await file.create(store)
        console.print(_commitment(league), highlight=False, soft_wrap=True)
        if league.state == "cancelled":
            raise WrongUseError(f"league {league.name} was cancelled; `arena league show` shows what was played")
        if league.state == "paused":
            raise WrongUseError(f"league {league.name} is paused; `arena league resume` resumes it")
        if league.state == "open":
            await start_league(store, league.name)
        if league.state != "finished":
            # Where submitted bots play there has to be a cage, and then bots by path can have one too.
            submitted = bool(await entered_versions(store, await store.leagues.entrants(league.name)))
            node_of = running_node(store, place.data, live=live, confinement=confinement, waits_for_cage=submitted)
            async with node_of as node:
                await retry_parked(store, league)
                await _watch(console, league.name, store, node, alone=place.redis is None)
        await _report(console, league.name, store, place, as_json)


async def _watch(console: "Console", name: str, store: "Store", node: "Node", *, alone: bool) -> None:
    """Show progress until the league is over. A job that was given up ends the run: somebody has to look at it.

    So does a round of submitted bots, where this node is `alone` and cannot cage them.
    """
    from rich.live import Live
    from rich.text import Text

    from arena.cli.infos import league_info
    from arena.cli.league_view import progress_lines, round_lines
    from arena.services.leagues import league_message
    from arena.store import Scope

    printed: frozenset[str] = frozenset()
    with Live(console=console, refresh_per_second=5, transient=True) as live:
        while True:
            league = await store.leagues.get(name)
            info = league_info(await league_message(store, league))
            if console.is_terminal:
                live.update(Text("\n".join(progress_lines(info, info.variants))))
            else:
                lines = round_lines(info)
                for line in lines:
                    if line not in printed:
                        console.print(line, highlight=False, soft_wrap=True)
                printed = frozenset(lines)
            if league.state in ("finished", "cancelled"):
                return
            for division in league.divisions:
                parked = await store.stalled.parked(Scope.league(name, division.variant), limit=1)
                if parked.items:
                    raise CheckFailedError(
                        f"league {name} cannot go on: {parked.items[0].error}\n"
                        "fix that and run the same command again; nothing that was played is lost"
                    )
            if alone and (why_not := node.submissions.why_left(name)):
                raise CheckFailedError(
                    f"league {name} cannot go on: bots play in it that cannot play on this machine: {why_not}"
                )
            await node.progress(timeout=0.5 if console.is_terminal else 5.0)


async def _report(console: "Console", name: str, store: "Store", place: StoreOptions, as_json: bool) -> None:
    from arena.cli.league_view import print_result
    from arena.cli.store_source import StoreSource

    arena = StoreSource(store)
    league, table = await arena.league(name), await arena.table(name)
    if as_json:
        _print_json(league, table, league.variants)
    else:
        first = (await store.replays.list(league=name, limit=1)).items
        where = f"Replays: arena replay list --league {name}{place.flags}"
        if first:
            where += f"\nWatch them in a browser: arena web{place.flags}"
            where += f"\nVerify one: arena replay verify {first[0].id}{place.flags}"
        print_result(console, league, table, where)
    if league.state == "cancelled":
        raise CheckFailedError(f"league {name} was cancelled before its end")


def _waiting(league: "LeagueInfo", variants: Sequence[str]) -> list[str]:
    """What to say of rounds on which no node works."""
    return [
        f"{league.name} · {one.variant}: no node works on this round; "
        f"its bots need one that can cage bots and offers {' and '.join(one.waits_for)}"
        for one in map(league.division, variants)
        if one.waits_for
    ]


def _given_up(league: "LeagueInfo", variants: Sequence[str]) -> list[str]:
    """What to say of a league that waits for its operator: jobs were given up."""
    lines = []
    for division in map(league.division, variants):
        if division.matches_parked:
            jobs = "1 job was" if division.matches_parked == 1 else f"{division.matches_parked} jobs were"
            fault = league.faults.get(division.variant)
            why = f", the first with: {fault}" if fault else ""
            retry = f"fix that, then `arena league retry {league.name}`"
            lines.append(f"{league.name} · {division.variant}: {jobs} given up{why}; {retry}")
    return lines


def _head(league: "LeagueInfo") -> dict[str, object]:
    """What a document says of a league as a whole."""
    return {
        "league": league.name,
        "state": league.state,
        "test": league.test,
        "commitment": league.commitment,
        "secret": None if league.secret is None else league.secret.hex(),
        "entropy": league.entropy or None,
        "matches": league.played,
    }


def _division(division: "LeagueDivision") -> dict[str, object]:
    """What a document says of a division, but for its table."""
    from arena.cli.infos import state_of

    return {
        "variant": division.variant,
        "state": state_of(division.status),
        "round": division.round,
        "rounds": division.rounds,
        "matches": division.matches_played,
        "waits_for": list(division.waits_for),
    }


def _print_json(league: "LeagueInfo", table: "LeagueTable", shown: Sequence[str]) -> None:
    tables = {one.variant: one for one in table.divisions}
    document = _head(league) | {
        "versions": {name: entered.version for name, entered in league.versions.items()},
        "reproducible": [name for name, entered in league.versions.items() if entered.reproducible],
        "divisions": [
            _division(one) | {"table": tables[one.variant]} for one in league.divisions if one.variant in shown
        ],
        "all_round": table.all_round,
        "ratings": table.ratings,
    }
    print_document(document)
