"""How a ladder stands: its bots by their ratings, with what people want to know of each."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from arena.league.estimates import Interval
from arena.league.ladder_ratings import rating_at
from arena.league.spec import HOUSE
from arena.organizer.entries import Player, player_of
from arena.organizer.ladders import LadderState, Place, boards_of, places, state_of
from arena.organizer.steps import Tables
from arena.store import EntryRecord, League, Scope, Store
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
    last_played: str
    """When its last match of the season was over, in ISO 8601; "" before its first."""
    entry: str
    """What it is called in the season's league."""

    @property
    def interval(self) -> Interval | None:
        """The rating with its error bars."""
        return None if self.rating is None else Interval(self.rating, self.low, self.high)


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
        rounds = state.spec.division().rounds
        rows = _rows_before(state)
        return LadderView(name, state.variant, state.number, season, _phase(state, None), 0, rounds, 0, "", rows)
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


def _phase(state: LadderState, league: League | None) -> str:
    """What a ladder does, in a word."""
    if state.closing:
        return "closed" if league is None or league.state in ("finished", "cancelled") else "closing"
    if league is None or league.state in ("open", "finished", "cancelled"):
        return "waiting"
    return league.state


async def _rows(store: Store, state: LadderState, league: League, tables: Tables) -> tuple[LadderRow, ...]:
    table = (await tables.of(league)).divisions[0]
    by_line = await places(store, league, state.variant)
    standings = {row.name: row for row in table.standings}
    boards = boards_of(state, by_line, {name: row.played for name, row in standings.items()})
    shown = {line: place for line, place in by_line.items() if place.is_in or state.closing}
    last = await _last_played(store, league, state.variant, shown)
    rows = []
    for line, place in shown.items():
        rating = table.ratings.get(place.entry.bot)
        row = _row(line, place.entry, None if rating is None else Interval(rating.mu, rating.low, rating.high))
        standing = standings.get(place.entry.bot)
        if standing is not None:
            won, drawn, lost, forfeits = standing.won, standing.drawn, standing.lost, standing.forfeits
            row = msgspec.structs.replace(row, won=won, drawn=drawn, lost=lost, forfeits=forfeits)
        rows.append(msgspec.structs.replace(row, boards=boards[line], last_played=_moment(last[line])))
    return _ranked(rows)


def _rows_before(state: LadderState) -> tuple[LadderRow, ...]:
    """The rows of a season that is not made yet: who plays in it, and the ratings with which it begins."""
    rows = []
    for entry in state.line_up:
        start = state.start.get(entry.bot)
        row = _row(entry.bot, entry, None if start is None else rating_at(start))
        rows.append(row if start is None else msgspec.structs.replace(row, boards=start.boards))
    return _ranked(rows)


def _row(line: str, entry: EntryRecord, rating: Interval | None) -> LadderRow:
    """A bot with its rating, and nothing played yet."""
    player = player_of(entry)
    value, low, high = (None, None, None) if rating is None else (rating.value, rating.low, rating.high)
    plays = _plays(player)
    return LadderRow(0, line, plays, player.version, entry.owner, value, low, high, 0, 0, 0, 0, 0, "", entry.bot)


def _ranked(rows: Sequence[LadderRow]) -> tuple[LadderRow, ...]:
    order = sorted(rows, key=lambda row: (row.rating is None, -(row.rating or 0.0), row.bot))
    return tuple(msgspec.structs.replace(row, rank=rank) for rank, row in enumerate(order, start=1))


def _moment(micros: int) -> str:
    if not micros:
        return ""
    return datetime.fromtimestamp(micros / 1_000_000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _plays(player: Player) -> str:
    """The bot, of which a path is nobody's business but the operator's."""
    return player.bot.rpartition("/")[2] if "/" in player.bot and not player.bot.startswith(HOUSE) else player.bot


async def _last_played(store: Store, league: League, variant: str, shown: Mapping[str, Place]) -> dict[str, int]:
    scope = Scope.league(league.name, variant)
    names: Sequence[str] = [*shown]
    times = await asyncio.gather(*(store.replays.last_us(scope, shown[line].entries) for line in names))
    return dict(zip(names, times, strict=True))
