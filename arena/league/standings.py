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

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, groupby

import msgspec

from arena.league.history import Record, records
from arena.league.lots import Lots
from arena.league.results import DRAW, LOSS, WIN, table_results
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, PlayedRound, parts

TIE_BREAKS = ("game_points", "buchholz_cut_1", "buchholz", "sonneborn_berger", "direct_encounter", "margin", "lot")


class Standing(msgspec.Struct, frozen=True):
    """A row of the table.

    `rank` counts from 1 and is never shared: the lot is the last tie-break. `direct_encounter` is the place, from 1,
    among the bots that are equal in everything before it (1 for a bot that is equal to none). `margin` is the sum
    over all matches, in the variant's points. Matches are counted singly, `forfeits` are those the bot was at fault
    for. `won` and `lost` are matches with more and with less than the mean of all seats.

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


def head_to_head(rounds: Sequence[PlayedRound]) -> tuple[HeadToHead, ...]:
    """A row for each bot and opponent that met in `rounds`, as they count, by bot, then opponent."""
    rows: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0, 0]))
    for played in rounds:
        games = Counter([outcome.table for outcome in played.outcomes])
        for table in table_results(played):
            margins = dict(zip(table.bots, table.margins, strict=True))
            for at, bot in enumerate(table.bots):
                of_bot = rows[bot]
                for other, won in table.against(at).items():
                    row = of_bot[other]
                    row[0] += 1
                    row[1] += won
                    row[2] += DRAW * games[table.table]
                    row[3] += _margin_between(margins[bot], margins[other], len(table.bots))
        for outcome in played.outcomes:
            for (bot, mine), (other, its) in combinations(zip(outcome.seating, outcome.half_points, strict=True), 2):
                if mine != its:
                    first, second = (bot, other) if mine > its else (other, bot)
                    rows[first][second][2] += WIN - DRAW
                    rows[second][first][2] += LOSS - DRAW
    return tuple(
        [HeadToHead(bot, other, *of_bot[other]) for bot, of_bot in sorted(rows.items()) for other in sorted(of_bot)]
    )


def _margin_between(mine: int, its: int, seats: int) -> int:
    """The difference of two balances, from margins against the mean of the others."""
    return (mine - its) * (seats - 1) // seats


def _row(record: Record, scores: Mapping[str, int], rounds: int, tally: Sequence[int], unit: int) -> Standing:
    seen = _contributions(record, scores, rounds, unit)
    won, drawn, lost, forfeits = tally
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
        forfeits=forfeits,
        byes=record.byes,
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


def _tallies(found: Collection[str], rounds: Sequence[PlayedRound]) -> dict[str, list[int]]:
    """For each bot how many matches it won, drew and lost, and forfeited."""
    tallies = {name: [0, 0, 0, 0] for name in found}
    for played in rounds:
        for outcome in played.outcomes:
            mean = DRAW * outcome.parts
            for name, half in zip(outcome.seating, outcome.half_points, strict=True):
                tallies[name][(half <= mean) + (half < mean)] += 1
            if outcome.forfeiter is not None:
                tallies[outcome.forfeiter][3] += 1
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
