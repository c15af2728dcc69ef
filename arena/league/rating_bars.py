"""Error bars of ratings that hold for each bot, wherever it stands in its field.

The strengths are those of the Bradley-Terry model with Jeffreys' prior, which takes the bias out of maximum likelihood
and gives a finite estimate to a bot that has won or lost everything.

- *Variance.* The games of a board share their cards. Their correlation depends on the expected score: between two bots
  that are far apart nearly every game ends the same way whatever the cards are. It is that of two normal variables cut
  at the expected score, whose own correlation is estimated over the division. What remains, of draws and of tables of
  more than two bots, is one factor, measured over the scores of each bot in each board set.
- *Opponents.* Each bot is rated against opponents whose strengths are spread as the field's are (`network`).
- *Before.* What boards have told earlier (`Earlier`) is one more result of each pair, in the likelihood and in the
  bars. The prior of the opponents is no part of it, so that it counts once, however often results are added.

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
_DENSE = 256
"""With more bots than this, opponents are not taken for spread as the field is."""
_PASSES, _SETTLED = 40, 1e-9
"""Of strengths and dispersion in turns, and the change of the dispersion that ends them."""
_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(8)
_CUTS = np.linspace(0, 1, 1025)
_NORMAL_CUTS = np.array([NormalDist().inv_cdf(min(max(cut, 1e-6), 1 - 1e-6)) for cut in _CUTS])


class Comparisons(NamedTuple):
    """The scores of every two bots on every board, of `bots` bots.

    `edge` is the number of the pair of bots, `edge_first` and `edge_second` are the bots of each pair; `games` and
    `won` are how many games the two had on the board, and the first one's points in them. `in_set` numbers each bot's
    scores in each board set, those of the first bots before those of the others.
    """

    bots: int
    edge: Ints
    edge_first: Ints
    edge_second: Ints
    games: Floats
    won: Floats
    in_set: Ints


class Earlier(NamedTuple):
    """What boards have told earlier of so many pairs of bots: how far they are apart, and with which precision.

    `strength` is that of each bot, `first` and `second` are the bots of each pair; unit is the logit. The precisions of
    the pairs with numbers in `by_games` are those of games, for which the strengths count that are found in the end: a
    season in which a bot seemed to be further away than it is would count for less than others, and draw bots together.
    The games of a board had this `dispersion`, measured over so many board `sets`.
    """

    strength: Floats
    first: Ints
    second: Ints
    precision: Floats
    by_games: Ints
    dispersion: float = 1.0
    sets: int = 0

    @classmethod
    def nothing(cls, bots: int) -> "Earlier":
        """Return that nothing is known of so many bots."""
        nobody: Ints = np.zeros(0, dtype=np.int64)
        return cls(np.zeros(bots), nobody, nobody, np.zeros(0), nobody)

    def precision_at(self, strength: Floats) -> Floats:
        """Return the precision of each pair, where these are the strengths."""
        precision, games = self.precision.copy(), self.by_games
        first, second = self.first[games], self.second[games]
        precision[games] *= _of_a_game(strength[first] - strength[second]) / _of_a_game(
            self.strength[first] - self.strength[second]
        )
        return precision


class Fitted(NamedTuple):
    """What the results say together with what was known before: bars apart, what `Earlier` is made of.

    `precision` is that of each pair in these results alone, by them and without any prior, `earlier` that of each pair
    which was known before.
    """

    strength: Floats
    precision: Floats
    earlier: Floats
    bars: Bars
    dispersion: float


class _Mode(NamedTuple):
    """The strengths; for each pair the first bot's expected score, and the leverage of one of its games."""

    strength: Floats
    expected: Floats
    leverage: Floats


class _Chance(NamedTuple):
    """The variance of each pair's results, and what it is of that of independent games: of pairs, and over all."""

    variance: Floats
    of_pairs: float
    dispersion: float


def rating_bars(compared: Comparisons, observations: int) -> Bars:
    """Rate each bot; `observations` are the independent board sets."""
    return fitted(compared, observations, Earlier.nothing(compared.bots)).bars


def fitted(compared: Comparisons, observations: int, earlier: Earlier) -> Fitted:
    """Rate each bot by these results and what was known before."""
    network = Network(compared.bots, compared.edge_first, compared.edge_second)
    before = Network(compared.bots, earlier.first, earlier.second)
    dispersion = earlier.dispersion
    for _ in range(_PASSES):
        mode = _mode(compared, network, before, earlier, dispersion)
        chance = _chance(compared, observations, mode, earlier)
        change = abs(chance.dispersion - dispersion)
        dispersion = chance.dispersion
        # Where nothing was known, the dispersion has no part in the strengths.
        if change < _SETTLED or not len(earlier.precision):
            break
    information = sums(compared.edge, compared.games) * mode.expected * (1 - mode.expected)
    # Jeffreys' prior adds to the information of a pair what its leverage is of its games.
    prior_precision = earlier.precision_at(mode.strength)
    precision = np.concatenate([information * (1 + dispersion * mode.leverage) / dispersion, prior_precision])
    variance = np.concatenate([chance.variance / dispersion**2, prior_precision])
    whole = Network(
        compared.bots, np.concatenate([network.first, before.first]), np.concatenate([network.second, before.second])
    )
    if compared.bots > _DENSE:
        bars = _of_boards_alone(whole, precision, mode.strength)
    else:
        rated = against_the_field(whole, precision, whole.laplacian(precision) @ mode.strength)
        bars = pooled(rated, [fit.of_pairs**2 @ variance + fit.of_field for fit in rated])
    return Fitted(mode.strength, information / dispersion, prior_precision, bars, chance.of_pairs)


def _of_boards_alone(network: Network, precision: Floats, strength: Floats) -> Bars:
    """Rate each bot without the prior of its opponents, of which a large field needs less."""
    covariance = np.linalg.inv(network.laplacian(precision) + _WEAK * np.eye(network.bots))
    centred = covariance - covariance.mean(axis=0) - covariance.mean(axis=1)[:, None] + covariance.mean()
    return Bars(strength, np.sqrt(np.maximum(centred.diagonal(), 0)))


def _chance(compared: Comparisons, observations: int, mode: _Mode, earlier: Earlier) -> _Chance:
    """Measure how much the games of a board share, where these are the strengths."""
    if not observations:
        return _Chance(np.zeros(0), earlier.dispersion, earlier.dispersion)
    edge, expected = compared.edge, mode.expected
    information = sums(edge, compared.games) * expected * (1 - expected)
    # Two games of a board have one pair in common, three have three.
    paired = sums(edge, compared.games * (compared.games - 1))
    leverage = np.minimum(mode.leverage[edge] * compared.games, 0.9)
    excess = (compared.won - compared.games * expected[edge]) / np.sqrt(1 - leverage)
    base = float(information.sum())
    squares = float((excess**2).sum()) / base * observations
    before = _PRIOR_SETS + earlier.dispersion * earlier.sets
    of_pairs = (squares + before) / (observations + _PRIOR_SETS + earlier.sets)
    shared = expected * (1 - expected) * paired
    latent = _latent(expected, shared, of_pairs * base - base)
    variance = information + shared * _correlation(expected, latent)
    of_bots = float((sums(compared.in_set, np.concatenate([excess, -excess])) ** 2).sum())
    excess_ratio = of_bots / (2 * float(variance.sum()))
    variance = variance * (excess_ratio * observations + _PRIOR_SETS) / (observations + _PRIOR_SETS)
    return _Chance(variance, of_pairs, float(variance.sum()) / base)


def _mode(compared: Comparisons, network: Network, before: Network, earlier: Earlier, dispersion: float) -> _Mode:
    """Return the most likely strengths under Jeffreys' prior, with what was known before."""
    games, won = sums(compared.edge, compared.games), sums(compared.edge, compared.won)
    strength: Floats = earlier.strength
    last = math.inf
    for _ in range(_STEPS):
        expected: Floats = 1 / (1 + np.exp(strength[network.second] - strength[network.first]))
        information = games * expected * (1 - expected)
        prior = dispersion * before.laplacian(earlier.precision_at(strength))
        inverse = np.linalg.inv(network.laplacian(information) + prior + _WEAK * np.eye(network.bots))
        of_bots = inverse.diagonal()
        resistance: Floats = (
            of_bots[network.first] + of_bots[network.second] - 2 * inverse[network.first, network.second]
        )
        gradient = network.pull(won - games * expected + information * resistance * (0.5 - expected))
        step = inverse @ (gradient + prior @ (earlier.strength - strength) - _WEAK * strength)
        longest = float(np.abs(step).max())
        # Each step of a scoring iteration is shorter than the last; halve those that are not.
        step = step * min(1.0, 1 / max(longest, 1e-300)) * (0.5 if longest >= last else 1.0)
        strength = strength + step
        last = longest
        if longest < _CLOSE:
            break
    return _Mode(strength - strength.mean(), expected, expected * (1 - expected) * resistance)


def _of_a_game(apart: Floats) -> Floats:
    """What a game tells of a difference, where it is this."""
    expected: Floats = 1 / (1 + np.exp(-apart))
    return expected * (1 - expected)


def _correlation(expected: Floats, latent: float) -> Floats:
    """Return the correlation of two games of this expected score, where normal variables behind them have `latent`.

    The excess of the probability that both are won over that of independent games is an integral over the correlation
    (Drezner and Wesolowsky, "On the computation of the bivariate normal integral", 1990).
    """
    cut = np.interp(expected, _CUTS, _NORMAL_CUTS)
    angles = math.asin(latent) * (_NODES + 1) / 2
    inside = np.exp(-(cut[:, None] ** 2) / (1 + np.sin(angles)))
    excess = math.asin(latent) / 2 * (inside @ _NODE_WEIGHTS) / (2 * math.pi)
    correlation: Floats = excess / np.maximum(expected * (1 - expected), 1e-6)
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
