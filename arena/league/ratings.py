"""Ratings by the Bradley-Terry model, and how far they may be off.

A bot's version is frozen, so a rating estimates one number from all matches so far, whatever their order. The ratings
and error bars are those of `rating_bars`; in large fields they follow from the model of this file, in which strengths
are normally distributed with a spread that is estimated from the results, each bot's own prior being taken out again.

- Every two bots of a match are compared: the first won (1), drew (a half) or lost.
- Matches on one board share their cards, so the unit of observation is the board set. The dispersion is the variance of
  a bot's score in a board set about its expected score, over the division, divided by that of independent comparisons;
  each comparison has the weight 1 / dispersion.
- The spread tau of the strengths has the prior density tau^2 exp(-tau^2 / 8) over log tau, which keeps it above 0 and
  bounds it where there are few results; tau is set to the mode.

Sources: Hunter, "MM algorithms for generalized Bradley-Terry models" (2004); Chung and others, "A nondegenerate
penalized likelihood estimator for variance parameters in multilevel models" (2013); McCullagh and Nelder, "Generalized
Linear Models", 9.2 (dispersion).
"""

import math

import msgspec
import numpy as np

from arena.league.columns import Columns, Floats, Ints, sums
from arena.league.network import Bars, Network
from arena.league.rating_bars import Comparisons, rating_bars
from arena.league.statistics import LEVEL, t_quantile

MEAN = 1500.0
"""The mean rating of the bots that are rated together."""
ELO = 400 / math.log(10)
"""Rating points to one unit of log odds: 100 points more win 64 % of comparisons, 200 win 76 %."""
MIN_BOARD_SETS = 8
"""The mean per bot below which there are no error bars."""

_DENSE = 256
"""With more bots than this the covariance is not computed as a whole."""
_SPREAD_PRIOR, _WIDEST = 2, 2.0
"""The prior density of the spread tau, over log tau: tau to this power, times exp(-tau^2 / (2 * widest^2))."""
_BEFORE = 10
"""The weight of the prior that the dispersion is 1, in board sets."""
_STEPS, _CLOSE, _SETTLED = 200, 1e-8, 0.1
_LARGEST_STEP = 2.0
_DECIMALS = 6


class Rating(msgspec.Struct, frozen=True):
    """A bot's rating in Elo, 1500 being the mean of all that are rated together, and its standard error.

    `low` and `high` are the ends of its 95 % error bars, both None where too few boards were played to tell. A bot that
    has won every game has no `high`, one that has lost every game no `low`: the results do not bound it on that side.
    """

    mu: float
    sigma: float
    low: float | None
    high: float | None
    matches: int


class Strengths:
    """What the results say about the strengths of all bots together."""

    def __init__(self, columns: Columns) -> None:
        """From the matches of one or more divisions."""
        self.names = columns.names
        self._matches: Ints = np.bincount(columns.bot, minlength=len(self.names))
        if not self.names:
            return
        model = Model(columns)
        model.fit()
        self._freedom = model.freedom
        self._bars = rating_bars(model.compared(), model.observations) if model.bots <= _DENSE else model.bars()
        self._won_all, self._lost_all = model.perfect()
        self.has_bars = has_bars(columns)
        """Whether enough boards were played for error bars."""

    def ratings(self) -> dict[str, Rating]:
        """Each bot's rating. Numbers are rounded to the sixth decimal, since machines differ in the last digits."""
        if not self.names:
            return {}
        reach = t_quantile((1 + LEVEL) / 2, self._freedom) * self._bars.error
        mean = self._bars.mean
        columns = (mean, self._bars.error, mean - reach, mean + reach)
        mu, sigma, low, high = (
            (ELO * column + offset).round(_DECIMALS).tolist()
            for column, offset in zip(columns, (MEAN, 0, MEAN, MEAN), strict=True)
        )
        lows = [end if self.has_bars and not lost else None for end, lost in zip(low, self._lost_all, strict=True)]
        highs = [end if self.has_bars and not won else None for end, won in zip(high, self._won_all, strict=True)]
        matches = self._matches.tolist()
        return {name: Rating(*row) for name, *row in zip(self.names, mu, sigma, lows, highs, matches, strict=True)}


def has_bars(columns: Columns) -> bool:
    """Return whether enough boards were played for error bars."""
    sets = np.unique(columns.board_set * len(columns.names) + columns.bot)
    return len(sets) >= MIN_BOARD_SETS * len(columns.names)


class Model:
    """The posterior of the strengths, in log odds: `mean` and `error` (standard errors)."""

    def __init__(self, columns: Columns) -> None:
        self.bots = len(columns.names)
        pairs = columns.pairs()
        mine, theirs = pairs.half_points
        won = (1 + np.sign(mine - theirs)) / 2
        # Of the same two bots on the same board only the sum of the scores is needed.
        board_set = columns.board_set[columns.first_seat[pairs.match]]
        key = (board_set * self.bots + pairs.first) * self.bots + pairs.second
        _, index, inverse = np.unique(key, return_index=True, return_inverse=True)
        self.first, self.second, self.set = pairs.first[index], pairs.second[index], board_set[index]
        self.games = sums(inverse, np.ones(len(inverse)))
        self.won = sums(inverse, won)
        # The pairs of bots that met at all are the edges; `in_set` numbers each bot's scores in each board set.
        met, self.edge = np.unique(self.first * self.bots + self.second, return_inverse=True)
        self.edge_first, self.edge_second = met // self.bots, met % self.bots
        self.network = Network(self.bots, self.edge_first, self.edge_second)
        keys = np.concatenate([self.set * self.bots + self.first, self.set * self.bots + self.second])
        self.in_set = np.unique(keys, return_inverse=True)[1]
        self.observations = int(self.in_set.max()) + 1 - int(self.set.max() + 1)
        self.mean: Floats = np.zeros(self.bots)

    def compared(self) -> Comparisons:
        """Return the scores that ratings are estimated from."""
        return Comparisons(self.bots, self.edge, self.edge_first, self.edge_second, self.games, self.won, self.in_set)

    def perfect(self) -> tuple[list[bool], list[bool]]:
        """Which bots have won every game, and which have lost every one."""
        games = self._summed(self.games, self.games, self.first, self.second)
        won = self._summed(self.won, self.games - self.won, self.first, self.second)
        return (won == games).tolist(), (won == 0).tolist()

    def bars(self) -> Bars:
        """Rate each bot of a large field, as if nothing were assumed of it alone: its own prior taken out again."""
        shrinkage = np.maximum(1 - self.error**2 / self.spread, 1e-6)
        mean = self.mean / shrinkage
        return Bars(mean - mean.mean(), self.error / np.sqrt(shrinkage))

    def fit(self) -> None:
        """Find the strengths by Newton's method, with the dispersion and the spread re-estimated at each step."""
        spread, dispersion = 0.25, 1.0
        variance: Floats = np.full(self.bots, spread)
        apart: Floats = np.full(len(self.edge_first), 2 * spread)
        before: tuple[float, float] | None = None
        last = math.inf
        for _ in range(_STEPS):
            excess, information = self._excess(apart)
            of_edges = sums(self.edge, information)
            fitted = max(self.bots - float(variance.sum()) / spread, 0.0)
            self.freedom = max(self.observations - fitted, 1.0)
            dispersion = self._dispersion(excess, information)
            pull = self._summed(excess, -excess, self.first, self.second)
            weights = of_edges / dispersion
            target = self.network.pull(weights * self.network.difference(self.mean)) + pull / dispersion
            if self.bots <= _DENSE:
                covariance = self._covariance(weights, spread)
                variance, updated = covariance.diagonal(), covariance @ target
                common = covariance[self.edge_first, self.edge_second]
            else:
                variance, common = self.network.tree_covariance(weights, 1 / spread)
                updated = self.network.solved(weights, np.full(self.bots, 1 / spread), target, self.mean)
            apart = variance[self.edge_first] + variance[self.edge_second] - 2 * common
            step = np.clip(updated - self.mean, -_LARGEST_STEP, _LARGEST_STEP)
            self.mean = self.mean + step
            of_bots = float(self.mean @ self.mean + variance.sum())
            current = (math.log(spread), math.log(self._spread(of_bots) / spread))
            if max(float(np.abs(step).max()), abs(current[1])) < _CLOSE:
                break
            # A secant through values that still move with the strengths would lead astray.
            if abs(current[1] - last) > max(_SETTLED * abs(current[1]), _CLOSE / 10):
                last = current[1]
                continue
            spread = math.exp(current[0] + _root_step(before, current))
            before, last = current, math.inf
        self.mean = self.mean - self.mean.mean()
        self.spread = spread
        if self.bots <= _DENSE:
            centred = covariance - covariance.mean(axis=0) - covariance.mean(axis=1)[:, None] + covariance.mean()
            self.error: Floats = np.sqrt(np.maximum(centred.diagonal(), 0))
        else:
            self.error = np.sqrt(variance)

    def _spread(self, squares: float) -> float:
        """The most likely variance of the strengths, from the sum of their squares, under the prior."""
        surplus = self.bots - _SPREAD_PRIOR
        root = math.sqrt(surplus**2 + 4 * squares / _WIDEST**2)
        return _WIDEST**2 * (root - surplus) / 2

    def _excess(self, apart: Floats) -> tuple[Floats, Floats]:
        """Return the first bot's score minus its expected score, for two bots on a board, and the variance of that.

        Both are means over the posterior, in which the difference of the two strengths has the variance `apart`. The
        mean of the logistic function of a normal variable is approximately another logistic function.
        """
        slope = 1 / np.sqrt(1 + math.pi / 8 * apart[self.edge])
        expected = 1 / (1 + np.exp((self.mean[self.second] - self.mean[self.first]) * slope))
        return self.won - self.games * expected, self.games * slope * expected * (1 - expected)

    def _dispersion(self, excess: Floats, information: Floats) -> float:
        squares = float((sums(self.in_set, np.concatenate([excess, -excess])) ** 2).sum())
        measured = squares / (2 * float(information.sum())) * self.observations**2 / self.freedom
        return (measured + _BEFORE) / (self.observations + _BEFORE)

    def _summed(self, ones: Floats, others: Floats, first: Ints, second: Ints) -> Floats:
        return sums(first, ones, self.bots) + sums(second, others, self.bots)

    def _covariance(self, weights: Floats, spread: float) -> Floats:
        precision = np.diag(self._summed(weights, weights, self.edge_first, self.edge_second) + 1 / spread)
        precision[self.edge_first, self.edge_second] = precision[self.edge_second, self.edge_first] = -weights
        inverse: Floats = np.linalg.inv(precision).astype(np.float64)
        return inverse


def _root_step(before: tuple[float, float] | None, current: tuple[float, float]) -> float:
    """Return a secant's step to where the second number is 0, or that number, an EM step, where there is no secant."""
    position, value = current
    if before is not None and position != before[0]:
        slope = (value - before[1]) / (position - before[0])
        if slope < 0:
            return min(max(-value / slope, -1.0), 1.0)
    return value
