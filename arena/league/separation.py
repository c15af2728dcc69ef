"""Which bots the results tell apart, as one statement about the whole table, and how likely each is the strongest.

Strengths are those of the Bradley-Terry model, in log odds. Their prior is Student's t of `_DEGREES` degrees of freedom
whose scale, the *spread*, is unknown; the least spread stands for equal bots. With a small chance a bot is *astray*, of
the widest spread: so bots that are far from all others do not make the others look far from each other (Box and Tiao,
"A Bayesian approach to some outlier problems", 1968).

The prior is needed for more than small samples. A Swiss system pairs bots that were lucky so far with each other, so
the lucky and the unlucky met in the rounds in which the ones had their luck, and estimates without a prior take that
for strength: they would tell some of 16 equal bots apart in 30 % of leagues.

- At each spread the posterior is a normal distribution about its mode, and Laplace's approximation gives the likelihood
  of the spread.
- Two bots are *told apart* where their difference, in standard errors at the most likely spread, exceeds a bound. The
  largest of all such differences exceeds it in 5 % of draws with the same covariance. Pairs that are told apart are set
  aside and the bound is drawn again for the others, until it tells no more apart; Romano and Wolf, "Exact and
  Approximate Stepdown Methods for Multiple Hypothesis Testing" (2005).
- The strongest bot is that of each draw from the posteriors of all spreads, weighted by their likelihoods and a prior
  in which equal bots are four times as likely as all other spreads together, as in fields of versions of one bot.
- Versions of one bot may lead others too. So half of the prior is that the first m of those that cannot be told apart
  from the leader are equally strong, each m with the same part of it, and these share their chance evenly. The odds of
  that are the density of their differences at 0, after the games over before them (Savage and Dickey's ratio; Dickey,
  "The Weighted Likelihood Ratio, Linear Hypotheses on Normal Location Parameters", 1971).

Games on a board share their cards, so the log-likelihood is divided by the dispersion: the variance of scores in board
sets over that of independent games.
"""

import hashlib
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.league.columns import Columns, Floats, Ints, sums
from arena.league.ratings import MIN_BOARD_SETS, Rating
from arena.league.statistics import t_quantile

FAMILY_ERROR = 0.05
"""The share of tables in which bots may be told apart wrongly, anywhere."""

_DEGREES = 3.0
_SPREADS: Floats = np.array([0.02, 0.05, 0.08, 0.12, 0.17, 0.23, 0.3, 0.4, 0.55, 0.75, 1.0, 1.4, 2.0])
_PRIOR: Floats = np.array([4.0 * (len(_SPREADS) - 1)] + [1.0] * (len(_SPREADS) - 1))
_PRIOR_SHARE = 0.5
"""The part of the prior's own variance that counts in standard errors: with all of it few games would tell nothing
apart, without it equal bots would be told apart too often (measured by `benchmarks.separation`)."""
_WEAK_SPREAD = 2.0
_ASTRAY = 0.05
"""The chance that a bot is astray, and says nothing of how far others are from each other."""
_PRIOR_SETS = 10
"""The weight of the prior that the dispersion is 1, in board sets."""
_DENSE = 256
"""With more bots than this, correlations are neglected."""
_DRAWS, _DRAWN = 4_000, 8_000_000
_STEPS, _CLOSE, _LARGEST_STEP = 50, 1e-5, 2.0
_MIN_CURVATURE = 0.1
"""Of the prior's curvature, far out in its tails, where it is not that of a normal distribution."""

Signs = npt.NDArray[np.int8]
IsStronger = Callable[[Sequence[int], int], bool]


class Separation:
    """What a division's results say about which of its bots is stronger than which.

    Empty while the bots have played fewer than `MIN_BOARD_SETS` board sets each on average; bots that have played no
    match are no part of it.
    """

    def __init__(self, columns: Columns, ratings: Mapping[str, Rating], seed: str) -> None:
        """From the matches of a division; the ratings suffice for large fields. The seed is that of the draws."""
        self._names = columns.names
        self._row = {name: row for row, name in enumerate(self._names)}
        self._seed = seed
        sets = len(np.unique(columns.board_set * len(self._names) + columns.bot))
        self.is_known = bool(self._names) and sets >= MIN_BOARD_SETS * len(self._names)
        """Whether enough boards were played."""
        self._posteriors: list[_Posterior] = []
        if not self.is_known:
            return
        if len(self._names) <= _DENSE:
            results = _Results(columns)
            self._freedom = float(results.freedom)
            self._posteriors = list(_posteriors(results))
        else:
            self._freedom = math.inf
            self._ratings = np.array([(ratings[name].mu, ratings[name].sigma) for name in self._names]).T

    def best(self) -> dict[str, float]:
        """For each bot the probability that it is the strongest of its division."""
        if not self.is_known:
            return {}
        generator = self._generator("best")
        bots = len(self._names)
        strongest: Ints = np.zeros(bots, dtype=np.int64)
        if self._posteriors:
            weights = self._weights()
            counts = generator.multinomial(_DRAWS, weights)
            for posterior, count in zip(self._posteriors, counts.tolist(), strict=True):
                draws = posterior.mode[:, None] + self._draws(generator, posterior.covariance, count)
                strongest = strongest + np.bincount(draws.argmax(axis=0), minlength=bots)
            chances = self._with_equal_leaders(strongest / _DRAWS, weights)
        else:
            mean, error = self._ratings
            for _ in range(_DRAWS // 10):
                strongest[(mean + error * generator.standard_normal(bots)).argmax()] += 1
            chances = strongest / strongest.sum()
        return dict(zip(self._names, chances.tolist(), strict=True))

    def _weights(self) -> Floats:
        """The probability of each spread."""
        evidence = np.array([posterior.evidence for posterior in self._posteriors])
        weights: Floats = np.exp(evidence - evidence.max()) * _PRIOR
        weights /= weights.sum()
        return weights

    def _with_equal_leaders(self, chances: Floats, weights: Floats) -> Floats:
        """These chances to be the strongest, averaged with those where the first of the leaders are equally strong."""
        mean = weights @ np.array([posterior.mode for posterior in self._posteriors])
        order = np.argsort(-mean, kind="stable")
        leaders = order[self._told_apart[order[0], order] == 0]
        if len(leaders) < 2:
            return chances
        log_odds = self._log_odds_of_equality(leaders, weights) - math.log(len(leaders) - 1)
        averaged = [chances]
        for number in range(2, len(leaders) + 1):
            equal = leaders[:number]
            shared = chances.copy()
            shared[equal] = chances[equal].mean()
            averaged.append(shared)
        odds = np.exp(np.array([0.0, *log_odds]) - max(0.0, float(log_odds.max())))
        averages: Floats = odds @ np.array(averaged) / odds.sum()
        return averages

    def _log_odds_of_equality(self, leaders: Ints, weights: Floats) -> Floats:
        """Return how much likelier the games make it that the first two, three ... are equal, as logarithms."""
        contrasts = _contrasts(len(leaders))
        log_odds: Floats = np.full(len(leaders) - 1, -math.inf)
        for weight, spread, posterior in zip(weights.tolist(), _SPREADS.tolist(), self._posteriors, strict=True):
            # The square of the spread where a leader is not far out; it may be astray, where its prior is wider.
            variance = (_DEGREES + 1) / _DEGREES / _prior_at(posterior.mode, spread).precision[leaders]
            prior_covariance = contrasts * variance @ contrasts.T
            covariance = contrasts @ posterior.covariance[np.ix_(leaders, leaders)] @ contrasts.T
            # The contrasts of the first few are the first of all: one factor has those of any number of them.
            factor = np.linalg.cholesky(covariance)
            whitened = np.linalg.solve(factor, contrasts @ posterior.mode[leaders])
            narrower = np.log(np.linalg.cholesky(prior_covariance).diagonal() / factor.diagonal())
            gained = np.cumsum(narrower - whitened**2 / 2)
            log_odds = np.logaddexp(log_odds, math.log(max(weight, sys.float_info.min)) + gained)
        return log_odds

    def places(self, order: Sequence[str]) -> dict[str, int]:
        """Each bot's place in this order of the table, from 1; bots share a place that are not told apart.

        Going down the table a place goes on until a bot is told apart from one that is at that place already, which is
        the stronger of the two. The number of a place is the rank of its first bot among those that have played.
        """
        if not self.is_known:
            return {}
        rows = [self._row[name] for name in order if name in self._row]
        stronger = self._stronger()
        places: dict[str, int] = {}
        shared: list[int] = []
        for place, row in enumerate(rows, start=1):
            if not shared or stronger(shared, row):
                shared, number = [], place
            shared.append(row)
            places[self._names[row]] = number
        return places

    def _stronger(self) -> IsStronger:
        """Whether one of these bots is told apart from another bot as the stronger."""
        if self._posteriors:
            is_stronger = self._told_apart > 0
            return lambda rows, row: bool(is_stronger[rows, row].any())
        mean, error = self._ratings
        pairs = len(mean) * (len(mean) - 1) // 2
        # Differences of so many bots are nearly independent where they are large, so the bound is that of all pairs.
        bound = t_quantile(1 - FAMILY_ERROR / (2 * pairs), self._freedom)
        return lambda rows, row: bool((mean[rows] - mean[row] > bound * np.hypot(error[rows], error[row])).any())

    @cached_property
    def _told_apart(self) -> Signs:
        """1 where the first bot is told apart from the second as the stronger, -1 as the weaker, 0 where neither."""
        bots = len(self._names)
        posterior = max(self._posteriors, key=lambda posterior: posterior.evidence)
        covariance = posterior.covariance - (1 - _PRIOR_SHARE) * posterior.of_prior
        first, second = np.triu_indices(bots, 1)
        variance = covariance.diagonal()
        error = np.sqrt(variance[first] + variance[second] - 2 * covariance[first, second])
        seen = (posterior.mode[first] - posterior.mode[second]) / error
        number = max(min(_DRAWS, _DRAWN // max(len(first), 1)), 200)
        draws = self._draws(self._generator("places"), covariance, number)
        chance = np.abs(draws[first] - draws[second]) / error[:, None]
        is_open = np.ones(len(first), dtype=np.bool_)
        while is_open.any():
            bound = float(np.quantile(chance[is_open].max(axis=0), 1 - FAMILY_ERROR))
            beyond = is_open & (np.abs(seen) > bound)
            if not beyond.any():
                break
            is_open &= ~beyond
        signs: Signs = np.zeros((bots, bots), dtype=np.int8)
        signs[first, second] = np.where(is_open, 0, np.sign(seen))
        signs[second, first] = -signs[first, second]
        return signs

    def _draws(self, generator: np.random.Generator, covariance: Floats, number: int) -> Floats:
        """Draws about 0: a row for each bot, a column for each draw, of Student's t as the dispersion is estimated."""
        scale = np.sqrt(self._freedom / generator.chisquare(self._freedom, number))
        draws: Floats = np.linalg.cholesky(covariance) @ generator.standard_normal((len(covariance), number)) * scale
        return draws

    def _generator(self, purpose: str) -> np.random.Generator:
        digest = hashlib.sha256(f"{purpose}\n{self._seed}".encode()).digest()
        return np.random.Generator(np.random.PCG64(int.from_bytes(digest)))


class _Posterior(NamedTuple):
    """The strengths at one spread; `of_prior` is the part of the covariance that is the prior's own variance."""

    mode: Floats
    covariance: Floats
    of_prior: Floats
    evidence: float


class _Prior(NamedTuple):
    """The prior at some strengths: what pulls each to 0 by its distance, the curvature, and the density of all."""

    precision: Floats
    curvature: Floats
    log_density: float


class _Results:
    """Who won how many comparisons of whom: `games` and `won` by bot (rows) and opponent (columns)."""

    def __init__(self, columns: Columns) -> None:
        self.bots = len(columns.names)
        pairs = columns.pairs()
        score = (1 + np.sign(pairs.half_points[0] - pairs.half_points[1])) / 2
        self.games = self._by_pair(pairs.first, pairs.second, np.ones_like(score), np.ones_like(score))
        self.won = self._by_pair(pairs.first, pairs.second, score, 1 - score)
        self.dispersion, self.freedom = 1.0, 1
        mode = np.zeros(self.bots)
        for _ in range(_STEPS):
            mode, step = self.newton(mode, np.full(self.bots, _WEAK_SPREAD**-2))
            if step < _CLOSE:
                break
        expected = _logistic(mode[pairs.first] - mode[pairs.second])
        excess = score - expected
        board_set = columns.board_set[columns.first_seat[pairs.match]]
        keys = np.concatenate([board_set * self.bots + pairs.first, board_set * self.bots + pairs.second])
        scores = sums(np.unique(keys, return_inverse=True)[1], np.concatenate([excess, -excess]))
        # The scores of the bots of a board set add up to nothing.
        observations = len(scores) - len(np.unique(board_set))
        self.freedom = max(observations - (self.bots - 1), 1)
        independent = 2 * float((expected * (1 - expected)).sum())
        measured = float((scores**2).sum()) / independent * observations / self.freedom
        self.dispersion = (measured * observations + _PRIOR_SETS) / (observations + _PRIOR_SETS)

    def newton(self, mode: Floats, precision: Floats) -> tuple[Floats, float]:
        """The strengths after a step of Newton's method under a normal prior, and the largest of the changes."""
        expected, information = self.information(mode)
        pull = (self.won - self.games * expected).sum(axis=1) / self.dispersion - precision * mode
        step = np.linalg.solve(information + np.diag(precision), pull)
        step = np.clip(step, -_LARGEST_STEP, _LARGEST_STEP)
        return mode + step, float(np.abs(step).max())

    def information(self, mode: Floats) -> tuple[Floats, Floats]:
        """The expected score of each bot against each other, and the information matrix of the strengths."""
        expected = _logistic(mode[:, None] - mode[None])
        weights = self.games * expected * (1 - expected) / self.dispersion
        return expected, np.diag(weights.sum(axis=1)) - weights

    def _by_pair(self, first: Ints, second: Ints, ones: Floats, others: Floats) -> Floats:
        keys = np.concatenate([first * self.bots + second, second * self.bots + first])
        return sums(keys, np.concatenate([ones, others]), self.bots**2).reshape(self.bots, self.bots)


def _posteriors(results: _Results) -> Iterator[_Posterior]:
    """The posterior at each spread, from the least one, where the strengths are all but equal."""
    mode: Floats = np.zeros(results.bots)
    for spread in _SPREADS.tolist():
        for _ in range(_STEPS):
            mode, step = results.newton(mode, _prior_at(mode, spread).precision)
            if step < _CLOSE:
                break
        prior = _prior_at(mode, spread)
        expected, information = results.information(mode)
        covariance: Floats = np.linalg.inv(information + np.diag(prior.precision)).astype(np.float64)
        of_prior = (covariance * prior.precision) @ covariance
        likelihood = float((results.won * np.log(expected)).sum()) / results.dispersion
        volume = float(np.linalg.slogdet(information + np.diag(prior.curvature))[1])
        yield _Posterior(mode, covariance, of_prior, likelihood + prior.log_density - volume / 2)


def _prior_at(mode: Floats, spread: float) -> _Prior:
    """Student's t of the spread at these strengths, mixed with that of the widest for bots that are astray."""
    scales = _DEGREES * np.array([[spread], [_WEAK_SPREAD]]) ** 2
    parts = np.log([[1 - _ASTRAY], [_ASTRAY]]) - (_DEGREES + 1) / 2 * np.log1p(mode**2 / scales) - np.log(scales) / 2
    density = np.logaddexp(*parts)
    shares = np.exp(parts - density)
    precisions = (_DEGREES + 1) / (scales + mode**2)
    precision = (shares * precisions).sum(axis=0)
    curvatures = precisions * (scales - mode**2) / (scales + mode**2)
    curvature = (shares * curvatures).sum(axis=0) - mode**2 * ((shares * precisions**2).sum(axis=0) - precision**2)
    return _Prior(precision, np.maximum(curvature, _MIN_CURVATURE * precision), float(density.sum()))


def _contrasts(bots: int) -> Floats:
    """Differences of so many strengths: orthonormal rows, each of which adds up to nothing (Helmert's)."""
    rows: Floats = np.tril(np.ones((bots - 1, bots)))
    places = np.arange(1, bots)
    rows[places - 1, places] = -places
    return rows / np.sqrt(places * (places + 1.0))[:, None]


def _logistic(values: Floats) -> Floats:
    chances: Floats = 1 / (1 + np.exp(-values))
    return chances
