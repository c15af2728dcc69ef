"""All that a league publishes of its results: a table for each division, and one over all of them."""

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

import msgspec
from msgspec import UNSET, UnsetType

from arena.league.adjustment import Adjusted, Luck, adjusted
from arena.league.all_round import AllRound, Places, all_round
from arena.league.columns import Columns
from arena.league.field import counted
from arena.league.lots import Lots
from arena.league.margin_rating import margin_ratings
from arena.league.methods.method import Event
from arena.league.methods.registry import method_of
from arena.league.over_all import over_all
from arena.league.ratings import Rating
from arena.league.separation import Separation
from arena.league.spec import Division, LeagueSpec
from arena.league.standings import HeadToHead, Standing, final_table, head_to_head
from arena.league.statistics import Estimate, Mirroring, field_luck, mean_margins, mirroring
from arena.league.values import Entrant, MatchOutcome, PlayedRound, parts


class DivisionTable(msgspec.Struct, frozen=True):
    """A division's table after some rounds, with what the numbers are worth.

    Points and margins of `standings` and `head_to_head` are in `parts`: 1 with two seats, sixths with three or four.
    `margins` and `margin_ratings` are in the variant's points a match. `mirroring` is what the board sets took out of
    luck, None where that cannot be estimated yet. A bot that has played no match has no margin and no rating. `best` is
    the probability that a bot is the strongest, `places` are numbered from 1 and shared by bots that the results do not
    tell apart (`arena.league.separation`); both are empty while too few boards were played to tell. `adjusted` is there
    if the division has defined a value by which luck is taken out.
    """

    variant: str
    seats: int
    parts: int
    rounds: int
    standings: tuple[Standing, ...]
    margins: dict[str, Estimate]
    head_to_head: tuple[HeadToHead, ...]
    mirroring: Mirroring | None
    ratings: dict[str, Rating]
    best: dict[str, float]
    places: dict[str, int]
    margin_ratings: dict[str, Estimate] = {}
    adjusted: Adjusted | UnsetType = UNSET

    @property
    def is_rated(self) -> bool:
        """Whether enough boards were played for error bars of ratings; without them no rating is shown."""
        return any(rating.low is not None or rating.high is not None for rating in self.ratings.values())


class LeagueTable(msgspec.Struct, frozen=True):
    """A league's divisions, and over all of them the all-round table and the ratings."""

    divisions: tuple[DivisionTable, ...]
    all_round: tuple[AllRound, ...]
    ratings: dict[str, Rating]


def division_table(
    spec: LeagueSpec,
    division: Division,
    entrants: Collection[Entrant],
    rounds: Sequence[PlayedRound],
    luck: Luck | None = None,
) -> tuple[DivisionTable, Places]:
    """The table of a division after these rounds, and its places; the same arguments always give the same table.

    `luck` is that of its matches as far as it is known.
    """
    played = counted(division, rounds)
    columns = Columns([_outcomes(played)])
    rows = {row.name: row for row in final_table(spec, division, entrants, played, columns)}
    event = Event(spec, division, entrants, played)
    ratings = method_of(division).rated(event, columns)
    placed = method_of(division).places(event, [*rows.values()], ratings)
    order = chain.from_iterable(placed)
    standings = tuple(msgspec.structs.replace(rows[name], rank=rank) for rank, name in enumerate(order, start=1))
    separation = Separation(columns, ratings, spec.lot)
    table = DivisionTable(
        variant=division.variant,
        seats=division.seats,
        parts=parts(division.seats),
        rounds=len(rounds),
        standings=standings,
        margins=mean_margins(columns),
        head_to_head=head_to_head(columns),
        mirroring=mirroring(columns) if division.board_sets == "mirror" else field_luck(rounds),
        ratings=ratings,
        best=separation.best(),
        places=separation.places([row.name for row in standings]),
        margin_ratings=margin_ratings(columns),
        adjusted=adjusted(division, rounds, luck or {}) or UNSET,
    )
    return table, placed


def league_table(
    spec: LeagueSpec,
    divisions: Mapping[str, tuple[Collection[Entrant], Sequence[PlayedRound]]],
    luck: Mapping[str, Luck] | None = None,
) -> LeagueTable:
    """The table of a league from the entrants, the rounds and the luck of each of its divisions, by variant."""
    lucks = luck or {}
    counts = [
        division_table(spec, division, *divisions[division.variant], lucks.get(division.variant))
        for division in spec.divisions
    ]
    tables = tuple(table for table, _ in counts)
    overall = over_all([table.ratings for table in tables])
    # Before a round is complete nobody stands before anybody: such a division counts for nothing, not half.
    placed = {table.variant: places for table, places in counts if table.rounds}
    ranking = all_round(placed, Lots(spec.lot, "all-round"))
    return LeagueTable(tables, ranking, overall)


def json_document(value: object) -> bytes:
    """A value as a JSON document, always in the same bytes: so tables and the rest of a league are archived, signed."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def _outcomes(rounds: Sequence[PlayedRound]) -> list[MatchOutcome]:
    return [outcome for played in rounds for outcome in played.outcomes]
