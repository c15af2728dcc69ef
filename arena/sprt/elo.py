"""How much better: what a test's results say of the strength, as an estimate with an interval that allows for the stop.

The score of a pair, the mean margin of a board set, is a walk between the bounds of the test; `arena.sprt.stopped` says
what its end tells. While the test is open the same holds, of a test that would have gone on.
"""

import math
from statistics import NormalDist

import msgspec

from arena.league.statistics import LEVEL, t_quantile
from arena.sprt.sequential import (
    SCORES,
    Hypotheses,
    Model,
    Pentanomial,
    Reading,
    Verdict,
    expected_score,
    normalised_elo,
    normalised_t,
)
from arena.sprt.stopped import Stop, Stopped, estimate_after_stop

_DEVIATIONS = NormalDist().inv_cdf((1 + LEVEL) / 2)
_INSIDE = 1 - 1e-9
_MIN_SETS = 4
"""Of fewer no interval is stated."""


class Bars(msgspec.Struct, frozen=True):
    """A number with the ends of its 95 % interval; what is None lies beyond what these results can tell."""

    value: float | None
    low: float | None
    high: float | None


NOTHING = Bars(None, None, None)


class Sample(msgspec.Struct, frozen=True):
    """The mean of so many board sets, their standard deviation, skewness and kurtosis."""

    sets: int
    mean: float
    deviation: float
    skewness: float = 0.0
    kurtosis: float = 3.0


def elo_of_results(counts: Pentanomial, hypotheses: Hypotheses, reading: Reading) -> tuple[Bars, Bars]:
    """Return Elo (400 / ln 10 times the log odds of the mean score of a game) and normalised Elo of mirrored pairs."""
    sample = _sample(counts)
    if not sample.deviation:
        return Bars(_elo(sample.mean), None, None), NOTHING
    is_logistic = hypotheses.model is Model.LOGISTIC
    low, high = (
        (expected_score(elo) - 0.5) / sample.deviation if is_logistic else normalised_t(elo)
        for elo in (hypotheses.low, hypotheses.high)
    )
    stopped = _stopped(sample, 0.5, low, high, reading)
    scores = [0.5 + sample.deviation * t for t in stopped]
    # The standard deviation that normalises is estimated from the same pairs.
    t = stopped.value
    wider = math.sqrt(max(1 - sample.skewness * t + (sample.kurtosis - 1) * t**2 / 4, 0.0))
    ends = (t, t - wider * (t - stopped.low), t + wider * (stopped.high - t))
    if sample.sets < _MIN_SETS:
        return Bars(_elo(scores[0]), None, None), Bars(normalised_elo(t), None, None)
    return Bars(*map(_elo, scores)), Bars(*map(normalised_elo, ends))


def mean_elo(counts: Pentanomial) -> Bars:
    """Return the Elo of the mean score, without an interval."""
    return Bars(_elo(_sample(counts).mean), None, None)


def elo_so_far(counts: Pentanomial) -> Bars:
    """Return the Elo of the mean score, with an interval as of a number of pairs set before: no stop is in it."""
    sample = _sample(counts)
    if sample.sets < _MIN_SETS or not sample.deviation:
        return Bars(_elo(sample.mean), None, None)
    reach = _DEVIATIONS * sample.deviation / math.sqrt(sample.sets)
    return Bars(*(_elo(sample.mean + off) for off in (0.0, -reach, reach)))


def points_so_far(sample: Sample) -> Bars:
    """Return the mean margin, likewise."""
    if sample.sets < _MIN_SETS:
        return Bars(sample.mean, None, None)
    reach = _DEVIATIONS * sample.deviation / math.sqrt(sample.sets)
    return Bars(sample.mean, sample.mean - reach, sample.mean + reach)


def points_of_margins(sample: Sample, hypotheses: Hypotheses, reading: Reading, first: int | None) -> Bars:
    """Return the margin in points a match.

    The test gave no verdict before the board set of number `first`; None where that has not come yet.
    """
    if not sample.deviation or sample.sets < _MIN_SETS:
        return Bars(sample.mean, None, None)
    if first is None:  # it could not have stopped
        reach = t_quantile((1 + LEVEL) / 2, sample.sets - 1) * sample.deviation / math.sqrt(sample.sets)
        return Bars(sample.mean, sample.mean - reach, sample.mean + reach)
    low, high = (strength / sample.deviation for strength in (hypotheses.low, hypotheses.high))
    stopped = _stopped(sample, 0.0, low, high, reading, first)
    return Bars(*(sample.deviation * value for value in stopped))


def _stopped(sample: Sample, origin: float, low: float, high: float, reading: Reading, first: int = 1) -> Stopped:
    """Return the mean less the origin, in standard deviations, of a test between two such strengths."""
    middle = (low + high) / 2
    total = sample.sets * ((sample.mean - origin) / sample.deviation - middle)
    slope = high - low
    if reading.verdict is not Verdict.OPEN and total * reading.llr > 0:
        slope = reading.llr / total  # so that the walk ends where the test did
    lower, upper = reading.lower / slope, reading.upper / slope
    match reading.verdict:
        case Verdict.BETTER:
            total = max(total, upper)
        case Verdict.NOT_BETTER:
            total = min(total, lower)
        case Verdict.OPEN:
            total = min(max(total, lower * _INSIDE), upper * _INSIDE)
    estimate = estimate_after_stop(Stop(sample.sets, total, lower, upper, min(first, sample.sets)))
    # The standard deviation is estimated too, so Student's t takes the place of the normal distribution.
    wider = t_quantile((1 + LEVEL) / 2, max(sample.sets - 1, 1)) / _DEVIATIONS
    value = estimate.value + middle
    return Stopped(
        value, value - wider * (estimate.value - estimate.low), value + wider * (estimate.high - estimate.value)
    )


def _sample(counts: Pentanomial) -> Sample:
    """Return the scores of the pairs, from 0 to 1."""

    def mean_of(values: list[float]) -> float:
        return math.fsum(count * value for count, value in zip(counts.middle, values, strict=True)) / counts.pairs

    mean = mean_of(list(SCORES))
    second, third, fourth = (mean_of([(score - mean) ** power for score in SCORES]) for power in (2, 3, 4))
    if not second:
        return Sample(counts.pairs, mean, 0.0)
    return Sample(counts.pairs, mean, math.sqrt(second), third / second**1.5, fourth / second**2)


def _elo(score: float) -> float | None:
    return 400 * math.log10(score / (1 - score)) if 0 < score < 1 else None
