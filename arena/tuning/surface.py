"""What a bot is worth over the range of its parameters: a Gaussian process through what was measured."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]

_SHAPES = 200
"""Lengths and heights of the surface that are tried; each counts as the measurements speak for it."""
_MAX_SHAPES = 12
_DRAWS = 1_000
"""Surfaces that are drawn; the place of each one's top says how well the best is known."""
_GRID = 257
_PLACES = 300
_JITTER = 1e-9
_LEVELS = (2.5, 97.5)


class Surface(NamedTuple):
    """Places of the range (each parameter from 0 to 1), with the expected margin there and its standard error.

    `best` is the place with the highest expectation, `low` and `high` where 95 % of the tops of surfaces lie that go
    with what was measured, parameter by parameter.
    """

    places: Array
    means: Array
    errors: Array
    best: Array
    low: Array
    high: Array


def fit(places: Array, margins: Array, errors: Array, start: Array, seed: int) -> Surface:
    """Return the surface through margins that were measured at places with these standard errors.

    `start` is the place of the opponent, where the margin is 0 by symmetry; NaN where the opponent is another.
    """
    rng = np.random.default_rng(seed)
    measurements = places, margins, errors
    if not np.isnan(start).any():
        measurements = np.vstack([places, start]), np.append(margins, 0.0), np.append(errors, 0.0)
    points, measured, noise = measurements
    candidates = _candidates(places, start, rng)
    shapes = _shapes(points, measured, noise, rng)
    means = np.zeros(len(candidates))
    squares = np.zeros(len(candidates))
    tops = []
    for weight, mean, covariance in (_posterior(shape, points, measured, noise, candidates) for shape in shapes):
        means += weight * mean
        squares += weight * (np.diag(covariance) + mean**2)
        root = np.linalg.cholesky(covariance + _JITTER * max(1.0, covariance[0, 0]) * np.eye(len(candidates)))
        draws = mean + rng.standard_normal((max(1, round(weight * _DRAWS)), len(candidates))) @ root.T
        tops.append(candidates[np.argmax(draws, axis=1)])
    top = np.vstack(tops)
    low, high = np.percentile(top, _LEVELS, axis=0)
    # Between two places of the grid the top may be anywhere.
    half = 0.5 / (_GRID - 1) if places.shape[1] == 1 else 0.5 / _PLACES ** (1 / places.shape[1])
    spread = np.sqrt(np.maximum(squares - means**2, 0.0))
    best = candidates[np.argmax(means)]
    low, high = np.minimum(low - half, best), np.maximum(high + half, best)
    return Surface(candidates, means, spread, best, np.clip(low, 0, 1), np.clip(high, 0, 1))


def _candidates(places: Array, start: Array, rng: np.random.Generator) -> Array:
    """Where the surface is looked at: a fine grid of one parameter; of several, points all over and around the best."""
    count = places.shape[1]
    if count == 1:
        return np.linspace(0, 1, _GRID)[:, None]
    free = rng.random((_PLACES, count))
    tried = places if np.isnan(start).any() else np.vstack([places, start])
    return np.vstack([free, tried])


class _Shape(NamedTuple):
    """How fast and how far a surface goes up and down, and what the measurements say of it."""

    lengths: Array
    height: float
    weight: float


def _shapes(points: Array, measured: Array, noise: Array, rng: np.random.Generator) -> Sequence[_Shape]:
    """Return the likeliest of many shapes, with weights that add up to 1."""
    scale = max(float(np.std(measured)), float(np.mean(noise)), 1e-9)
    tried = []
    for _ in range(_SHAPES):
        lengths = np.exp(rng.uniform(np.log(0.15), np.log(3.0), points.shape[1]))
        height = scale * np.exp(rng.uniform(np.log(0.3), np.log(10.0)))
        tried.append((lengths, height, _likelihood(lengths, height, points, measured, noise)))
    tried.sort(key=lambda shape: -shape[2])
    likeliest = tried[:_MAX_SHAPES]
    weights = np.exp(np.array([likelihood for _, _, likelihood in likeliest]) - likeliest[0][2])
    weights /= weights.sum()
    return [_Shape(lengths, height, float(w)) for (lengths, height, _), w in zip(likeliest, weights, strict=True)]


def _kernel(first: Array, second: Array, lengths: Array, height: float) -> Array:
    apart = (first[:, None, :] - second[None, :, :]) / lengths
    kernel: Array = height**2 * np.exp(-0.5 * np.sum(apart**2, axis=2))
    return kernel


def _measured_covariance(lengths: Array, height: float, points: Array, noise: Array) -> Array:
    """Return the covariance of what was measured; a constant of unknown height is under every surface."""
    covariance = _kernel(points, points, lengths, height) + (3 * height) ** 2
    return covariance + np.diag(noise**2 + _JITTER * height**2)


def _likelihood(lengths: Array, height: float, points: Array, measured: Array, noise: Array) -> float:
    root = np.linalg.cholesky(_measured_covariance(lengths, height, points, noise))
    solved = np.linalg.solve(root, measured)
    return float(-0.5 * solved @ solved - np.log(np.diag(root)).sum())


def _posterior(
    shape: _Shape, points: Array, measured: Array, noise: Array, candidates: Array
) -> tuple[float, Array, Array]:
    lengths, height, weight = shape
    root = np.linalg.cholesky(_measured_covariance(lengths, height, points, noise))
    cross = np.linalg.solve(root, _kernel(points, candidates, lengths, height) + (3 * height) ** 2)
    mean = cross.T @ np.linalg.solve(root, measured)
    covariance = _kernel(candidates, candidates, lengths, height) + (3 * height) ** 2 - cross.T @ cross
    return weight, mean, covariance
