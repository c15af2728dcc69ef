"""The table of a division: match points, game points, tie-breaks, and who beat whom.

Rounds that a bot did not play are counted in the manner of FIDE's tie-break regulations (C.07, article 16):

- seen by its opponents, a bot's score is its match points, a bye at the full 2; but each round that it missed after
  its last one, because it had withdrawn, counts as a draw (1), so that nobody is punished for having met it;
- in its own Buchholz and Sonneborn-Berger a bye or a missed round is a meeting with a dummy that has the bot's own
  score, but at most a draw (1) for each round so far; the bye is won (2), the missed round lost (0);
- the cut of Buchholz cut 1 takes a missed round first (the least of them), then the least opponent.

A forfeited table was played: it counts like every other.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import groupby

import msgspec

from arena.league.history import Record, records
from arena.league.lots import Lots
from arena.league.results import DRAW, LOSS, WIN, bye_game_points
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, PlayedRound

TIE_BREAKS = ("game_points", "buchholz_cut_1", "buchholz", "sonneborn_berger", "direct_encounter", "margin", "lot")


class Standing(msgspec.Struct, frozen=True):
    """A row of the table.

    `rank` counts from 1 and is never shared: the lot is the last tie-break. `direct_encounter` is the place, from 1,
    among the bots that are equal in everything before it (1 for a bot that is equal to none). `margin` is the sum
    over all matches, in the variant's points. Matches are counted singly, `forfeits` are those the bot was at fault
    for.
    """

    rank: int
    name: str
    match_points: int
    game_points: int
    buchholz_cut_1: int
    buchholz: int
    sonneborn_berger: int
    direct_encounter: int
    margin: int
    played: int
    won: int
    drawn: int
    lost: int
    forfeits: int
    byes: int


class HeadToHead(msgspec.Struct, frozen=True):
    """All that one bot scored against another: tables met, match points, game points and margin, as `bot` sees it."""

    bot: str
    opponent: str
    tables: int
    match_points: int
    game_points: int
    margin: int


def final_table(
    spec: LeagueSpec, division: Division, entrants: Collection[Entrant], rounds: Sequence[PlayedRound]
) -> tuple[Standing, ...]:
    """The standings after `rounds`, best first, also in the middle of a league."""
    found = records((entrant.name for entrant in entrants), rounds, bye_game_points(division.boards))
    tallies = _tallies(found, rounds)
    lots = Lots(spec.lot, "standings", division.variant)
    rows = [_row(record, found, len(rounds), tallies[name]) for name, record in found.items()]
    rows = _by_direct_encounter(rows, found)
    rows.sort(key=lambda row: (_before_direct_encounter(row), row.direct_encounter, -row.margin, lots.of(row.name)))
    return tuple(msgspec.structs.replace(row, rank=rank) for rank, row in enumerate(rows, start=1))


def head_to_head(rounds: Sequence[PlayedRound]) -> tuple[HeadToHead, ...]:
    """A row for each bot and opponent that met, by bot, then opponent."""
    names = {name for played in rounds for outcome in played.outcomes for name in outcome.seating}
    rows = []
    for name, record in sorted(records(names | _byes(rounds), rounds, 0).items()):
        for opponent in sorted(record.met):
            met = [meeting for meeting in record.meetings if meeting.opponent == opponent]
            rows.append(
                HeadToHead(
                    name,
                    opponent,
                    len(met),
                    sum(meeting.match_points for meeting in met),
                    sum(meeting.game_points for meeting in met),
                    sum(meeting.margin for meeting in met),
                )
            )
    return tuple(rows)


def _byes(rounds: Sequence[PlayedRound]) -> set[str]:
    return {played.bye for played in rounds if played.bye is not None}


def _row(record: Record, found: dict[str, Record], rounds: int, tally: Counter[str]) -> Standing:
    parts = _contributions(record, found, rounds)
    missed = [score for is_missed, score, _ in parts if is_missed]
    buchholz = sum(score for _, score, _ in parts)
    return Standing(
        rank=0,
        name=record.name,
        match_points=record.match_points,
        game_points=sum(meeting.game_points for meeting in record.meetings),
        buchholz_cut_1=buchholz - min(missed or [score for _, score, _ in parts], default=0),
        buchholz=buchholz,
        sonneborn_berger=sum(score * points for _, score, points in parts),
        direct_encounter=1,
        margin=sum(meeting.margin for meeting in record.meetings),
        played=tally["won"] + tally["drawn"] + tally["lost"],
        won=tally["won"],
        drawn=tally["drawn"],
        lost=tally["lost"],
        forfeits=tally["forfeits"],
        byes=record.byes,
    )


def _contributions(record: Record, found: dict[str, Record], rounds: int) -> list[tuple[bool, int, int]]:
    """For each round: whether it was missed, the opponent's (or the dummy's) score, and the bot's match points."""
    dummy = min(record.match_points, DRAW * rounds)
    parts = [
        (False, dummy, WIN)
        if meeting.opponent is None
        else (False, _adjusted_score(found[meeting.opponent], rounds), meeting.match_points)
        for meeting in record.meetings
    ]
    return parts + [(True, dummy, LOSS)] * (rounds - len(parts))


def _adjusted_score(record: Record, rounds: int) -> int:
    return record.match_points + DRAW * (rounds - record.meetings[-1].round)


def _tallies(found: Collection[str], rounds: Sequence[PlayedRound]) -> dict[str, Counter[str]]:
    tallies: dict[str, Counter[str]] = {name: Counter() for name in found}
    for played in rounds:
        for outcome in played.outcomes:
            for name, half in zip(outcome.seating, outcome.half_points, strict=True):
                tallies[name]["won" if half == WIN else "drawn" if half == DRAW else "lost"] += 1
            if outcome.forfeiter is not None:
                tallies[outcome.forfeiter]["forfeits"] += 1
    return tallies


def _before_direct_encounter(row: Standing) -> tuple[int, ...]:
    return (-row.match_points, -row.game_points, -row.buchholz_cut_1, -row.buchholz, -row.sonneborn_berger)


def _by_direct_encounter(rows: Sequence[Standing], found: dict[str, Record]) -> list[Standing]:
    placed = []
    for _, tied in groupby(sorted(rows, key=_before_direct_encounter), key=_before_direct_encounter):
        by_name = {row.name: row for row in tied}
        place = 1
        for part in separate(sorted(by_name), found):
            placed += [msgspec.structs.replace(by_name[name], direct_encounter=place) for name in part]
            place += len(part)
    return placed


def separate(tied: list[str], found: dict[str, Record]) -> list[list[str]]:
    """Tied bots in groups, best first, by what they scored against each other, again within each smaller group.

    Meetings of the same two bots count as their mean. If not all have met, a bot comes before the others only if
    none could reach it by winning every meeting that is missing.
    """
    if len(tied) == 1:
        return [tied]
    among = set(tied)
    scores: dict[str, Fraction] = {}
    best: dict[str, Fraction] = {}
    for name in tied:
        met = found[name].met.keys() & among
        scores[name] = sum((_mean_match_points(found[name], opponent) for opponent in met), Fraction())
        best[name] = scores[name] + WIN * (len(tied) - 1 - len(met))
    order = sorted(tied, key=lambda name: -scores[name])
    if scores == best:
        parts = [list(part) for _, part in groupby(order, key=lambda name: scores[name])]
    else:
        leaders = 0
        while leaders < len(order) - 1 and all(scores[order[leaders]] > best[other] for other in order[leaders + 1 :]):
            leaders += 1
        parts = [[leader] for leader in order[:leaders]] + [order[leaders:]]
    if len(parts) == 1:
        return parts
    return [part for larger in parts for part in separate(larger, found)]


def _mean_match_points(record: Record, opponent: str) -> Fraction:
    points = [meeting.match_points for meeting in record.meetings if meeting.opponent == opponent]
    return Fraction(sum(points), len(points))
