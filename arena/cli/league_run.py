"""`arena league run`: a league from its file to its end."""

import sys
from contextlib import suppress
from shlex import quote

from rich.console import Console
from rich.live import Live
from rich.text import Text

from arena.cli.failures import CheckFailedError, WrongUseError
from arena.cli.forfeits import ask_again, forfeit_kind, named_here, what_it_wrote
from arena.cli.in_process import client_of
from arena.cli.infos import league_of, state_of, table_of, tables_document, variants_of
from arena.cli.league_file import LeagueFile, commitment_line
from arena.cli.league_view import print_result, progress_lines, round_lines
from arena.cli.output import harmless, print_document
from arena.cli.targets import StoreOptions
from arena.cli.web import pages_beside
from arena.launcher.errors import BotSourceError
from arena.launcher.path_bots import Confinement
from arena.launcher.sources import PathBot, parse_source
from arena.league.plurals import pluralize
from arena.league.tables import LeagueTable
from arena.match.live import LiveMatches
from arena.match.model import End, MatchResult, MatchSpec
from arena.node.node import Node, NodeOptions, running_node
from arena.organizer.luck import work_out, worker_pool
from arena.organizer.steps import retry_parked, spec_of
from arena.organizer.steps import start as start_league
from arena.organizer.versions import entered_versions
from arena.services.leagues import league_message
from arena.store import Job, League, Scope, Store
from arena.store.errors import LeagueChangedError


async def run_league(
    file: LeagueFile, web: str | None, confinement: Confinement, target: StoreOptions, as_json: bool
) -> None:
    """Make the league of a file or go on with it, and play it to its end.

    Raises WrongUseError where it is paused or was cancelled, CheckFailedError where it cannot go on and where a bot
    forfeited all its matches, and what keeps the store or the node from being opened.
    """
    console = Console(file=sys.stderr if as_json else sys.stdout)
    live = LiveMatches()
    async with await Store.open(target.data, redis=target.redis) as store, pages_beside(target, web):
        league = await _made(file, store, target)
        console.print(commitment_line(league), highlight=False, soft_wrap=True)
        if league.state == "cancelled":
            shows = target.command(f"league show {league.name}")
            raise WrongUseError(f"league {league.name} was cancelled; {shows} shows what was played")
        if league.state == "paused":
            resumes = target.command(f"league resume {league.name}")
            raise WrongUseError(f"league {league.name} is paused; {resumes} resumes it")
        if league.state == "open":
            await start_league(store, league.name)
        if league.state != "finished":
            # Where submitted bots play there has to be a cage, and then bots by path can have one too.
            submitted = bool(await entered_versions(store, await store.leagues.entrants(league.name)))
            node_of = running_node(
                store,
                target.data,
                options=NodeOptions(confinement=confinement, waits_for_cage=submitted),
                live=live,
                match_over=_Forfeits(console, file, target).show,
            )
            async with node_of as node:
                await retry_parked(store, league)
                await _watch(console, league.name, store, node, target)
        await _work_out_luck(console, league.name, store)
        await _report(console, league.name, store, target, as_json)


async def _made(file: LeagueFile, store: Store, target: StoreOptions) -> League:
    """The league of a file, made if it is new. Raises LeagueFileError; WrongUseError where it was made of another."""
    try:
        return await file.create(store)
    except LeagueChangedError as error:
        if (await store.leagues.get(file.spec.name)).state != "open":
            raise
        opens = target.command(f"league open {quote(str(file.path))}")
        raise WrongUseError(f"{error}; it has not started, so {opens} changes it") from error


class _Forfeits:
    """Says that bots forfeit: of each bot the first match of each kind, as soon as it is over."""

    def __init__(self, console: Console, file: LeagueFile, target: StoreOptions) -> None:
        self._console = console
        self._flags = target.flags
        self._logs = target.data / "logs"
        self._by_path: dict[str, str] = {}
        """The bots by a path that are still there, as commands in this folder name them."""
        for entry in file.spec.entries:
            with suppress(BotSourceError):
                source = parse_source(entry.bot, file.path.parent)
                if isinstance(source, PathBot):
                    self._by_path[entry.name] = named_here(source)
        self._shown: set[tuple[str, tuple[End, str]]] = set()

    def show(self, job: Job, spec: MatchSpec, result: MatchResult) -> None:
        """Say of a match that is over that a bot forfeited it, and why."""
        if result.offender < 0:
            return
        name = spec.names[result.offender]
        kind = name, forfeit_kind(result)
        if kind in self._shown:
            return
        self._shown.add(kind)
        line = (
            f"{name} forfeited match {spec.match_id} ({result.end}): {result.text}"
            f"{what_it_wrote(self._logs, str(job.scope.whole), name)}{self._ask_again(spec, name)}"
        )
        self._console.print(harmless(line), style="bold", highlight=False, markup=False, soft_wrap=True)

    def _ask_again(self, spec: MatchSpec, name: str) -> str:
        """The command that asks a bot by a path again; the arena's own and submitted ones are not mended there."""
        if name not in self._by_path:
            return ""
        by_path = {seat: self._by_path[bot] for seat, bot in enumerate(spec.names) if bot in self._by_path}
        return ask_again(spec.match_id, by_path, self._flags)


async def _watch(console: Console, name: str, store: Store, node: Node, target: StoreOptions) -> None:
    """Show progress until the league is over. A job that was given up ends the run: somebody has to look at it.

    So does a round of submitted bots, where this node is alone and cannot cage them.
    """
    printed: frozenset[str] = frozenset()
    stored = await store.leagues.get(name)
    if stored.played and stored.state == "running":
        console.print(f"{name}: goes on after {pluralize(stored.played, 'match', 'matches')}", highlight=False)
    with Live(console=console, refresh_per_second=5, transient=True) as live:
        while True:
            league = await store.leagues.get(name)
            info = await league_message(store, league)
            if console.is_terminal:
                live.update(Text("\n".join(progress_lines(info, info.divisions, target))))
            else:
                lines = round_lines(info, target)
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
            if target.redis is None and (why_not := node.submissions.why_left(name)):
                raise CheckFailedError(
                    f"league {name} cannot go on: bots play in it that cannot play on this machine: {why_not}"
                )
            await node.progress(timeout=0.5 if console.is_terminal else 5.0)


async def _work_out_luck(console: Console, name: str, store: Store) -> None:
    """Work out what is missing of the luck that the league measures, and show how far it is."""
    league = await store.leagues.get(name)
    if all(division.luck_value is None for division in spec_of(league).divisions):
        return
    with (
        Live(console=console, refresh_per_second=5, transient=True) as live,
        worker_pool() as pool,
    ):

        def progress(done: int, of: int) -> None:
            live.update(Text(f"{name}: luck of {done} of {pluralize(of, 'match', 'matches')} worked out"))

        await work_out(store, league, pool, progress=progress)


async def _report(console: Console, name: str, store: Store, target: StoreOptions, as_json: bool) -> None:
    client = client_of(store)
    league, table = await league_of(client, name), await table_of(client, name)
    if as_json:
        print_document(tables_document(league, table, variants_of(league)))
    else:
        first = (await store.replays.list(league=name, limit=1)).items
        where = f"Replays: arena replay list --league {name}{target.flags}"
        if first:
            where += f"\nWatch them in a browser: arena web{target.flags}"
            where += f"\nVerify one: arena replay verify {first[0].id}{target.flags}"
        print_result(console, league, table, where)
    if state_of(league.status) == "cancelled":
        raise CheckFailedError(f"league {name} was cancelled before its end")
    if lines := _only_forfeits(table):
        raise CheckFailedError("\n".join(lines))


def _only_forfeits(table: LeagueTable) -> list[str]:
    """A line for each bot and division in which it forfeited all that it played."""
    return [
        f"{row.name} forfeited all it played of {division.variant}: {pluralize(row.played, 'match', 'matches')}"
        for division in table.divisions
        for row in division.standings
        if row.forfeits and row.forfeits == row.played
    ]
