"""How much better: Elo with error bars, from the pentanomial counts of mirrored pairs.

The bars hold 95 % and follow from the spread of the pairs, not of the games, by the delta method. They are those of a
number of pairs that was fixed beforehand; where a test stopped by itself the value leans a little away from its start.
"""

import math
from statistics import NormalDist

import msgspec

from arena.league.statistics import LEVEL
from arena.sprt.sequential import SCORES, Pentanomial, normalised_elo

DEVIATIONS = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""How many standard errors the bars reach to either side."""


class Bars(msgspec.Struct, frozen=True):
    """A number with its error bars; what is None lies beyond what these pairs can tell."""

    value: float | None
    low: float | None
    high: float | None


def logistic_bars(counts: Pentanomial) -> Bars:
    """Elo: 400 / ln 10 times the log odds of the mean score of a game."""
    mean, *moments = _moments(counts)
    error = DEVIATIONS * math.sqrt(moments[0] / counts.pairs)
    return Bars(_elo(mean), *((_elo(mean - error), _elo(mean + error)) if error else (None, None)))


def normalised_bars(counts: Pentanomial) -> Bars:
    """Normalised Elo: the mean of a pair above one half over its standard deviation, as `normalised_elo` scales it."""
    mean, variance, third, fourth = _moments(counts)
    if not variance:
        return Bars(None, None, None)
    deviation = math.sqrt(variance)
    t = (mean - 0.5) / deviation
    skewness, kurtosis = third / deviation**3, fourth / variance**2
    error = DEVIATIONS * math.sqrt((1 - skewness * t + (kurtosis - 1) * t**2 / 4) / counts.pairs)
    return Bars(*(normalised_elo(at) for at in (t, t - error, t + error)))


def _moments(counts: Pentanomial) -> tuple[float, float, float, float]:
    """The mean score of a pair, from 0 to 1, and its second to fourth central moments."""

    def mean_of(values: list[float]) -> float:
        return math.fsum(count * value for count, value in zip(counts.middle, values, strict=True)) / counts.pairs

    mean = mean_of(list(SCORES))
    second, third, fourth = (mean_of([(score - mean) ** power for score in SCORES]) for power in (2, 3, 4))
    return mean, second, third, fourth


def _elo(score: float) -> float | None:
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None
