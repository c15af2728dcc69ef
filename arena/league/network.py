"""Bots and those they met as an electrical network: strengths are potentials, what is known of a pair its conductance.

A Swiss lets bots with the same luck meet, so errors of bots and of their opponents go together, and where all are
nearly equal, bars from the results alone are too short. So a bot is rated against opponents whose strengths are assumed
to be spread as the field's are (`field_prior`). Nothing is assumed of the bot itself, so its own rating is not shrunk.
How the field is spread is not known, so the bars are over all likely priors, by their likelihoods.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats, Ints, sums
from arena.league.field_prior import Prior, joined, priors

_STEPS, _SOLVED, _SETTLED = 200, 1e-9, 1e-8


class Bars(NamedTuple):
    """Strengths about the mean of the field, and their standard errors."""

    mean: Floats
    error: Floats


class Network(NamedTuple):
    """The pairs of bots that met: `first` and `second` are the bots of each pair, `bots` is how many there are."""

    bots: int
    first: Ints
    second: Ints

    def pull(self, flow: Floats) -> Floats:
        """Return each bot's sum of a quantity that its pairs give to the first bot and take from the other."""
        return sums(self.first, flow, self.bots) - sums(self.second, flow, self.bots)

    def laplacian(self, weights: Floats) -> Floats:
        """Return the matrix of the network, with the weights of its pairs."""
        between = sums(self.first * self.bots + self.second, weights, self.bots**2).reshape(self.bots, self.bots)
        matrix = -between - between.T
        matrix[np.diag_indices(self.bots)] = -matrix.sum(axis=1)
        return matrix

    def difference(self, values: Floats) -> Floats:
        """Return the first bot's value less the other's, for each pair."""
        return values[self.first] - values[self.second]

    def applied(self, weights: Floats, ground: Floats, values: Floats) -> Floats:
        """Return the product of the values with the matrix of these weights, and `ground` on its diagonal."""
        return self.pull(weights * self.difference(values)) + ground * values

    def solved(self, weights: Floats, ground: Floats, target: Floats, start: Floats) -> Floats:
        """Return the values whose product with the matrix is the target, by conjugate gradients."""
        diagonal = sums(self.first, weights, self.bots) + sums(self.second, weights, self.bots) + ground
        values = start
        residual = target - self.applied(weights, ground, values)
        scaled = residual / diagonal
        direction = scaled
        size = float(residual @ scaled)
        for _ in range(_STEPS):
            if size <= _SOLVED**2:
                break
            applied = self.applied(weights, ground, direction)
            length = size / float(direction @ applied)
            values, residual = values + length * direction, residual - length * applied
            scaled = residual / diagonal
            before, size = size, float(residual @ scaled)
            direction = scaled + size / before * direction
        return values

    def tree_covariance(self, weights: Floats, ground: float) -> tuple[Floats, Floats]:
        """Return the variance of each bot and the covariance of each pair, by belief propagation.

        Every bot is also connected to ground, by `ground`: a variance is the resistance between the bot and ground.
        Exact where the network is a tree, and close to it in large fields, where few bots met and the cycles are long.
        """
        to = np.concatenate([self.first, self.second])
        weight = np.concatenate([weights, weights])
        came: Floats = np.zeros_like(weight)  # the conductance to ground through each pair, as its end `to` sees it
        reverse = np.roll(np.arange(len(to)), len(weights))
        while True:
            whole = sums(to, came, self.bots) + ground
            beyond = (whole[to] - came)[reverse]
            flowing: Floats = (weight * beyond / (weight + beyond)).astype(np.float64)
            change = float(np.abs(flowing - came).max())
            came = flowing
            if change < _SETTLED * ground:
                break
        variance = 1 / whole
        return variance, variance[self.first] * weights / (weights + beyond[: len(weights)])


class Rated(NamedTuple):
    """Strengths as linear functions of the results, under one prior of the field, whose probability is `weight`.

    `of_pairs` are the coefficients of what each pair (columns) gives to each bot's strength (rows), and `of_field` is
    the variance that comes of the opponents' prior.
    """

    weight: float
    mean: Floats
    of_pairs: Floats
    of_field: Floats


def against_the_field(network: Network, precision: Floats, pull: Floats) -> list[Rated]:
    """Rate each bot, nothing being assumed of it, among opponents spread as the field is, under each likely prior.

    `precision` is that of each pair's difference, `pull` what the results give to each bot: by how much it was better,
    times the precision, summed over its pairs. Unit is the logit, or anything of about the same size.
    """
    laplacian = network.laplacian(precision)
    return [_rated(network, laplacian, pull, prior) for prior in priors(laplacian, pull)]


def pooled(rated: Sequence[Rated], variances: Sequence[Floats]) -> Bars:
    """Return the bars over all priors, from the variances of the strengths under each."""
    weights = np.array([fit.weight for fit in rated])
    means = np.array([fit.mean for fit in rated])
    mean = weights @ means
    return Bars(mean, np.sqrt(weights @ (np.array(variances) + (means - mean) ** 2)))


def _rated(network: Network, laplacian: Floats, pull: Floats, prior: Prior) -> Rated:
    """Rate each bot under this prior of its opponents.

    The centre of each group is one more node of the network, joined to each bot by the precision of its prior; for the
    bot that is rated these pairs are cut.
    """
    bots, groups = prior.precision.shape
    inverse = np.linalg.inv(joined(laplacian, prior.precision, prior.between) + 1 / (bots + groups))
    # Row i, applied to the pull of the results, gives bot i's strength less the field's mean strength.
    rows = inverse[:bots] - inverse[:bots].mean(axis=0)
    to_centres = inverse[:bots, None] - inverse[None, bots:]
    bot = np.arange(bots)
    across = to_centres[bot, :, bot][:, :, None] - to_centres[:, :, bots:]
    resistance = np.eye(groups) / np.maximum(prior.precision, 1e-12)[:, :, None]
    share = np.linalg.solve(resistance - across, (rows[bot, bot][:, None] - rows[:, bots:])[:, :, None])
    rows = rows + (share * to_centres).sum(axis=1)
    mean = rows[:, :bots] @ pull
    apart = (rows[:, :bots, None] - rows[:, None, bots:]) ** 2
    apart[bot, bot] = 0
    of_field = (apart * prior.precision).sum(axis=(1, 2))
    if groups > 1:
        of_field = of_field + prior.between * (rows[:, bots] - rows[:, bots + 1]) ** 2
    return Rated(prior.weight, mean - mean.mean(), rows[:, network.first] - rows[:, network.second], of_field)
