"""The ratings of a ladder: one fit of a season's boards and of all that was known before them.

What earlier seasons told is kept as differences between bots, each with its standard error (`ladder_terms.Start`), and
is put together with the season's boards as more boards would be. No prior is kept with it: the prior of the ratings
counts once, however many seasons there were.

Entries of one version are one bot. A new version is as strong as its predecessor, but for a difference of the standard
error `VERSION`: what a change of the program may be worth is unknown. Nothing else makes a rating less certain: a
version is frozen. Where a version is no longer needed, what was known through it goes over to the others.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
from msgspec import UNSET

from arena.league.columns import Columns, Floats, Ints
from arena.league.estimates import Interval
from arena.league.ladder_terms import Ladder, Shared, Start
from arena.league.network import Network
from arena.league.rating_bars import Comparisons, Earlier, fitted
from arena.league.ratings import ELO, MEAN, Model, Rating, has_bars
from arena.league.statistics import LEVEL, t_quantile
from arena.league.values import Entrant

VERSION = 100.0
"""The standard error, in Elo, of what a new version may be better or worse than the one before."""
UNKNOWN = 350.0
"""The standard error, in Elo, with which a bot counts for the planning of its first tables."""

_REACH = 1.96
_DECIMALS = 6
_NOBODY: Ints = np.zeros(0, dtype=np.int64)
_TIES = 32
"""So many of a bot's ties are kept at least: the strongest."""
_LOOSEST = 10_000.0
"""The standard error, in Elo, from which on a tie is not kept."""


class LadderRatings:
    """How the bots of a season stand after its matches so far."""

    def __init__(self, columns: Columns, entrants: Collection[Entrant], terms: Ladder) -> None:
        """From the season's matches, its entrants and what was known when it began."""
        self._terms = terms
        self._columns = columns
        self._shared = terms.shared
        self._bots = 0
        self._node: dict[str, int] = {}
        self._pairs: list[tuple[int, int, float]] = []
        self._number(entrants)
        self._names = [entrant.name for entrant in entrants if entrant.name in self._node]
        if self._bots:
            self._fit(self._bots)

    def ratings(self) -> dict[str, Rating]:
        """Return each entrant's rating; those that have neither played nor a predecessor are not there."""
        if not self._node:
            return {}
        of_column = {name: row for row, name in enumerate(self._columns.names)}
        matches = np.bincount(self._columns.bot, minlength=len(of_column)).tolist()
        sure = bool(self._terms.start) or has_bars(self._columns)
        ratings = {}
        for name in self._names:
            node, row = self._node[name], of_column.get(name)
            mu, sigma = float(self._mu[node]), float(self._sigma[node])
            reach = self._reach * sigma
            alone = None if node in self._with_prior else row
            low = None if not sure or (alone is not None and self._lost_all[alone]) else round(mu - reach, _DECIMALS)
            high = None if not sure or (alone is not None and self._won_all[alone]) else round(mu + reach, _DECIMALS)
            played = 0 if row is None else matches[row]
            ratings[name] = Rating(round(mu, _DECIMALS), round(sigma, _DECIMALS), low, high, played)
        return ratings

    def covariance(self, names: Sequence[str]) -> Floats:
        """Return the covariance of these entrants' ratings, in Elo; those of which nothing is known are `UNKNOWN`."""
        rows = [row for row, name in enumerate(names) if name in self._node]
        covariance: Floats = np.diag(np.full(len(names), UNKNOWN**2))
        if rows:
            nodes = [self._node[names[row]] for row in rows]
            whole = np.linalg.inv(self._information + np.eye(len(self._information)) * (ELO / UNKNOWN) ** 2)
            covariance[np.ix_(rows, rows)] = ELO**2 * whole[np.ix_(nodes, nodes)]
        return covariance

    def carried(self, entries: Mapping[str, str], changed: Collection[str]) -> dict[str, Start]:
        """What is known of each bot when the season is over, for the next one; boards and versions are not set.

        `entries` are the last entries of bots, by their names on the ladder. Those that are `changed` play another
        version from now on. Whoever was known before and has no entry stays as known as that.
        """
        of = {line: name for line, name in entries.items() if name in self._node}
        of = {line: line for line in self._terms.start if line in self._node and line not in of} | of
        lines = sorted(of)
        if not lines:
            return {}
        nodes = [self._node[of[line]] for line in lines]
        information = _among(self._information, nodes)
        for row, line in enumerate(lines):
            if line in changed:
                information = _loosened(information, row)
        ties = _ties(lines, information)
        terms = {}
        for line, node in zip(lines, nodes, strict=True):
            sigma = math.hypot(float(self._sigma[node]), VERSION if line in changed else 0)
            terms[line] = Start(
                mu=round(float(self._mu[node]), 2),
                sigma=round(min(max(sigma, 0.01), UNKNOWN), 2),
                level=round(MEAN + ELO * float(self._strength[node]), 2),
                ties=ties.get(line, {}),
            )
        return terms

    @property
    def shared(self) -> Shared:
        """The dispersion of the games of a board, over all seasons."""
        return self._shared

    def _number(self, entrants: Iterable[Entrant]) -> None:
        """Number the bots of which something is known: those with ties, those that played, and their successors."""
        for name, start in self._terms.start.items():
            for other_name, error in start.ties.items():
                self._pairs.append((self._of(name), self._of(other_name), (ELO / error) ** 2))
        self._ties = len(self._pairs)
        self._with_prior = set(self._node.values())
        played = set(self._columns.names)
        for entrant in _in_line(entrants):
            line = predecessor(entrant)
            before = None if line is None else self._node.get(line)
            if before is not None and entrant.follows is UNSET:
                self._node[entrant.name] = before
            elif before is not None:
                self._with_prior |= {node := self._of(entrant.name)}
                self._pairs.append((before, node, (ELO / VERSION) ** 2))
            elif entrant.name in played:
                self._of(entrant.name)
        for name in self._columns.names:  # those whose line goes in a circle
            self._of(name)

    def _of(self, name: str) -> int:
        """The number of a bot, which is the next one for a new bot."""
        number = self._node.setdefault(name, self._bots)
        self._bots = max(self._bots, number + 1)
        return number

    def _fit(self, bots: int) -> None:
        compared, observations, freedom = self._compared(bots)
        earlier = self._earlier(bots)
        fit = fitted(compared, observations, earlier)
        played = Network(bots, compared.edge_first, compared.edge_second).laplacian(fit.precision)
        from_prior = Network(bots, earlier.first, earlier.second).laplacian(fit.earlier)
        self._information: Floats = played + from_prior
        self._strength, self._sigma = fit.strength, ELO * fit.bars.error
        self._shared = Shared(round(fit.dispersion, _DECIMALS), earlier.sets + observations)
        self._reach = t_quantile((1 + LEVEL) / 2, max(freedom + earlier.sets, 1.0))
        self._mu: Floats = MEAN + ELO * fit.bars.mean
        continuing = [line for line in self._terms.start if line in self._node]
        if continuing:  # bots that were known keep the mean that they had
            before = np.array([self._terms.start[line].mu for line in continuing])
            self._mu = self._mu + float((before - self._mu[[self._node[line] for line in continuing]]).mean())

    def _earlier(self, bots: int) -> Earlier:
        """Return what was known before the season, and of successors by their predecessors."""
        strength: Floats = np.full(bots, np.nan)
        for line, start in self._terms.start.items():
            if line in self._node:
                strength[self._node[line]] = (start.level - MEAN) / ELO
        strength = strength - np.nanmean(strength) if np.isfinite(strength).any() else np.zeros(bots)
        for old, new, _ in self._pairs:  # a new version is taken for as strong as its predecessor
            strength[new] = strength[old] if math.isnan(strength[new]) else strength[new]
        first, second = np.array([pair[:2] for pair in self._pairs], dtype=np.int64).reshape(-1, 2).T
        precision = np.array([pair[2] for pair in self._pairs], dtype=np.float64)
        shared = self._terms.shared
        by_games = np.arange(self._ties)
        return Earlier(np.nan_to_num(strength), first, second, precision, by_games, shared.dispersion, shared.sets)

    def _compared(self, bots: int) -> tuple[Comparisons, int, float]:
        """Return the season's scores between bots by number, how many are independent, and the degrees of freedom."""
        if not self._columns.names:
            return Comparisons(bots, _NOBODY, _NOBODY, _NOBODY, np.zeros(0), np.zeros(0), _NOBODY), 0, 0.0
        model = Model(self._columns)
        model.fit()
        self._won_all, self._lost_all = model.perfect()
        number = np.array([self._node[name] for name in self._columns.names])
        compared = model.compared()
        first, second = number[compared.edge_first], number[compared.edge_second]
        return compared._replace(bots=bots, edge_first=first, edge_second=second), model.observations, model.freedom


def predecessor(entrant: Entrant) -> str | None:
    """The entry whose rating the entrant's starts from, where there is one."""
    if entrant.follows is not UNSET:
        return entrant.follows
    return None if entrant.resumes is UNSET else entrant.resumes


def rating_at(start: Start) -> Interval:
    """The rating with which a bot begins a season, with its error bars."""
    return Interval(start.mu, start.mu - _REACH * start.sigma, start.mu + _REACH * start.sigma)


def _in_line(entrants: Iterable[Entrant]) -> list[Entrant]:
    """The entrants, each after its predecessor; those whose line goes in a circle are left out."""
    remaining = {entrant.name: entrant for entrant in entrants}
    placed: list[Entrant] = []
    while ready := [entrant for entrant in remaining.values() if predecessor(entrant) not in remaining]:
        placed += ready
        for entrant in ready:
            del remaining[entrant.name]
    return placed


def _among(information: Floats, nodes: Sequence[int]) -> Floats:
    """Return the information on these bots, with what was known through the others."""
    others = [node for node in range(len(information)) if node not in set(nodes)]
    marginal: Floats = information[np.ix_(nodes, nodes)]
    if others:
        between = information[np.ix_(nodes, others)]
        marginal = marginal - between @ np.linalg.pinv(information[np.ix_(others, others)]) @ between.T
    return marginal


def _loosened(information: Floats, row: int) -> Floats:
    """Return the information where this bot is followed by another version, which takes its row."""
    of_version = (ELO / VERSION) ** 2
    whole = of_version + float(information[row, row])
    across = information[row].copy()
    loosened: Floats = information - np.outer(across, across) / whole
    across = across * of_version / whole
    loosened[row] = loosened[:, row] = across
    loosened[row, row] = -float(across.sum() - across[row])
    return loosened


def _ties(lines: Sequence[str], information: Floats) -> dict[str, dict[str, float]]:
    """Return the standard error, in Elo, of what is known of each two bots directly."""
    precision = -information
    np.fill_diagonal(precision, 0)
    # Of each bot the strongest are kept: of many bots, most pairs hardly know each other.
    rank = (-precision).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
    is_close = (precision > (ELO / _LOOSEST) ** 2) & ((rank < _TIES) | (rank.T < _TIES))
    ties: dict[str, dict[str, float]] = {}
    for first, second in zip(*np.nonzero(np.triu(is_close, 1)), strict=True):
        error = ELO / math.sqrt(float(precision[first, second]))
        ties.setdefault(lines[first], {})[lines[second]] = round(max(error, 0.01), 3)
    return ties
