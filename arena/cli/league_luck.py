"""`arena league table`: margins with the luck of the cards and without, and the luck of each match."""

from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from rich.console import Console

from arena.cli.failures import WrongUseError
from arena.cli.infos import league_of, table_of, tables_document, variants_of
from arena.cli.league_view import legend, print_adjusted, print_tables
from arena.cli.output import print_document
from arena.cli.targets import Arena
from arena.league.table_row import Shown
from arena.league.tables import LeagueTable
from arena.organizer.luck import work_out, worker_pool
from hanafuda.arena.v1.league_pb2 import GetRoundLuckRequest, League, MatchLuck

if TYPE_CHECKING:
    from arena.remote.client import Client
    from arena.store import Store


def show_tables(name: str, arena: Arena) -> None:
    """Show the tables of a league."""

    async def read(client: "Client") -> tuple[League, LeagueTable]:
        return await league_of(client, name), await table_of(client, name)

    league, table = arena.do(read)
    print_tables(Console(), league, table)


def show_adjusted(name: str, arena: Arena, *, matches: bool, as_json: bool) -> None:
    """Show the margins of a league without the luck. WrongUseError where no division has defined a value for it."""
    league = arena.do(lambda client: league_of(client, name))
    if not any(division.HasField("luck_value") for division in league.divisions):
        raise WrongUseError(
            f"league {league.name} has defined no value by which luck could be taken out, and none is chosen once "
            "results can be seen: `adjusted = true` in a league's file defines one"
        )
    if arena.server is None:
        arena.store.do(lambda store: _work_out(store, name))

    async def read(client: "Client") -> tuple[LeagueTable, list[MatchLuck]]:
        return await table_of(client, name), await _luck(client, league) if matches or as_json else []

    table, luck = arena.do(read)
    if as_json:
        document = tables_document(league, table, variants_of(league))
        print_document(document | {"luck": [_match_document(match) for match in luck]})
        return
    console = Console()
    shown = [division for division in table.divisions if division.adjusted is not UNSET]
    for division in shown:
        print_adjusted(console, league, division)
    console.print(legend(league, shown, Shown.ADJUSTED), style="dim")
    for match in luck:
        console.print(_match_line(match), highlight=False, soft_wrap=True)


async def _work_out(store: "Store", name: str) -> None:
    with worker_pool() as pool:
        await work_out(store, await store.leagues.get(name), pool)


async def _luck(client: "Client", league: League) -> list[MatchLuck]:
    """The luck of each match, as far as it is known, in order."""
    matches: list[MatchLuck] = []
    for division in league.divisions:
        if division.HasField("luck_value"):
            for number in range(1, division.round + 1):
                request = GetRoundLuckRequest(league=league.name, variant=division.variant, round=number)
                matches += (await client.call(client.leagues.GetRoundLuck, request)).matches
    return matches


def _match_document(match: MatchLuck) -> dict[str, Any]:
    return {
        "match": match.match_id,
        "bots": list(match.bots),
        "margins": list(match.margins),
        "luck": list(match.luck),
    }


def _match_line(match: MatchLuck) -> str:
    seats = zip(match.bots, match.margins, match.luck, strict=True)
    parts = (f"{bot} {margin:+.1f}, luck {luck:+.1f}, play {margin - luck:+.1f}" for bot, margin, luck in seats)
    return f"{match.match_id}: {'; '.join(parts)}"
