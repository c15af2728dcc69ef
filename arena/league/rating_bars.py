"""Error bars of ratings that hold for each bot, wherever it stands in its field.

The strengths are those of the Bradley-Terry model with Jeffreys' prior, which takes the bias out of maximum likelihood
and gives a finite estimate to a bot that has won or lost everything.

- *Variance.* The games of a board share their cards. Their correlation depends on the expected score: between two bots
  that are far apart nearly every game ends the same way whatever the cards are. It is that of two normal variables cut
  at the expected score, whose own correlation is estimated over the division. What remains, of draws and of tables of
  more than two bots, is one factor, measured over the scores of each bot in each board set.
- *Opponents.* A Swiss lets bots with the same luck meet, so errors of bots and of their opponents go together, and
  where all are nearly equal, bars from the results alone are too short. So a bot is rated against opponents whose
  strengths are assumed to be spread as the field's are: as Student's t of few degrees of freedom, lest one bot far from
  the rest hide how close the rest are. Nothing is assumed of the bot itself, so its own rating is not shrunk.

Sources: Firth, "Bias reduction of maximum likelihood estimates" (1993); McCullagh and Nelder, "Generalized Linear
Models", 9.2; Lange, Little and Taylor, "Robust statistical modeling using the t distribution" (1989).
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats, Ints, sums

_WEAK = 0.03
"""The precision of the prior that keeps groups of bots that never met from drifting apart: of 1000 Elo."""
_PRIOR_SETS = 2.0
"""The weight of the prior that games of a board are independent, in board sets."""
_T_FREEDOM = 4.0
_WIDEST = 2.0
_STEPS, _CLOSE = 60, 1e-9
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(8)
_CUTS = np.linspace(0, 1, 1025)
_NORMAL_CUTS = np.array([NormalDist().inv_cdf(min(max(cut, 1e-6), 1 - 1e-6)) for cut in _CUTS])


class Comparisons(NamedTuple):
    """The scores of every two bots on every board, of `bots` bots.

    `edge` is the number of the pair of bots, `edge_one` and `edge_other` are the bots of each pair; `games` and `won`
    are how many games the two had on the board, and the first one's points in them. `in_set` numbers each bot's scores
    in each board set, those of the first bots before those of the others.
    """

    bots: int
    edge: Ints
    edge_one: Ints
    edge_other: Ints
    games: Floats
    won: Floats
    in_set: Ints


class Bars(NamedTuple):
    """Strengths in log odds about the mean of the field, and their standard errors."""

    mean: Floats
    error: Floats


def rating_bars(compared: Comparisons, observations: int) -> Bars:
    """Rate each bot; `observations` are the independent board sets."""
    network = _Network(compared)
    strength, expected, resistance = network.strengths()
    edge = compared.edge
    games = sums(edge, compared.games)
    information = games * expected * (1 - expected)
    # Two games of a board have one pair in common, three have three.
    paired = sums(edge, compared.games * (compared.games - 1))
    leverage = np.minimum((expected * (1 - expected) * resistance)[edge] * compared.games, 0.9)
    excess = (compared.won - compared.games * expected[edge]) / np.sqrt(1 - leverage)
    base = float(information.sum())
    squares = float((excess**2).sum()) / base * observations
    wanted = (squares + _PRIOR_SETS) / (observations + _PRIOR_SETS) * base - base
    shared = expected * (1 - expected) * paired
    variance = information + shared * _correlation(expected, _latent(expected, shared, wanted))
    of_bots = float((sums(compared.in_set, np.concatenate([excess, -excess])) ** 2).sum())
    rest = of_bots / (2 * float(variance.sum()))
    variance = variance * (rest * observations + _PRIOR_SETS) / (observations + _PRIOR_SETS)
    dispersion = float(variance.sum()) / base
    # Jeffreys' prior adds to the information of a pair what its leverage is of its games.
    precision = information * (1 + dispersion * expected * (1 - expected) * resistance) / dispersion
    return _against_the_field(network, strength, precision, variance / dispersion**2)


class _Network:
    """The pairs of bots that met, as an electrical network whose conductances are the weights of the pairs."""

    def __init__(self, compared: Comparisons) -> None:
        self.compared = compared
        self.bots = compared.bots
        self.one, self.other = compared.edge_one, compared.edge_other

    def pull(self, flow: Floats) -> Floats:
        """Each bot's sum of a quantity that its pairs give to the first bot and take from the other."""
        return sums(self.one, flow, self.bots) - sums(self.other, flow, self.bots)

    def laplacian(self, weights: Floats) -> Floats:
        """The matrix of the network, with the weights of its edges."""
        matrix = np.zeros((self.bots, self.bots))
        matrix[self.one, self.other] = matrix[self.other, self.one] = -weights
        matrix[np.diag_indices(self.bots)] = -matrix.sum(axis=1)
        return matrix

    def strengths(self) -> tuple[Floats, Floats, Floats]:
        """The strengths, the first bot's expected score of a game of each pair, and the variance of its difference."""
        compared = self.compared
        games, won = sums(compared.edge, compared.games), sums(compared.edge, compared.won)
        strength: Floats = np.zeros(self.bots)
        last = math.inf
        for _ in range(_STEPS):
            expected: Floats = 1 / (1 + np.exp(strength[self.other] - strength[self.one]))
            information = games * expected * (1 - expected)
            inverse = np.linalg.inv(self.laplacian(information) + _WEAK * np.eye(self.bots))
            own = inverse.diagonal()
            resistance: Floats = own[self.one] + own[self.other] - 2 * inverse[self.one, self.other]
            gradient = self.pull(won - games * expected + information * resistance * (0.5 - expected))
            step = inverse @ (gradient - _WEAK * strength)
            longest = float(np.abs(step).max())
            # Each step of a scoring iteration is shorter than the last; halve those that are not.
            step = step * min(1.0, 1 / max(longest, 1e-300)) * (0.5 if longest >= last else 1.0)
            strength = strength + step
            last = longest
            if longest < _CLOSE:
                break
        return strength - strength.mean(), expected, resistance


def _correlation(expected: Floats, latent: float) -> Floats:
    """The correlation of two games of this expected score, where normal variables behind them have `latent`.

    The excess of the probability that both are won over that of independent games is an integral over the correlation
    (Drezner and Wesolowsky, "On the computation of the bivariate normal integral", 1990).
    """
    cut = np.interp(expected, _CUTS, _NORMAL_CUTS)
    angles = math.asin(latent) * (_NODES + 1) / 2
    inside = np.exp(-(cut[:, None] ** 2) / (1 + np.sin(angles)))
    both = math.asin(latent) / 2 * (inside @ _NODE_WEIGHTS) / (2 * math.pi)
    correlation: Floats = both / np.maximum(expected * (1 - expected), 1e-6)
    return correlation


def _latent(expected: Floats, shared: Floats, wanted: float) -> float:
    """The correlation behind the games with which they have this surplus of variance in all."""
    low, high = -0.95, 0.95
    for _ in range(20):
        middle = (low + high) / 2
        if float((shared * _correlation(expected, middle)).sum()) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _against_the_field(network: _Network, strength: Floats, precision: Floats, variance: Floats) -> Bars:
    """Each bot's strength, nothing being assumed of it, among opponents spread as the field is.

    The field's mean is one more node of the network, joined to each bot by the precision of its prior; for the bot that
    is rated this edge is cut.
    """
    bots = network.bots
    pull = network.laplacian(precision) @ strength
    prior = _prior(network, precision, pull)
    joined = np.zeros((bots + 1, bots + 1))
    joined[:bots, :bots] = network.laplacian(precision) + np.diag(prior)
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
    spread = rows[:, network.one] - rows[:, network.other]
    apart = (rows[:, :bots] - rows[:, [bots]]) ** 2
    apart[np.diag_indices(bots)] = 0
    return Bars(mean - mean.mean(), np.sqrt(spread**2 @ variance + apart @ prior))


def _prior(network: _Network, precision: Floats, pull: Floats) -> Floats:
    """The precision of each bot's prior about the mean of the field, by the EM algorithm."""
    bots = network.bots
    matrix = network.laplacian(precision)
    squared, weight = 0.25, np.ones(bots)
    surplus = bots - 2
    for _ in range(_STEPS):
        prior = weight / squared
        inverse = np.linalg.inv(matrix + np.diag(prior) - np.outer(prior, prior) / prior.sum() + 1 / bots)
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
