"""The table of a division: match points, game points, tie-breaks, and who beat whom.

Rounds that a bot did not play are counted in the manner of FIDE's tie-break regulations (C.07, article 16):

- seen by its opponents, a bot's score is its match points, a bye at the full 2; but each round that it missed after
  its last one, because it had withdrawn, counts as a draw (1), so that nobody is punished for having met it;
- in its own Buchholz and Sonneborn-Berger a bye or a missed round is a meeting with a dummy that has the bot's own
  score, but at most a draw (1) for each round so far; the bye is won (2), the missed round lost (0);
- the cut of Buchholz cut 1 takes a missed round first (the least of them), then the least opponent.

In a pod a round gives the mean over its opponents, of their scores and of these times what was won from each (2, 1 or
0); the cut takes the round with the least mean.

A forfeited table was played: it counts like every other.
"""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby

import msgspec
import numpy as np

from arena.league.columns import Columns, Ints
from arena.league.history import Record, records
from arena.league.lots import Lots
from arena.league.results import DRAW, LOSS, WIN
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, PlayedRound, parts

TIE_BREAKS = ("game_points", "buchholz_cut_1", "buchholz", "sonneborn_berger", "direct_encounter", "margin", "lot")


class Standing(msgspec.Struct, frozen=True):
    """A row of the table.

    `rank` counts from 1 and is never shared: the lot is the last tie-break. `direct_encounter` is the place, from 1,
    among the bots that are equal in everything before it (1 for a bot that is equal to none). `margin` is the sum
    over all matches, in the variant's points. Matches are counted singly, `forfeits` are those the bot was at fault
    for. `won` and `lost` are matches with more and with less than the mean of all seats; `mean_place` is the mean of
    the places in all matches, from 1, None without one.

    Match points, game points and margin are in `parts` of the division's seats, so with three or four in sixths; the
    three tie-breaks from the opponents' scores are in `parts` times `parts`.
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
    mean_place: float | None = None


class HeadToHead(msgspec.Struct, frozen=True, gc=False):
    """All that one bot scored against another: tables met, match points, game points and margin, as `bot` sees it.

    With three or four seats these are of the two alone: 2, 1 or 0 match points a table and game points a match, by
    which of them was ahead. The margin is in `parts` of the seats.
    """

    bot: str
    opponent: str
    tables: int
    match_points: int
    game_points: int
    margin: int


class _Tally:
    """A bot's matches: how many it won, drew and lost, how many it forfeited, and the sum of its places."""

    __slots__ = ("forfeits", "places", "results")

    def __init__(self) -> None:
        self.results = [0, 0, 0]
        self.forfeits = 0
        self.places = 0.0


def final_table(
    spec: LeagueSpec, division: Division, entrants: Collection[Entrant], rounds: Sequence[PlayedRound]
) -> tuple[Standing, ...]:
    """The standings after `rounds`, as they count (`field.counted`), best first, also in the middle of a league."""
    found = records((entrant.name for entrant in entrants), division, rounds)
    tallies = _tallies(found, rounds)
    lots = Lots(spec.lot, "standings", division.variant)
    unit = parts(division.seats)
    scores = {name: _adjusted_score(record, len(rounds), unit) for name, record in found.items()}
    rows = [_row(record, scores, len(rounds), tallies[name], unit) for name, record in found.items()]
    rows = _by_direct_encounter(rows, found)
    rows.sort(key=lambda row: (_before_direct_encounter(row), row.direct_encounter, -row.margin, lots.of(row.name)))
    return tuple(msgspec.structs.replace(row, rank=rank) for rank, row in enumerate(rows, start=1))


def head_to_head(columns: Columns) -> tuple[HeadToHead, ...]:
    """A row for each bot and opponent that met in a division's matches, as they count, by bot, then opponent."""
    if not columns.names:
        return ()
    bots = len(columns.names)
    first = columns.first_seat
    pairs = columns.pairs()
    seated, of_seated = np.unique(columns.table * bots + columns.bot, return_inverse=True)
    half_points, margins = (
        np.bincount(of_seated, weights=column).astype(np.int64)
        for column in (columns.half_points, columns.margin_parts)
    )
    table = columns.table[first[pairs.match]]
    met, at = np.unique((table * bots + pairs.one) * bots + pairs.other, return_index=True)
    seats = columns.seats[pairs.match[at]]
    mine, its = (np.searchsorted(seated, table[at] * bots + bot[at]) for bot in (pairs.one, pairs.other))
    ahead = _sign(half_points[mine] - half_points[its], margins[mine] - margins[its])
    between = (margins[mine] - margins[its]) * (seats - 1) // seats
    tables = _by_pair(bots, pairs.one[at], pairs.other[at], (np.ones_like(met), ahead, between))
    games = _by_pair(
        bots, pairs.one, pairs.other, (np.ones_like(pairs.match), np.sign(np.subtract(*pairs.half_points)))
    )
    keys, (times, won, margin) = tables
    _, (played, beaten) = games
    columns_of = (DRAW * times + won, DRAW * played + beaten, margin)
    names = columns.names
    rows = zip(
        (keys // bots).tolist(),
        (keys % bots).tolist(),
        times.tolist(),
        *(one.tolist() for one in columns_of),
        strict=True,
    )
    return tuple([HeadToHead(names[bot], names[opponent], *numbers) for bot, opponent, *numbers in rows])


def _sign(first: Ints, then: Ints) -> Ints:
    """The sign of the first number, or of the next where that is 0."""
    return np.where(first, np.sign(first), np.sign(then))


def _by_pair(bots: int, one: Ints, other: Ints, values: Sequence[Ints]) -> tuple[Ints, list[Ints]]:
    """The sums of values by both orders of a pair of bots: the first counts heads, the others change their signs."""
    keys, of_key = np.unique(np.concatenate([one * bots + other, other * bots + one]), return_inverse=True)
    signs = [1, *[-1] * (len(values) - 1)]
    sums = [
        np.bincount(of_key, weights=np.concatenate([value, sign * value])).astype(np.int64)
        for sign, value in zip(signs, values, strict=True)
    ]
    return keys, sums


def _row(record: Record, scores: Mapping[str, int], rounds: int, tally: _Tally, unit: int) -> Standing:
    seen = _contributions(record, scores, rounds, unit)
    won, drawn, lost = tally.results
    missed = [score for is_missed, score, _ in seen if is_missed]
    buchholz = sum(score for _, score, _ in seen)
    return Standing(
        rank=0,
        name=record.name,
        match_points=record.match_points,
        game_points=sum(meeting.game_points for meeting in record.meetings),
        buchholz_cut_1=buchholz - min(missed or [score for _, score, _ in seen], default=0),
        buchholz=buchholz,
        sonneborn_berger=sum(won for _, _, won in seen),
        direct_encounter=1,
        margin=sum(meeting.margin for meeting in record.meetings),
        played=won + drawn + lost,
        won=won,
        drawn=drawn,
        lost=lost,
        forfeits=tally.forfeits,
        byes=record.byes,
        mean_place=tally.places / (won + drawn + lost) if won + drawn + lost else None,
    )


def _contributions(record: Record, scores: Mapping[str, int], rounds: int, unit: int) -> list[tuple[bool, int, int]]:
    """For each round: whether it was missed, the mean score of the opponents (or the dummy's), and what it gives to
    Sonneborn-Berger, the mean of the score of each times what was won from it; both in `unit` times `unit`."""
    dummy = min(record.match_points, DRAW * unit * rounds) * unit
    seen: list[tuple[bool, int, int]] = []
    for meeting in record.meetings:
        if not meeting.against:
            seen.append((False, dummy, dummy * WIN))
            continue
        share = unit // len(meeting.against)
        met = won = 0
        for name, points in meeting.against.items():
            met += scores[name]
            won += scores[name] * points
        seen.append((False, met * share, won * share))
    return seen + [(True, dummy, dummy * LOSS)] * (rounds - len(seen))


def _adjusted_score(record: Record, rounds: int, unit: int) -> int:
    """A bot's score as its opponents count it."""
    missed = rounds - record.meetings[-1].round if record.meetings else 0
    return record.match_points + DRAW * unit * missed


def _tallies(found: Collection[str], rounds: Sequence[PlayedRound]) -> dict[str, _Tally]:
    tallies = {name: _Tally() for name in found}
    for played in rounds:
        for outcome in played.outcomes:
            mean, behind = DRAW * outcome.parts, len(outcome.seating) - 1
            for name, half in zip(outcome.seating, outcome.half_points, strict=True):
                tally = tallies[name]
                tally.results[(half <= mean) + (half < mean)] += 1
                tally.places += 1 + behind * (1 - half / (2 * mean))
            if outcome.forfeiter is not None:
                tallies[outcome.forfeiter].forfeits += 1
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
    points = [meeting.against[opponent] for meeting in record.meetings if opponent in meeting.against]
    return Fraction(sum(points), len(points))
