"""How the strengths of a field are spread, as priors of a bot's opponents.

The strengths are normally distributed about one centre, or about two, as where two families of bots meet: then either
centre is unknown, and a bot is of either group. One bot or another is far from the rest, lest it hide how close the
rest are: on average one. The spread about the centres is not known either. Each prior has the probability that its
likelihood gives it, a variational bound (Bishop, "Pattern Recognition and Machine Learning", 2006, 10.2).
"""

import math
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats

_FAR = 2.0
"""The standard deviation of the strengths of bots that are far from the rest, and of either of two centres."""
_SPREADS: Floats = np.array([0.02, 0.05, 0.08, 0.12, 0.17, 0.23, 0.3, 0.4, 0.55, 0.75, 1.0, 1.4, 2.0])
_CHANCES: Floats = np.array([len(_SPREADS) - 1.0] + [1.0] * (len(_SPREADS) - 1))
"""Of the spreads: equal bots are as likely as all other spreads together."""
_GROUP_SPREADS = 6
"""The first so many spreads are those of two groups; such as are wider hardly part."""
_GROUPED = 0.5
"""The probability of a spread about two centres, as a multiple of that about one."""
_MIN_GROUPED = 6
"""The bots below which there are no two groups."""
_UNLIKELY = 0.01
_STEPS, _CLOSE = 20, 1e-3
_MIN_PRECISION = 1e-9


class Prior(NamedTuple):
    """One prior of a field: its probability `weight`, and what joins the bots to the centres of its groups.

    `precision` has a row for each bot and a column for each group; `between` is the precision of the difference of two
    centres.
    """

    weight: float
    precision: Floats
    between: float


class _Apart(NamedTuple):
    """How far each bot is from each centre as its results alone say, without its own prior: means and covariances."""

    mean: Floats
    covariance: Floats


def priors(laplacian: Floats, pull: Floats) -> list[Prior]:
    """Return the likely priors of a field, from what its pairs are known to be apart and what pulls each bot."""
    bots = len(pull)
    candidates = [_prior(laplacian, pull, np.ones((bots, 1)), spread) for spread in _SPREADS.tolist()]
    chances = _CHANCES.tolist()
    if bots >= _MIN_GROUPED:
        halves = _halves(laplacian, pull)
        candidates += [_prior(laplacian, pull, halves, spread) for spread in _SPREADS[:_GROUP_SPREADS].tolist()]
        chances += (_GROUPED * _CHANCES[:_GROUP_SPREADS]).tolist()
    evidence = np.array([likelihood for likelihood, _ in candidates])
    weights = np.exp(evidence - evidence.max()) * np.array(chances)
    weights = np.where(weights > _UNLIKELY * weights.max(), weights, 0)
    weights = weights / weights.sum()
    return [
        prior._replace(weight=weight) for weight, (_, prior) in zip(weights.tolist(), candidates, strict=True) if weight
    ]


def joined(laplacian: Floats, precision: Floats, between: float) -> Floats:
    """Return the matrix of the bots' network with the centres of the groups as its last nodes."""
    bots, groups = precision.shape
    matrix = np.zeros((bots + groups, bots + groups))
    matrix[:bots, :bots] = laplacian + np.diag(precision.sum(axis=1))
    matrix[:bots, bots:] = -precision
    matrix[bots:, :bots] = -precision.T
    matrix[bots:, bots:] = np.diag(precision.sum(axis=0)) + between * (groups * np.eye(groups) - 1)
    return matrix


def _halves(laplacian: Floats, pull: Floats) -> Floats:
    """Part the bots into a weaker and a stronger group where the variance between the two is largest."""
    strength = np.linalg.solve(laplacian + np.eye(len(pull)) / _FAR**2, pull)
    order = np.argsort(strength, kind="stable")
    weaker = np.arange(1, len(order))
    sums = np.cumsum(strength[order] - strength.mean())[:-1]
    number = int((sums**2 * (1 / weaker + 1 / (len(order) - weaker))).argmax()) + 1
    groups = np.zeros((len(order), 2))
    groups[order[:number], 0] = groups[order[number:], 1] = 1
    return groups


def _prior(laplacian: Floats, pull: Floats, near: Floats, spread: float) -> tuple[float, Prior]:
    """Return the log-likelihood of groups of this spread, and the prior of each bot there.

    A bot is of one of the groups, or far from all, as likely as its results alone say; `near` is tried first.
    """
    bots, groups = near.shape
    far = 1 / (bots + 1)
    between = 1 / (2 * _FAR**2) if groups > 1 else 0.0
    for _ in range(_STEPS):
        precision = _precision(near, spread)
        covariance = _covariance(joined(laplacian, precision, between))
        mean = covariance[:, :bots] @ pull
        apart = _apart(mean, covariance, precision)
        before, near = near, _shares(apart, spread, far)
        if float(np.abs(near - before).max()) < _CLOSE:
            break
    precision = _precision(near, spread)
    outside = 1 - near.sum(axis=1)
    strength, centres = mean[:bots], mean[bots:]
    likelihood = float(strength @ pull - strength @ laplacian @ strength / 2)
    likelihood -= float((precision * (strength[:, None] - centres) ** 2).sum()) / 2
    scale = -float(near.sum()) * math.log(spread) - float(outside.sum()) * math.log(_FAR)
    if groups > 1:
        likelihood -= between * float(centres[0] - centres[1]) ** 2 / 2
        # The groups can be exchanged.
        scale += math.log(between) / 2 + math.log(2)
    volume = float(np.linalg.slogdet(joined(laplacian, precision, between)[:-1, :-1])[1])
    inner, outer = np.clip(near, 1e-12, 1), np.clip(outside, 1e-12, 1)
    kinds = float((inner * np.log((1 - far) / groups / inner)).sum() + (outer * np.log(far / outer)).sum())
    return likelihood + scale - volume / 2 + kinds, Prior(0.0, precision, between)


def _precision(near: Floats, spread: float) -> Floats:
    """Return the precision that joins each bot to each centre; those that are far are joined to all of them."""
    outside = 1 - near.sum(axis=1, keepdims=True)
    precision: Floats = near / spread**2 + outside / (near.shape[1] * _FAR**2)
    return precision


def _covariance(matrix: Floats) -> Floats:
    """Return the inverse of the matrix of a network, where the last node is at 0."""
    covariance = np.zeros_like(matrix)
    covariance[:-1, :-1] = np.linalg.inv(matrix[:-1, :-1])
    return covariance


def _apart(mean: Floats, covariance: Floats, precision: Floats) -> _Apart:
    """Return how far each bot is from the centres, its own prior taken out again."""
    bots, groups = precision.shape
    to_centres = covariance[:bots, bots:]
    whole = (
        covariance.diagonal()[:bots, None, None]
        - to_centres[:, :, None]
        - to_centres[:, None]
        + covariance[bots:, bots:]
    )
    information = np.linalg.inv(whole)
    alone: Floats = np.linalg.inv(information - (precision[:, :, None] - _MIN_PRECISION) * np.eye(groups)).astype(
        np.float64
    )
    return _Apart((alone @ information @ (mean[:bots, None] - mean[bots:])[:, :, None])[:, :, 0], alone)


def _shares(apart: _Apart, spread: float, far: float) -> Floats:
    """Return how likely each bot is of each group."""
    groups = apart.mean.shape[1]
    variance = apart.covariance.diagonal(axis1=1, axis2=2)
    near = _log_density(apart.mean**2, spread**2 + variance) + math.log((1 - far) / groups)
    middle = apart.covariance.mean(axis=(1, 2))
    outside = _log_density(apart.mean.mean(axis=1) ** 2, _FAR**2 + middle) + math.log(far)
    largest = np.maximum(near.max(axis=1), outside)[:, None]
    odds = np.exp(near - largest)
    shares: Floats = odds / (odds.sum(axis=1, keepdims=True) + np.exp(outside[:, None] - largest))
    return shares


def _log_density(squared: Floats, variance: Floats) -> Floats:
    """Return the normal log-density at this squared distance, but for a constant."""
    density: Floats = -(np.log(variance) + squared / variance) / 2
    return density
