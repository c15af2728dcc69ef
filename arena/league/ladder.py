"""The ratings of a ladder, and which tables to play next: pure functions over the boards so far.

Ratings are those of `ratings`, from all boards of the season. What was known before the season, or of the version
before, is a normal prior that is put together with them by precision:

- a bot that played in an earlier season starts at its rating there, with that rating's standard error;
- a new version starts at its predecessor's rating, and `VERSION` is added to the standard error: what a change of the
  program may be worth is unknown. Nothing else makes a rating less certain: a version is frozen.

A bot without a predecessor has the ratings' own error bars.

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
from msgspec import UNSET

from arena.league.columns import Columns, Floats
from arena.league.estimates import Interval
from arena.league.ladder_terms import Start
from arena.league.lots import Lots
from arena.league.ratings import ELO, MEAN, Rating, Strengths
from arena.league.values import Entrant, PlayedRound

VERSION = 100.0
"""The standard error, in Elo, of what a new version may be better or worse than the one before."""
UNKNOWN = 350.0
"""The standard error, in Elo, with which a bot counts for the planning of its first tables."""
WINDOW = 16
"""Over how many rounds owners get even shares of the seats."""

_REACH = 1.96
_DECIMALS = 6


def ladder_ratings(
    ratings: Mapping[str, Rating], entrants: Collection[Entrant], start: Mapping[str, Start]
) -> dict[str, Rating]:
    """Each bot's rating from the season's boards and what was known before: `ratings` are of the boards alone.

    Bots that have neither played nor a predecessor are not there.
    """
    both = [(start[name], rating) for name, rating in ratings.items() if name in start]
    weights = [1 / (before.sigma**2 + rating.sigma**2) for before, rating in both]
    # The season's ratings have their own mean: they are moved to where the earlier ones are.
    moved = sum(weight * (before.mu - rating.mu) for weight, (before, rating) in zip(weights, both, strict=True))
    offset = moved / sum(weights) if both else 0.0
    found: dict[str, Rating] = {}
    for entrant in _in_line(entrants):
        own, prior = ratings.get(entrant.name), _prior(entrant, found, start)
        if prior is not None:
            found[entrant.name] = _together(prior, own, offset)
        elif own is not None:
            found[entrant.name] = _moved(own, offset)
    return found


def predecessor(entrant: Entrant) -> str | None:
    """The entry whose rating the entrant's starts from, where there is one."""
    if entrant.follows is not UNSET:
        return entrant.follows
    return None if entrant.resumes is UNSET else entrant.resumes


def _in_line(entrants: Collection[Entrant]) -> list[Entrant]:
    """The entrants, each after its predecessor; those whose line goes in a circle are left out."""
    left = {entrant.name: entrant for entrant in entrants}
    placed: list[Entrant] = []
    while ready := [one for one in left.values() if predecessor(one) not in left]:
        placed += ready
        for one in ready:
            del left[one.name]
    return placed


def _prior(entrant: Entrant, found: Mapping[str, Rating], start: Mapping[str, Start]) -> tuple[float, float] | None:
    """The mean and the variance of what was known of a bot before its first board here."""
    line = predecessor(entrant) or entrant.name
    before = found.get(line) or start.get(line)
    if before is None:
        return None
    return before.mu, before.sigma**2 + (0 if entrant.follows is UNSET else VERSION**2)


def rating_at(start: Start) -> Interval:
    """The rating with which a bot begins a season, with its error bars."""
    return Interval(start.mu, start.mu - _REACH * start.sigma, start.mu + _REACH * start.sigma)


def _together(prior: tuple[float, float], own: Rating | None, offset: float) -> Rating:
    mean, variance = prior
    if own is not None:
        weight = 1 / max(own.sigma, 1e-6) ** 2
        mean = (mean / variance + (own.mu + offset) * weight) / (1 / variance + weight)
        variance = 1 / (1 / variance + weight)
    sigma = math.sqrt(variance)
    low, high = (round(mean + sign * _REACH * sigma, _DECIMALS) for sign in (-1, 1))
    return Rating(round(mean, _DECIMALS), round(sigma, _DECIMALS), low, high, 0 if own is None else own.matches)


def _moved(own: Rating, offset: float) -> Rating:
    if not offset:
        return own
    mu, low, high = (None if end is None else round(end + offset, _DECIMALS) for end in (own.mu, own.low, own.high))
    assert mu is not None
    return Rating(mu, own.sigma, low, high, own.matches)


def next_tables(
    entrants: Collection[Entrant],
    rounds: Sequence[PlayedRound],
    start: Mapping[str, Start],
    *,
    number: int,
    tables: int,
    seats: int,
    games: int,
    lots: Lots,
) -> list[tuple[str, ...]]:
    """The bots of each table of round `number`, the table that would tell most first; none where too few are there.

    Each two bots of a table have so many `games` there.
    """
    bots = sorted((one for one in entrants if one.plays(number)), key=lambda one: lots.of(one.name))
    if len(bots) < seats:
        return []
    columns = Columns([[outcome for played in rounds for outcome in played.outcomes]])
    ratings = ladder_ratings(Strengths(columns).ratings(), entrants, start)
    names = [bot.name for bot in bots]
    mean: Floats = np.array([ratings[name].mu if name in ratings else MEAN for name in names])
    known = [_prior(bot, ratings, start) for bot in bots]
    prior: Floats = np.array([UNKNOWN**2 if one is None else min(one[1], UNKNOWN**2) for one in known])
    met = _met(names, rounds)
    gain = _gains(mean, _covariance(mean, prior, met * games), games) / np.sqrt(1 + met / max(float(met.mean()), 1))
    owners = [bot.owner for bot in bots]
    seated = _Seated(gain, owners, seats, tables)
    room = _room({bot.name: bot.owner for bot in entrants}, owners, rounds, min(tables, len(bots) // seats) * seats)
    for apart, rooms in ((True, room), (True, None), (False, None)):
        seated.fill(rooms, apart=apart)
    order = {one.name: lots.of(one.name) for one in bots}
    return [tuple(sorted((bots[bot].name for bot in table), key=order.__getitem__)) for table in seated.tables]


def _covariance(mean: Floats, prior: Floats, games: Floats) -> Floats:
    """The covariance of the bots' ratings, from their means, their variances before, and the games of each two."""
    information = games * _variance(mean) / ELO**2
    precision = np.diag(information.sum(axis=0) + 1 / prior) - information
    covariance: Floats = np.linalg.inv(precision).astype(np.float64)
    return covariance


def _gains(mean: Floats, covariance: Floats, games: int) -> Floats:
    """What a table with so many games of each two bots would tell about their order."""
    own = covariance.diagonal()
    of_pair = np.maximum(own[:, None] + own[None, :] - 2 * covariance, 1.0)
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
    """At how many tables each two bots have met."""
    row = {name: number for number, name in enumerate(names)}
    met: Floats = np.zeros((len(names), len(names)))
    for played in rounds:
        for bots in {one.table: one.seating for one in played.outcomes}.values():
            here = [row[name] for name in bots if name in row]
            for one in here:
                for other in here:
                    met[one, other] += one != other
    return met


def _room(of: Mapping[str, str], owners: Sequence[str], rounds: Sequence[PlayedRound], seats: int) -> Counter[str]:
    """How many more seats each owner may have, so that over the last rounds all of them have had an even share."""
    had = Counter(of.get(name, "") for played in rounds[-WINDOW:] for name in _seats(played))
    there = set(owners)
    share = math.ceil((sum(had[owner] for owner in there) + seats) / len(there))
    return Counter({owner: max(share - had[owner], 0) for owner in there})


def _seats(played: PlayedRound) -> list[str]:
    return [name for bots in {one.table: one.seating for one in played.outcomes}.values() for name in bots]


class _Seated:
    """Tables that are filled one after the other, each with the free bots that gain most."""

    def __init__(self, gain: Floats, owners: Sequence[str], seats: int, most: int) -> None:
        self.tables: list[tuple[int, ...]] = []
        self._gain, self._owners, self._seats, self._most = gain, owners, seats, most
        self._free = [True] * len(owners)
        one, other = np.triu_indices(len(owners), 1)
        order = np.argsort(-gain[one, other], kind="stable")
        self._pairs = list(zip(one[order].tolist(), other[order].tolist(), strict=True))

    def fill(self, room: Counter[str] | None, *, apart: bool) -> None:
        """Fill tables while there are some, no owner beyond its room; with `apart` bots of one owner do not meet."""
        for pair in self._pairs:
            if len(self.tables) >= self._most:
                return
            table = self._table(pair, room, apart=apart)
            if table is not None:
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

    def _may_sit(self, bot: int, table: tuple[int, ...], room: Counter[str] | None, *, apart: bool) -> bool:
        owner = self._owners[bot]
        if not self._free[bot] or bot in table:
            return False
        mates = sum(self._owners[other] == owner for other in table)
        if apart and owner and mates:
            return False
        return room is None or room[owner] > mates
