"""Bots and those they met as an electrical network: strengths are potentials, what is known of a pair its conductance.

A Swiss lets bots with the same luck meet, so errors of bots and of their opponents go together, and where all are
nearly equal, bars from the results alone are too short. So a bot is rated against opponents whose strengths are assumed
to be spread as the field's are: as Student's t of few degrees of freedom, lest one bot far from the rest hide how close
the rest are. Nothing is assumed of the bot itself, so its own rating is not shrunk.

Source: Lange, Little and Taylor, "Robust statistical modeling using the t distribution" (1989).
"""

import math
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats, Ints, sums

_T_FREEDOM = 4.0
_WIDEST = 2.0
_STEPS = 60
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
    """Strengths as linear functions of the results.

    `of_pairs` are the coefficients of what each pair (columns) gives to each bot's strength (rows), and `of_field` is
    the variance that comes of the opponents' spread.
    """

    mean: Floats
    of_pairs: Floats
    of_field: Floats

    def variance(self, of_pairs: Floats) -> Floats:
        """Return the variance of each strength, from that of what each pair gives."""
        return self.of_pairs**2 @ of_pairs + self.of_field


def against_the_field(network: Network, precision: Floats, pull: Floats) -> Rated:
    """Rate each bot, nothing being assumed of it, among opponents spread as the field is.

    `precision` is that of each pair's difference, `pull` what the results give to each bot: by how much it was better,
    times the precision, summed over its pairs. Unit is the logit, or anything of about the same size.

    The field's mean is one more node of the network, joined to each bot by the precision of its prior; for the bot that
    is rated this pair is cut.
    """
    bots = network.bots
    laplacian = network.laplacian(precision)
    prior = _prior(laplacian, pull)
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
    return Rated(mean - mean.mean(), rows[:, network.one] - rows[:, network.other], apart @ prior)


def _prior(laplacian: Floats, pull: Floats) -> Floats:
    """Return the precision of each bot's prior about the mean of the field, by the EM algorithm."""
    bots = len(pull)
    squared, weight = 0.25, np.ones(bots)
    surplus = bots - 2
    for _ in range(_STEPS):
        prior = weight / squared
        inverse = np.linalg.inv(laplacian + np.diag(prior) - np.outer(prior, prior) / prior.sum() + 1 / bots)
        inverse = inverse - inverse.mean(axis=0)
        strength = inverse @ pull
        off = (strength - prior @ strength / prior.sum()) ** 2 + np.maximum(inverse.diagonal(), 0)
        weight = (_T_FREEDOM + 1) / (_T_FREEDOM + off / squared)
        before = squared
        squares = float(weight @ off)
        squared = _WIDEST**2 * (math.sqrt(surplus**2 + 4 * squares / _WIDEST**2) - surplus) / 2
        if abs(squared - before) < 1e-4 * before:
            break
    result: Floats = weight / squared
    return result
