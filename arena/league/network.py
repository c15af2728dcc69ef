"""Bots and those they met as an electrical network: strengths are potentials, what is known of a pair its conductance.

A Swiss lets bots with the same luck meet, so errors of bots and of their opponents go together, and where all are
nearly equal, bars from the results alone are too short. So a bot is rated against opponents whose strengths are assumed
to be spread as the field's are. Nothing is assumed of the bot itself, so its own rating is not shrunk.

The strengths of a field are normally distributed, and one bot or another is far from the rest, lest it hide how close
the rest are: on average one. The spread is not known, so the bars are over all spreads, by their likelihoods.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats, Ints, sums

_FAR = 2.0
"""The standard deviation of the strengths of bots that are far from the rest."""
_SPREADS: Floats = np.array([0.02, 0.05, 0.08, 0.12, 0.17, 0.23, 0.3, 0.4, 0.55, 0.75, 1.0, 1.4, 2.0])
_PRIOR: Floats = np.array([len(_SPREADS) - 1.0] + [1.0] * (len(_SPREADS) - 1))
"""In which equal bots are as likely as all other spreads together."""
_UNLIKELY = 0.01
_STEPS, _CLOSE = 20, 1e-3
_SOLVER_STEPS, _SOLVED, _SETTLED = 200, 1e-9, 1e-8


class Bars(NamedTuple):
    """Strengths about the mean of the field, and their standard errors."""

    mean: Floats
    error: Floats


class Network(NamedTuple):
    """The pairs of bots that met: `one` and `other` are the bots of each pair, `bots` is how many there are."""

    bots: int
    one: Ints
    other: Ints

    def pull(self, flow: Floats) -> Floats:
        """Return each bot's sum of a quantity that its pairs give to the first bot and take from the other."""
        return sums(self.one, flow, self.bots) - sums(self.other, flow, self.bots)

    def laplacian(self, weights: Floats) -> Floats:
        """Return the matrix of the network, with the weights of its pairs."""
        between = sums(self.one * self.bots + self.other, weights, self.bots**2).reshape(self.bots, self.bots)
        matrix = -between - between.T
        matrix[np.diag_indices(self.bots)] = -matrix.sum(axis=1)
        return matrix

    def difference(self, values: Floats) -> Floats:
        """Return the first bot's value less the other's, for each pair."""
        return values[self.one] - values[self.other]

    def applied(self, weights: Floats, own: Floats, values: Floats) -> Floats:
        """Return the product of the values with the matrix of these weights, and `own` on its diagonal."""
        return self.pull(weights * self.difference(values)) + own * values

    def solved(self, weights: Floats, own: Floats, target: Floats, start: Floats) -> Floats:
        """Return the values whose product with the matrix is the target, by conjugate gradients."""
        diagonal = sums(self.one, weights, self.bots) + sums(self.other, weights, self.bots) + own
        found = start
        rest = target - self.applied(weights, own, found)
        scaled = rest / diagonal
        direction = scaled
        size = float(rest @ scaled)
        for _ in range(_SOLVER_STEPS):
            if size <= _SOLVED**2:
                break
            applied = self.applied(weights, own, direction)
            length = size / float(direction @ applied)
            found, rest = found + length * direction, rest - length * applied
            scaled = rest / diagonal
            before, size = size, float(rest @ scaled)
            direction = scaled + size / before * direction
        return found

    def tree_covariance(self, weights: Floats, own: float) -> tuple[Floats, Floats]:
        """Return the variance of each bot and the covariance of each pair, by belief propagation.

        Every bot is also connected to ground, by `own`: a variance is the resistance between the bot and ground. Exact
        where the network is a tree, and close to it in large fields, where few bots met and the cycles are long.
        """
        to = np.concatenate([self.one, self.other])
        weight = np.concatenate([weights, weights])
        came: Floats = np.zeros_like(weight)  # the conductance to ground through each pair, as its end `to` sees it
        reverse = np.roll(np.arange(len(to)), len(weights))
        while True:
            whole = sums(to, came, self.bots) + own
            beyond = (whole[to] - came)[reverse]
            flowing: Floats = (weight * beyond / (weight + beyond)).astype(np.float64)
            change = float(np.abs(flowing - came).max())
            came = flowing
            if change < _SETTLED * own:
                break
        variance = 1 / whole
        return variance, variance[self.one] * weights / (weights + beyond[: len(weights)])


class Rated(NamedTuple):
    """Strengths as linear functions of the results, at one spread of the field, whose probability is `weight`.

    `of_pairs` are the coefficients of what each pair (columns) gives to each bot's strength (rows), and `of_field` is
    the variance that comes of the opponents' spread.
    """

    weight: float
    mean: Floats
    of_pairs: Floats
    of_field: Floats


def against_the_field(network: Network, precision: Floats, pull: Floats) -> list[Rated]:
    """Rate each bot, nothing being assumed of it, among opponents spread as the field is, at each likely spread.

    `precision` is that of each pair's difference, `pull` what the results give to each bot: by how much it was better,
    times the precision, summed over its pairs. Unit is the logit, or anything of about the same size.
    """
    laplacian = network.laplacian(precision)
    return [_rated(network, laplacian, pull, weight, prior) for weight, prior in _priors(laplacian, pull)]


def pooled(rated: Sequence[Rated], variances: Sequence[Floats]) -> Bars:
    """Return the bars over all spreads, from the variances of the strengths at each."""
    weights = np.array([fit.weight for fit in rated])
    means = np.array([fit.mean for fit in rated])
    mean = weights @ means
    return Bars(mean, np.sqrt(weights @ (np.array(variances) + (means - mean) ** 2)))


def _rated(network: Network, laplacian: Floats, pull: Floats, weight: float, prior: Floats) -> Rated:
    """Rate each bot where these are the precisions of the opponents' priors.

    The field's mean is one more node of the network, joined to each bot by the precision of its prior; for the bot that
    is rated this pair is cut.
    """
    bots = network.bots
    joined = np.zeros((bots + 1, bots + 1))
    joined[:bots, :bots] = laplacian + np.diag(prior)
    joined[bots, :bots] = joined[:bots, bots] = -prior
    joined[bots, bots] = prior.sum()
    inverse = np.linalg.inv(joined + 1 / (bots + 1))
    # Row i, applied to the pull of the results, gives bot i's strength less the field's mean strength.
    rows = inverse[:bots] - inverse[:bots].mean(axis=0)
    to_mean = inverse[:, :bots] - inverse[:, [bots]]
    across = to_mean[:bots].diagonal() - to_mean[bots]
    share = (rows.diagonal() - rows[:, bots]) / np.maximum(1 / prior - across, 1e-12)
    rows = rows + share[:, None] * to_mean.T
    mean = rows[:, :bots] @ pull
    apart = (rows[:, :bots] - rows[:, [bots]]) ** 2
    apart[np.diag_indices(bots)] = 0
    return Rated(weight, mean - mean.mean(), rows[:, network.one] - rows[:, network.other], apart @ prior)


def _priors(laplacian: Floats, pull: Floats) -> list[tuple[float, Floats]]:
    """Return the likely spreads of the field: the probability of each, and the precision of each bot's prior there."""
    found = [_prior(laplacian, pull, spread) for spread in _SPREADS.tolist()]
    evidence = np.array([likelihood for likelihood, _ in found])
    weights = np.exp(evidence - evidence.max()) * _PRIOR
    weights = np.where(weights > _UNLIKELY * weights.max(), weights, 0)
    weights = weights / weights.sum()
    return [(weight, prior) for weight, (_, prior) in zip(weights.tolist(), found, strict=True) if weight]


def _prior(laplacian: Floats, pull: Floats, spread: float) -> tuple[float, Floats]:
    """Return the log-likelihood of a spread, by a variational bound, and the precision of each bot's prior.

    A bot is one of the field or far from it, as likely as its results alone say.
    """
    far = 1 / (len(pull) + 1)
    near: Floats = np.ones(len(pull))
    for _ in range(_STEPS):
        prior = near / spread**2 + (1 - near) / _FAR**2
        covariance = np.linalg.inv(laplacian + np.diag(prior))
        mean, variance = covariance @ pull, covariance.diagonal()
        # What the results say of each bot without its own prior.
        alone = np.maximum(1 / variance - prior, 1e-9)
        squared = (mean / variance / alone) ** 2
        odds = _log_density(squared, _FAR**2 + 1 / alone) - _log_density(squared, spread**2 + 1 / alone)
        before, near = near, 1 / (1 + far / (1 - far) * np.exp(np.minimum(odds, 50)))
        if float(np.abs(near - before).max()) < _CLOSE:
            break
    prior = near / spread**2 + (1 - near) / _FAR**2
    likelihood = float(mean @ pull - mean @ laplacian @ mean / 2 - prior @ mean**2 / 2)
    scale = -float(near.sum()) * math.log(spread) - float((1 - near).sum()) * math.log(_FAR)
    volume = float(np.linalg.slogdet(laplacian + np.diag(prior))[1]) / 2
    sure = np.clip(near, 1e-12, 1 - 1e-12)
    kinds = float((sure * np.log((1 - far) / sure) + (1 - sure) * np.log(far / (1 - sure))).sum())
    return likelihood + scale - volume + kinds, prior


def _log_density(squared: Floats, variance: Floats) -> Floats:
    """Return the normal log-density at this squared distance, but for a constant."""
    density: Floats = -(np.log(variance) + squared / variance) / 2
    return density
