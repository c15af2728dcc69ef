"""Error bars of ratings that hold for each bot, wherever it stands in its field.

The strengths are those of the Bradley-Terry model with Jeffreys' prior, which takes the bias out of maximum likelihood
and gives a finite estimate to a bot that has won or lost everything.

- *Variance.* The games of a board share their cards. Their correlation depends on the expected score: between two bots
  that are far apart nearly every game ends the same way whatever the cards are. It is that of two normal variables cut
  at the expected score, whose own correlation is estimated over the division. What remains, of draws and of tables of
  more than two bots, is one factor, measured over the scores of each bot in each board set.
- *Opponents.* Each bot is rated against opponents whose strengths are spread as the field's are (`network`).

Sources: Firth, "Bias reduction of maximum likelihood estimates" (1993); McCullagh and Nelder, "Generalized Linear
Models", 9.2.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats, Ints, sums
from arena.league.network import Bars, Network, against_the_field, pooled

_WEAK = 0.03
"""The precision of the prior that keeps groups of bots that never met from drifting apart: of 1000 Elo."""
_PRIOR_SETS = 2.0
"""The weight of the prior that games of a board are independent, in board sets."""
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


def rating_bars(compared: Comparisons, observations: int) -> Bars:
    """Rate each bot; `observations` are the independent board sets."""
    network = Network(compared.bots, compared.edge_one, compared.edge_other)
    strength, expected, resistance = _strengths(compared, network)
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
    pull = network.laplacian(precision) @ strength
    rated = against_the_field(network, precision, pull)
    of_pairs = variance / dispersion**2
    return pooled(rated, [one.of_pairs**2 @ of_pairs + one.of_field for one in rated])


def _strengths(compared: Comparisons, network: Network) -> tuple[Floats, Floats, Floats]:
    """Return the strengths, and for each pair the first bot's expected score and the variance of the difference."""
    games, won = sums(compared.edge, compared.games), sums(compared.edge, compared.won)
    strength: Floats = np.zeros(network.bots)
    last = math.inf
    for _ in range(_STEPS):
        expected: Floats = 1 / (1 + np.exp(strength[network.other] - strength[network.one]))
        information = games * expected * (1 - expected)
        inverse = np.linalg.inv(network.laplacian(information) + _WEAK * np.eye(network.bots))
        own = inverse.diagonal()
        resistance: Floats = own[network.one] + own[network.other] - 2 * inverse[network.one, network.other]
        gradient = network.pull(won - games * expected + information * resistance * (0.5 - expected))
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
