"""What a test that stopped by itself says about the strength: a median-unbiased estimate, and an interval.

The mean of what was seen until a test stopped leans away from the middle of its hypotheses, since it stopped where the
mean happened to be far from it, and bars for a number of boards that was fixed beforehand are wrong. Here the ways in
which the test could have ended are put in order: first those at the lower bound, the earlier the lower; then those that
are still open, by their mean; then those at the upper bound, the earlier the higher. The estimate is the strength at
which half of all tests end lower than this one, and the ends of the interval are those at which 2.5 % end higher and
2.5 % end lower; Siegmund, "Estimation following sequential tests" (1978).

How tests end follows from Brownian motion between the bounds. The log-likelihood ratio is about (high - low) (mean -
middle) times the number of board sets over their variance, so it is a walk with steps of a known size. A walk oversteps
its bounds, by 0.583 standard deviations of a step on an average, so the bounds are moved apart by as much (Siegmund,
"Sequential Analysis", 1985, 10.2). A test that gives no verdict before so many board sets begins with one long step.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats
from arena.league.statistics import LEVEL

_OVERSHOOT = 0.583
_IMAGES = np.arange(-6, 7)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(32)
_BISECTIONS = 30
_FARTHEST = 8.0
"""How many standard errors from the mean the strengths are searched."""
_REACH = 7.0
_OBVIOUS = -37.0


class Stop(NamedTuple):
    """Where a test ended, in standard deviations of a board set from the middle of the hypotheses.

    `total` is the sum over `sets` board sets. The test goes on while the sum is above `lower` and below `upper`, but
    never ends before `first` board sets.
    """

    sets: int
    total: float
    lower: float
    upper: float
    first: int = 1


class Stopped(NamedTuple):
    """The estimate and the ends of its interval, in the unit of the drift: standard deviations a board set."""

    value: float
    low: float
    high: float


def estimate_after_stop(stop: Stop) -> Stopped:
    """Return the median-unbiased drift with its 95 % interval."""
    return Stopped(_drift_at(stop, 0.5), _drift_at(stop, (1 + LEVEL) / 2), _drift_at(stop, (1 - LEVEL) / 2))


def share_lower(stop: Stop, drift: float) -> float:
    """Return the share of tests of this drift that end lower than this one."""
    lower, upper = stop.lower - _OVERSHOOT, stop.upper + _OVERSHOOT
    first = stop.first if stop.first > 1 else 0
    if first >= stop.sets:  # ended as soon as it could, so by its sum
        return _normal((stop.total - drift * stop.sets) / math.sqrt(stop.sets))
    time = float(stop.sets - first)
    is_up, is_down = stop.total >= stop.upper, stop.total <= stop.lower
    if not first:
        starts, weights = np.zeros(1), np.ones(1)
        at_once_up = at_once_down = 0.0
    else:
        spread = math.sqrt(first)
        starts, widths = _nodes(stop.lower, stop.upper, drift * first, spread)
        density = np.exp(-(((starts - drift * first) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
        weights = widths * density
        at_once_up = _normal((drift * first - stop.upper) / spread)
        at_once_down = _normal((stop.lower - drift * first) / spread)
    if is_up:
        return 1 - at_once_up - float(weights @ _exits(upper - starts, upper - lower, drift, time))
    ended = at_once_down + float(weights @ _exits(starts - lower, upper - lower, -drift, time))
    if is_down:
        return ended
    still_open = 0.0
    for start, weight in zip(starts.tolist(), weights.tolist(), strict=True):
        places, widths = _nodes(lower, stop.total, start + drift * time, math.sqrt(time))
        still_open += weight * float(widths @ _densities(start, places, lower, upper, drift, time))
    return ended + still_open


def _nodes(low: float, high: float, mean: float, deviation: float) -> tuple[Floats, Floats]:
    """Return places and weights to integrate between two ends, but only as far as a normal distribution reaches."""
    low = min(max(low, mean - _REACH * deviation), high)
    high = max(min(high, mean + _REACH * deviation), low)
    return (high + low) / 2 + (high - low) / 2 * _NODES, (high - low) / 2 * _WEIGHTS


def _drift_at(stop: Stop, share: float) -> float:
    """Return the drift of which this share of tests ends lower."""
    error = 1 / math.sqrt(stop.sets)
    mean = stop.total * error**2
    low, high = mean - _FARTHEST * error, mean + _FARTHEST * error
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if share_lower(stop, middle) > share else (low, middle)
    return (low + high) / 2


def _exits(distance: Floats, width: float, drift: float, time: float) -> Floats:
    """Return the chances that Brownian motion ends by a time at a bound so far ahead, the other one `width` behind it.

    By the method of images: the two bounds as mirrors make a row of bounds, each of which is passed by itself.
    """
    images = distance[:, None] + 2 * width * _IMAGES
    away, speed, root = np.abs(images), abs(drift), math.sqrt(time)
    pushed = drift * distance[:, None]
    passed = np.exp(pushed - speed * away + _log_normal((speed * time - away) / root))
    returned = np.exp(pushed + speed * away + _log_normal(-(speed * time + away) / root))
    chances: Floats = (np.sign(images) * (passed + returned)).sum(axis=1)
    return np.clip(chances, 0, 1)


def _densities(start: float, places: Floats, lower: float, upper: float, drift: float, time: float) -> Floats:
    """Return the densities of being at these places at a time, still between the bounds."""
    width = upper - lower
    moved = (places - start)[:, None]
    pushed = drift * moved - drift**2 * time / 2
    direct = np.exp(pushed - (moved - 2 * width * _IMAGES) ** 2 / (2 * time))
    mirrored = moved - 2 * (upper - start) - 2 * width * _IMAGES
    densities: Floats = (direct - np.exp(pushed - mirrored**2 / (2 * time))).sum(axis=1)
    return densities / math.sqrt(2 * math.pi * time)


def _normal(value: float) -> float:
    return math.erfc(-value / math.sqrt(2)) / 2


def _log_of_normal(value: float) -> float:
    if value > _OBVIOUS:
        return math.log(_normal(value))
    return -(value**2) / 2 - math.log(-value * math.sqrt(2 * math.pi))


_log_normals: Callable[[Floats], object] = np.frompyfunc(_log_of_normal, 1, 1)


def _log_normal(values: Floats) -> Floats:
    return np.asarray(_log_normals(values), dtype=np.float64)
