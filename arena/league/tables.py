"""All that a league publishes of its results: a table for each division, and one over all of them."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from arena.league.all_round import AllRound, all_round, places
from arena.league.field import counted
from arena.league.lots import Lots
from arena.league.ratings import BoardSet, Rating, board_sets, over_all, ratings
from arena.league.spec import Division, LeagueSpec
from arena.league.standings import HeadToHead, Standing, final_table, head_to_head
from arena.league.statistics import Estimate, Mirroring, field_luck, mean_margins, mirroring
from arena.league.values import Entrant, MatchOutcome, PlayedRound, parts

_MOST_RESAMPLES, _LEAST_RESAMPLES = 400, 100
_RATED_MATCHES = 20_000_000
"""Of all resamples together, about: ten million take two seconds."""


class DivisionTable(msgspec.Struct, frozen=True):
    """A division's table after some rounds, with what the numbers are worth.

    Points and margins of `standings` and `head_to_head` are in `parts`: 1 with two seats, sixths with three or four.
    `margins` are in the variant's points a match. `mirroring` is what the board sets took out of luck, None where that
    cannot be told yet. A bot that has played no match has no margin and no rating.
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


class LeagueTable(msgspec.Struct, frozen=True):
    """A league's divisions, and over all of them the all-round table and the ratings."""

    divisions: tuple[DivisionTable, ...]
    all_round: tuple[AllRound, ...]
    ratings: dict[str, Rating]


def division_table(
    spec: LeagueSpec, division: Division, entrants: Collection[Entrant], rounds: Sequence[PlayedRound]
) -> DivisionTable:
    """The table of a division after these rounds; the same arguments always give the same table."""
    played = counted(division, rounds)
    outcomes = [outcome for one in played for outcome in one.outcomes]
    return DivisionTable(
        variant=division.variant,
        seats=division.seats,
        parts=parts(division.seats),
        rounds=len(rounds),
        standings=final_table(spec, division, entrants, played),
        margins=mean_margins(outcomes, spec.lot),
        head_to_head=head_to_head(played),
        mirroring=mirroring(outcomes) if division.board_sets == "mirror" else field_luck(rounds),
        ratings=_ratings(spec, board_sets(outcomes)),
    )


def league_table(
    spec: LeagueSpec, divisions: Mapping[str, tuple[Collection[Entrant], Sequence[PlayedRound]]]
) -> LeagueTable:
    """The table of a league from the entrants and rounds of each of its divisions, by variant."""
    tables = tuple(division_table(spec, division, *divisions[division.variant]) for division in spec.divisions)
    if len(tables) == 1:
        overall = tables[0].ratings
    else:
        played = {one.variant: _outcomes(one, divisions[one.variant][1]) for one in spec.divisions}
        overall = _ratings(spec, over_all(played))
    # Before a round is complete nobody stands before anybody: such a division counts for nothing, not half.
    placed = {table.variant: places(table.standings) for table in tables if table.rounds}
    ranking = all_round(placed, Lots(spec.lot, "all-round"))
    return LeagueTable(tables, ranking, overall)


def _outcomes(division: Division, rounds: Sequence[PlayedRound]) -> list[MatchOutcome]:
    return [outcome for played in counted(division, rounds) for outcome in played.outcomes]


def _ratings(spec: LeagueSpec, sets: Sequence[BoardSet]) -> dict[str, Rating]:
    matches = sum(map(len, sets))
    resamples = min(_MOST_RESAMPLES, max(_LEAST_RESAMPLES, _RATED_MATCHES // max(1, matches)))
    return ratings(sets, spec.lot, resamples)


def table_document(table: LeagueTable) -> bytes:
    """Tables as a JSON document, always in the same bytes: what is archived, and signed."""
    return msgspec.json.format(msgspec.json.encode(table), indent=1) + b"\n"
