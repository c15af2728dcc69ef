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

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TypeVar

import msgspec
import numpy as np

from arena.league.columns import Columns, Ints, Meetings
from arena.league.lots import Lots
from arena.league.results import DRAW, WIN
from arena.league.scores import scores
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, PlayedRound

_Bot = TypeVar("_Bot", int, str)
Encounters = Mapping[_Bot, Mapping[_Bot, Sequence[int]]]
"""What each bot won from each other in match points, 2, 1 or 0 a meeting."""

_BEFORE_ENCOUNTER = ("match_points", "game_points", "buchholz_cut_1", "buchholz", "sonneborn_berger")
TIE_BREAKS = (*_BEFORE_ENCOUNTER[1:], "direct_encounter", "margin", "lot")


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


def final_table(
    spec: LeagueSpec,
    division: Division,
    entrants: Collection[Entrant],
    rounds: Sequence[PlayedRound],
    columns: Columns | None = None,
) -> tuple[Standing, ...]:
    """The standings after `rounds`, as they count (`field.counted`), best first, also in the middle of a league.

    `columns` are the matches of the rounds, where they are known already.
    """
    names = sorted(entrant.name for entrant in entrants)
    columns = columns or Columns([[outcome for played in rounds for outcome in played.outcomes]])
    scores_of, meetings = scores(names, division, rounds, columns)
    lots = Lots(spec.lot, "standings", division.variant)
    ahead = list(zip(*((-scores_of[key]).tolist() for key in _BEFORE_ENCOUNTER), strict=True))
    encounters = _direct_encounters(ahead, meetings)
    keys = list(zip(ahead, encounters, (-scores_of["margin"]).tolist(), map(lots.of, names), strict=True))
    values = {key: column.tolist() for key, column in scores_of.items()} | {"direct_encounter": encounters}
    values["mean_place"] = [mean or None for mean in values["mean_place"]]
    rows = list(zip(names, *(values[key] for key in Standing.__struct_fields__[2:]), strict=True))
    order = sorted(range(len(names)), key=keys.__getitem__)
    return tuple([Standing(rank, *rows[number]) for rank, number in enumerate(order, start=1)])


def head_to_head(columns: Columns) -> tuple[HeadToHead, ...]:
    """Return a row for each bot and opponent that met in a division's matches, as they count, by bot, then opponent."""
    if not columns.names:
        return ()
    tables = []
    for meeting in columns.meetings():
        seats = meeting.bots.shape[1]
        first, second = np.triu_indices(seats, 1)
        between = (meeting.margins[:, first] - meeting.margins[:, second]) * (seats - 1) // seats
        won = meeting.against[:, first, second] - DRAW
        tables.append((meeting.bots[:, first], meeting.bots[:, second], np.ones_like(won), won, between))
    bots, pairs = len(columns.names), columns.pairs()
    keys, (times, won, margin) = _by_pair(
        bots, *(np.concatenate([*map(np.ravel, column)]) for column in zip(*tables, strict=True))
    )
    ahead = np.sign(np.subtract(*pairs.half_points))
    _, (played, beaten) = _by_pair(bots, pairs.first, pairs.second, np.ones_like(ahead), ahead)
    columns_of = (keys // bots, keys % bots, times, DRAW * times + won, DRAW * played + beaten, margin)
    names, rows = columns.names, zip(*(column.tolist() for column in columns_of), strict=True)
    return tuple([HeadToHead(names[bot], names[opponent], *numbers) for bot, opponent, *numbers in rows])


def _by_pair(bots: int, first: Ints, second: Ints, *values: Ints) -> tuple[Ints, list[Ints]]:
    """Return the sums of values by both orders of a pair: the first counts heads, the others change their signs."""
    keys, of_key = np.unique(np.concatenate([first * bots + second, second * bots + first]), return_inverse=True)
    signs = [1, *[-1] * (len(values) - 1)]
    sums = [
        np.bincount(of_key, weights=np.concatenate([value, sign * value])).astype(np.int64)
        for sign, value in zip(signs, values, strict=True)
    ]
    return keys, sums


def _direct_encounters(keys: Sequence[tuple[int, ...]], meetings: Sequence[Meetings]) -> list[int]:
    """The place of each bot, from 1, among those of the same key: equal in all before the direct encounter."""
    order = sorted(range(len(keys)), key=keys.__getitem__)
    places = [1] * len(keys)
    ties = [tied for tied in (list(group) for _, group in groupby(order, key=keys.__getitem__)) if len(tied) > 1]
    met = _met_among(len(keys), meetings, ties)
    for tied in ties:
        place = 1
        for part in separate(tied, met):
            for bot in part:
                places[bot] = place
            place += len(part)
    return places


def _met_among(bots: int, meetings: Sequence[Meetings], ties: Sequence[Sequence[int]]) -> Encounters[int]:
    """Return what the bots of each tie won from each other."""
    tie = np.zeros(bots, dtype=np.int64)
    met: dict[int, dict[int, list[int]]] = {}
    for number, tied in enumerate(ties, start=1):
        tie[list(tied)] = number
        met.update((bot, defaultdict(list)) for bot in tied)
    for meeting in meetings:
        of = tie[meeting.bots]
        among = (of[:, :, None] == of[:, None, :]) & (of > 0)[:, :, None] & ~np.eye(of.shape[1], dtype=np.bool_)
        table, bot, opponent = np.nonzero(among)
        rows = (meeting.bots[table, bot], meeting.bots[table, opponent], meeting.against[table, bot, opponent])
        for mine, its, points in zip(*(row.tolist() for row in rows), strict=True):
            met[mine][its].append(points)
    return met


def separate(tied: list[_Bot], encounters: Encounters[_Bot]) -> list[list[_Bot]]:
    """Tied bots in groups, best first, by what they scored against each other, again within each smaller group.

    Meetings of the same two bots count as their mean. If not all have met, a bot comes before the others only if
    none could reach it by winning every meeting that is missing.
    """
    if len(tied) == 1:
        return [tied]
    among = set(tied)
    won: dict[_Bot, Fraction] = {}
    best: dict[_Bot, Fraction] = {}
    for bot in tied:
        met = encounters[bot].keys() & among
        won[bot] = sum(
            (Fraction(sum(points := encounters[bot][opponent]), len(points)) for opponent in met), Fraction()
        )
        best[bot] = won[bot] + WIN * (len(tied) - 1 - len(met))
    order = sorted(tied, key=lambda bot: -won[bot])
    if won == best:
        parts = [list(part) for _, part in groupby(order, key=won.__getitem__)]
    else:
        leaders = 0
        while leaders < len(order) - 1 and all(won[order[leaders]] > best[bot] for bot in order[leaders + 1 :]):
            leaders += 1
        parts = [[leader] for leader in order[:leaders]] + [order[leaders:]]
    if len(parts) == 1:
        return parts
    return [part for larger in parts for part in separate(larger, encounters)]
