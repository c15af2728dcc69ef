"""Which tables of a ladder to play next: pure functions over the boards so far.

The next tables are those whose boards would tell most about the order. A table of boards brings the variance of two
bots' difference down, by the information of games of their expected score. That counts as far as their order is open,
which is how likely the difference is to be none: by the density there of its distribution, in standard errors. It is
shared by how often the two have met already. Owners take turns: none gets more than an even share of the seats of the
last `WINDOW` rounds while others have bots to seat, and bots of one owner meet only where nobody else is left.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from arena.league.columns import Columns, Floats
from arena.league.ladder_ratings import LadderRatings
from arena.league.ladder_terms import Ladder
from arena.league.lots import Lots
from arena.league.ratings import ELO, MEAN
from arena.league.values import Entrant, PlayedRound

WINDOW = 16
"""Over how many rounds owners get even shares of the seats."""


def next_tables(
    entrants: Collection[Entrant],
    rounds: Sequence[PlayedRound],
    terms: Ladder,
    *,
    number: int,
    seats: int,
    games: int,
    lots: Lots,
) -> list[tuple[str, ...]]:
    """The bots of each table of round `number`, the table that would tell most first; none where too few are there.

    Each two bots of a table have so many `games` there.
    """
    bots = sorted((entrant for entrant in entrants if entrant.plays(number)), key=lambda entrant: lots.of(entrant.name))
    if len(bots) < seats:
        return []
    columns = Columns([[outcome for played in rounds for outcome in played.outcomes]])
    rated = LadderRatings(columns, entrants, terms)
    ratings, names = rated.ratings(), [bot.name for bot in bots]
    mean: Floats = np.array([ratings[name].mu if name in ratings else MEAN for name in names])
    met = _met(names, rounds)
    gain = _gains(mean, rated.covariance(names), games) / np.sqrt(1 + met / max(float(met.mean()), 1))
    owners = [bot.owner for bot in bots]
    seated = _Seated(gain, owners, seats, terms.tables)
    room = _room(
        {bot.name: bot.owner for bot in entrants}, owners, rounds, min(terms.tables, len(bots) // seats) * seats
    )
    seated.fill(room, apart=True, due_first=True)
    for apart, rooms in ((True, room), (True, None), (False, None)):
        seated.fill(rooms, apart=apart)
    order = {bot.name: lots.of(bot.name) for bot in bots}
    return [tuple(sorted((bots[bot].name for bot in table), key=order.__getitem__)) for table in seated.tables]


def _gains(mean: Floats, covariance: Floats, games: int) -> Floats:
    """What a table with so many games of each two bots would tell about their order."""
    variance = covariance.diagonal()
    of_pair = np.maximum(variance[:, None] + variance[None, :] - 2 * covariance, 1.0)
    information = games * _variance(mean) / ELO**2
    less = of_pair * information / (1 + of_pair * information)
    gain: Floats = of_pair * less * np.exp(-(_apart(mean) ** 2) / (2 * of_pair))
    np.fill_diagonal(gain, 0)
    return gain


def _apart(mean: Floats) -> Floats:
    apart: Floats = mean[:, None] - mean[None, :]
    return apart


def _variance(mean: Floats) -> Floats:
    """The variance of the result of a game of each two bots."""
    expected = 1 / (1 + 10 ** (-_apart(mean) / 400))
    variance: Floats = expected * (1 - expected)
    return variance


def _met(names: Sequence[str], rounds: Sequence[PlayedRound]) -> Floats:
    """Return at how many tables each two bots have met."""
    row = {name: number for number, name in enumerate(names)}
    met: Floats = np.zeros((len(names), len(names)))
    for played in rounds:
        for bots in {outcome.table: outcome.seating for outcome in played.outcomes}.values():
            rows = [row[name] for name in bots if name in row]
            for first in rows:
                for second in rows:
                    met[first, second] += first != second
    return met


def _room(of: Mapping[str, str], owners: Sequence[str], rounds: Sequence[PlayedRound], seats: int) -> Counter[str]:
    """Return how many more seats each owner may have, so that all get an even share of the last rounds."""
    had = Counter(of.get(name, "") for played in rounds[-WINDOW:] for name in _seats(played))
    present = set(owners)
    share = math.ceil((sum(had[owner] for owner in present) + seats) / len(present))
    return Counter({owner: max(share - had[owner], 0) for owner in present})


def _seats(played: PlayedRound) -> list[str]:
    return [name for bots in {outcome.table: outcome.seating for outcome in played.outcomes}.values() for name in bots]


class _Seated:
    """Tables that are filled one after the other, each with the free bots that gain most."""

    def __init__(self, gain: Floats, owners: Sequence[str], seats: int, limit: int) -> None:
        self.tables: list[tuple[int, ...]] = []
        self._gain, self._owners, self._seats, self._limit = gain, owners, seats, limit
        self._free = [True] * len(owners)
        first, second = np.triu_indices(len(owners), 1)
        order = np.argsort(-gain[first, second], kind="stable")
        self._pairs = list(zip(first[order].tolist(), second[order].tolist(), strict=True))

    def fill(self, room: Counter[str] | None, *, apart: bool, due_first: bool = False) -> None:
        """Fill tables while there are some, no owner beyond its room; with `apart` bots of one owner do not meet.

        With `due_first` no table leaves out an owner who would not have its room at the others alone.
        """
        for pair in self._pairs:
            if len(self.tables) >= self._limit:
                return
            table = self._table(pair, room, apart=apart)
            if table is not None and not (due_first and room and self._leaves_out(table, room)):
                self.tables.append(table)
                for bot in table:
                    self._free[bot] = False
                    if room is not None:
                        room[self._owners[bot]] -= 1

    def _table(self, pair: tuple[int, int], room: Counter[str] | None, *, apart: bool) -> tuple[int, ...] | None:
        table: tuple[int, ...] = ()
        others = iter(pair)
        while len(table) < self._seats:
            nominee = next(others, None)
            if nominee is None:  # a third and a fourth: who gains most against those who sit there
                value = self._gain[list(table)].sum(axis=0)
                allowed = [bot for bot in range(len(self._owners)) if self._may_sit(bot, table, room, apart=apart)]
                if not allowed:
                    return None
                nominee = max(allowed, key=value.__getitem__)
            elif not self._may_sit(nominee, table, room, apart=apart):
                return None
            table = (*table, nominee)
        return table

    def _leaves_out(self, table: Sequence[int], room: Mapping[str, int]) -> bool:
        remaining = self._limit - len(self.tables)
        free = Counter(owner for owner, is_free in zip(self._owners, self._free, strict=True) if owner and is_free)
        due = {owner for owner, bots in free.items() if min(bots, room[owner]) >= remaining}
        return len(due.intersection(self._owners[bot] for bot in table)) < min(len(due), self._seats)

    def _may_sit(self, bot: int, table: tuple[int, ...], room: Counter[str] | None, *, apart: bool) -> bool:
        owner = self._owners[bot]
        if not self._free[bot] or bot in table:
            return False
        mates = sum(self._owners[mate] == owner for mate in table)
        if apart and owner and mates:
            return False
        return room is None or room[owner] > mates
