"""How a ladder stands: its bots by their ratings, with what people want to know of each."""

import asyncio
from collections.abc import Mapping, Sequence

import msgspec

from arena.league.spec import HOUSE
from arena.organizer.entries import Player
from arena.organizer.ladders import LadderState, Place, boards_of, places, state_of
from arena.organizer.steps import Tables
from arena.store import League, Scope, Store
from arena.store.errors import UnknownLeagueError


class LadderRow(msgspec.Struct, frozen=True):
    """A bot on a ladder. Its rating has no ends of error bars while too few boards were played, and is not shown."""

    rank: int
    bot: str
    plays: str
    """What entries call it: `house:NAME`, the name of a submitted bot, or a path."""
    version: str
    owner: str
    rating: float | None
    low: float | None
    high: float | None
    boards: int
    """In all seasons, by all of its versions."""
    won: int
    """Matches of this season, by its version."""
    drawn: int
    lost: int
    forfeits: int
    last_us: int
    """When its last match was over, in microseconds since 1970; 0 before its first."""
    entry: str
    """What it is called in the season's league."""


class LadderView(msgspec.Struct, frozen=True):
    """A ladder with its table, best first."""

    name: str
    variant: str
    season: int
    league: str
    """The season's league; it may not be made yet."""
    state: str
    round: int
    rounds: int
    matches: int
    """Matches of the season that were played."""
    commitment: str
    rows: tuple[LadderRow, ...]


async def view_of(store: Store, name: str, tables: Tables | None = None) -> LadderView:
    """How a ladder stands after the rounds that are complete. Raises UnknownLadderError, UnreadableLadderError."""
    state = state_of(await store.ladders.get(name))
    season = state.season.name
    try:
        league = await store.leagues.get(season)
    except UnknownLeagueError:
        return LadderView(name, state.variant, state.number, season, _phase(state, None), 0, _rounds(state), 0, "", ())
    division = league.division(state.variant)
    return LadderView(
        name=name,
        variant=state.variant,
        season=state.number,
        league=season,
        state=_phase(state, league),
        round=division.round,
        rounds=division.rounds,
        matches=division.played,
        commitment=league.commitment,
        rows=await _rows(store, state, league, tables or Tables(store)),
    )


def _rounds(state: LadderState) -> int:
    return state.spec.division().rounds


def _phase(state: LadderState, league: League | None) -> str:
    """What a ladder does, in a word."""
    if state.closing:
        return "closed" if league is None or league.state in ("finished", "cancelled") else "closing"
    if league is None or league.state in ("open", "finished", "cancelled"):
        return "waiting"
    return league.state


async def _rows(store: Store, state: LadderState, league: League, tables: Tables) -> tuple[LadderRow, ...]:
    table = (await tables.of(league)).divisions[0]
    there = await places(store, league, state.variant)
    standings = {row.name: row for row in table.standings}
    boards = boards_of(state, there, {name: row.played for name, row in standings.items()})
    shown = {line: place for line, place in there.items() if place.is_in or state.closing}
    last = await _last_played(store, league, state.variant, shown)

    def order(line: str) -> tuple[bool, float, str]:
        rating = table.ratings.get(shown[line].entry.bot)
        return rating is None, 0.0 if rating is None else -rating.mu, line

    rows = []
    for rank, line in enumerate(sorted(shown, key=order), start=1):
        place = shown[line]
        rating, row = table.ratings.get(place.entry.bot), standings.get(place.entry.bot)
        rows.append(
            LadderRow(
                rank=rank,
                bot=line,
                plays=_plays(place.player),
                version=place.player.version,
                owner=place.entry.owner,
                rating=None if rating is None else rating.mu,
                low=None if rating is None else rating.low,
                high=None if rating is None else rating.high,
                boards=boards[line],
                won=0 if row is None else row.won,
                drawn=0 if row is None else row.drawn,
                lost=0 if row is None else row.lost,
                forfeits=0 if row is None else row.forfeits,
                last_us=last[line],
                entry=place.entry.bot,
            )
        )
    return tuple(rows)


def _plays(player: Player) -> str:
    """The bot, of which a path is nobody's business but the operator's."""
    return player.bot.rpartition("/")[2] if "/" in player.bot and not player.bot.startswith(HOUSE) else player.bot


async def _last_played(store: Store, league: League, variant: str, shown: Mapping[str, Place]) -> dict[str, int]:
    scope = Scope.league(league.name, variant)
    names: Sequence[str] = [*shown]
    times = await asyncio.gather(*(store.replays.last_us(scope, shown[line].entries) for line in names))
    return dict(zip(names, times, strict=True))
