"""What the estimates of tests that stopped are worth: `python -m benchmarks.stopped_tests [TESTS]`.

Sequential tests on results and on margins are simulated at known strengths, to their verdicts, and the estimates that
`arena match test` prints are compared with the strengths. It prints a line for each setting: how many intervals hold
the strength, how many estimates are above it (a half, where the median is right), and by how much the mean and the
median of the estimates are off, as a share of the distance of the hypotheses; beside them what the plain mean of the
results with bars for a fixed number of boards would do.
"""

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist, fmean, median
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats, Ints
from arena.sprt.elo import Bars, Sample, elo_of_results, points_of_margins
from arena.sprt.sequential import (
    MIN_MARGINS,
    SCORES,
    Hypotheses,
    Model,
    Pentanomial,
    Reading,
    Verdict,
    expected_score,
    margin_reading,
    normalised_elo,
    normalised_t,
    pentanomial_reading,
)

SHAPES = {
    "few draws": (0.25, 0.02, 0.46, 0.02, 0.25),
    "many draws": (0.01, 0.2, 0.58, 0.2, 0.01),
    "even outcomes": (0.2, 0.2, 0.2, 0.2, 0.2),
}
_NEAR = 0.85
"""The share of a bound from which on the test itself is read, and not what it is about."""
_FEW = 30
KINDS = ((Model.NORMALISED, 0.0, 60.0), (Model.NORMALISED, -20.0, 20.0), (Model.LOGISTIC, 0.0, 40.0))
_MAX_BOARD_SETS = 20_000
_FIXED = NormalDist().inv_cdf(0.975)


LUCK: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "normal luck": lambda generator, number: generator.normal(0, 10, number),
    "skew luck": lambda generator, number: 10 * (generator.exponential(1, number) - 1),
    "nothing on nine boards of ten": lambda generator, number: (
        math.sqrt(1_000) * generator.choice([-1.0, 0, 1], number, p=[0.05, 0.9, 0.05])
    ),
}


class Ended(NamedTuple):
    """The interval and the estimate, and the mean of the results with bars for a fixed number of boards."""

    bars: Bars
    plain: float
    plain_error: float
    sets: int


Play = Callable[[Hypotheses, float, np.random.Generator], Ended]


class Setting(NamedTuple):
    """Tests of one kind; `unit` is the strength that the hypotheses and `strengths` are counted in."""

    name: str
    hypotheses: Hypotheses
    strengths: tuple[float, ...]
    play: Play


def results_of(shape: Sequence[float]) -> Play:
    """Play tests on results, whose pairs have outcomes of this shape, made stronger or weaker."""

    def play(hypotheses: Hypotheses, strength: float, generator: np.random.Generator) -> Ended:
        shares = tilted(shape, hypotheses.model, strength)
        scores = np.array(SCORES)
        deviation = math.sqrt(float(shares @ scores**2) - float(shares @ scores) ** 2)
        low, high = (_in_deviations(elo, hypotheses.model, deviation) for elo in (hypotheses.low, hypotheses.high))
        middle = 0.5 + (low + high) / 2 * deviation
        counts: Ints = np.zeros(5, dtype=np.int64)
        while True:
            drawn = generator.choice(5, 1_024, p=shares)
            steps = np.cumsum(np.eye(5, dtype=np.int64)[drawn], axis=0) + counts
            pairs = steps.sum(axis=1)
            about = (high - low) / deviation * (steps @ scores - pairs * middle)
            for row in np.flatnonzero((np.abs(about) > _NEAR * hypotheses.bounds[1]) | (pairs < _FEW)).tolist():
                ll, ld, even, wd, ww = steps[row].tolist()
                seen = Pentanomial(ll, ld, even, 0, wd, ww)
                reading = pentanomial_reading(seen, hypotheses)
                if reading.verdict is not Verdict.OPEN:
                    return _results_ended(seen, hypotheses, reading)
            counts = steps[-1]

    return play


def _results_ended(seen: Pentanomial, hypotheses: Hypotheses, reading: Reading) -> Ended:
    elo, normalised = elo_of_results(seen, hypotheses, reading)
    counts, scores = np.array(seen.middle), np.array(SCORES)
    mean = float(counts @ scores) / seen.pairs
    deviation = math.sqrt(max(float(counts @ scores**2) / seen.pairs - mean**2, 1e-12))
    if hypotheses.model is Model.LOGISTIC:
        slope = 400 / math.log(10) / max(mean * (1 - mean), 1e-3)
        plain = 400 * math.log10(max(mean, 1e-3) / max(1 - mean, 1e-3))
        return Ended(elo, plain, slope * deviation / math.sqrt(seen.pairs), seen.pairs)
    return Ended(
        normalised, normalised_elo((mean - 0.5) / deviation), normalised_elo(1 / math.sqrt(seen.pairs)), seen.pairs
    )


def _in_deviations(elo: float, model: Model, deviation: float) -> float:
    return (expected_score(elo) - 0.5) / deviation if model is Model.LOGISTIC else normalised_t(elo)


def tilted(shape: Sequence[float], model: Model, elo: float) -> Floats:
    """Return the shape made stronger or weaker, exponentially in the score, until it has this strength."""
    low, high = -30.0, 30.0
    scores = np.array(SCORES)
    while True:
        tilt = (low + high) / 2
        weights = np.array(shape) * np.exp(tilt * scores)
        shares: Floats = weights / weights.sum()
        if high - low < 1e-10:
            return shares
        mean = float(shares @ scores)
        deviation = math.sqrt(float(shares @ (scores - mean) ** 2))
        low, high = (tilt, high) if (mean - 0.5) / deviation < _in_deviations(elo, model, deviation) else (low, tilt)


def margins_of(luck: str) -> Play:
    """Play tests on margins with this luck, of a standard deviation of 10 points."""

    def play(hypotheses: Hypotheses, strength: float, generator: np.random.Generator) -> Ended:
        margins = strength + LUCK[luck](generator, _MAX_BOARD_SETS)
        sets = np.arange(1, _MAX_BOARD_SETS + 1)
        about = (
            (hypotheses.high - hypotheses.low)
            / 100
            * (np.cumsum(margins) - sets * (hypotheses.low + hypotheses.high) / 2)
        )
        usual = 0.0 if "nothing" in luck else float(margins[0]) - strength
        first = int(np.flatnonzero(np.cumsum(np.abs(margins - strength - usual) > 1e-9) >= MIN_MARGINS)[0]) + 1
        for row in np.flatnonzero((np.abs(about) > hypotheses.bounds[1]) & (sets >= first)).tolist():
            reading = margin_reading(Counter(margins[: row + 1].tolist()), hypotheses)
            if reading.verdict is not Verdict.OPEN:
                seen = margins[: row + 1]
                sample = Sample(row + 1, float(seen.mean()), float(seen.std(ddof=1)))
                bars = points_of_margins(sample, hypotheses, reading, first)
                return Ended(bars, sample.mean, sample.deviation / math.sqrt(row + 1), row + 1)
        raise RuntimeError(f"a test on margins is open after {_MAX_BOARD_SETS} board sets")

    return play


def settings() -> Iterator[Setting]:
    """Yield all settings: bounds that are close and far apart, and strengths below, at, between and above them."""
    for shape in SHAPES:
        for model, low, high in (
            (Model.NORMALISED, 0.0, 60.0),
            (Model.NORMALISED, -20.0, 20.0),
            (Model.LOGISTIC, 0, 40),
        ):
            width = high - low
            strengths = (low - width / 2, low, (low + high) / 2, high, high + width)
            yield Setting(f"results, {shape}", Hypotheses(low, high, model), strengths, results_of(SHAPES[shape]))
    for luck in LUCK:
        for high in (10 / 3, 2.0):
            strengths = (-high / 2, 0.0, high / 2, high, 2 * high)
            yield Setting(f"margins, {luck}", Hypotheses(0, high, Model.POINTS), strengths, margins_of(luck))


def line(setting: Setting, tests: int) -> str:
    """Play the tests of a setting, as many at each of its strengths, and return its line."""
    low, high = setting.hypotheses.low, setting.hypotheses.high
    covered, plain_covered, above, off, plain_off, sets = [], [], [], [], [], []
    for strength in setting.strengths:
        at_strength = []
        for number in range(tests):
            seed = random.Random(f"{setting.name}/{low}/{high}/{strength}/{number}").getrandbits(64)
            ended = setting.play(setting.hypotheses, strength, np.random.default_rng(seed))
            value = _or(ended.bars.value, ended.plain)
            at_strength.append((value - strength) / (high - low))
            covered.append(_or(ended.bars.low, -math.inf) <= strength <= _or(ended.bars.high, math.inf))
            plain_covered.append(abs(ended.plain - strength) <= _FIXED * ended.plain_error)
            above.append(value > strength)
            plain_off.append((ended.plain - strength) / (high - low) * (1 if strength >= (low + high) / 2 else -1))
            sets.append(ended.sets)
        off.append((fmean(at_strength), median(at_strength)))
    mean_off, median_off = (max((bias[kind] for bias in off), key=abs) for kind in (0, 1))
    return (
        f"| {setting.name}, {low:g} to {high:.3g} {setting.hypotheses.model} | {fmean(sets):.0f} "
        f"| {100 * fmean(covered):.1f} % | {100 * fmean(above):.0f} % | {median_off:+.2f} | {mean_off:+.2f} "
        f"| {100 * fmean(plain_covered):.1f} %, {fmean(plain_off):+.2f} |"
    )


def _or(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else value


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", type=int, nargs="?", default=400, help="tests at each strength (default 400)")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings whose name holds this")
    asked = parser.parse_args()
    print("| test | board sets | held | above | median off | mean off | plain mean |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for setting in settings():
        if asked.only in setting.name:
            print(line(setting, asked.tests), flush=True)


if __name__ == "__main__":
    main()
