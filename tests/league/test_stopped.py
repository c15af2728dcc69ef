"""What a test that stopped by itself says of the strength."""

import math

import numpy as np
import pytest

from arena.sprt.sequential import Hypotheses, Model
from arena.sprt.stopped import Stop, estimate_after_stop, share_lower
from benchmarks.stopped_tests import Play, margins_of, results_of

BOUND = 15.0
SHAPE = (0.2, 0.1, 0.4, 0.1, 0.2)


def walk(drift: float, first: int, generator: np.random.Generator) -> Stop:
    """The end of a walk of normal steps."""
    sums = np.cumsum(generator.standard_normal(4_000) + drift)
    is_out = np.abs(sums) >= BOUND
    is_out[: first - 1] = False
    end = int(np.argmax(is_out))
    return Stop(end + 1, float(sums[end]), -BOUND, BOUND, first)


@pytest.mark.parametrize(("drift", "first"), [(0.0, 1), (0.1, 1), (0.3, 1), (0.0, 64), (0.15, 64), (0.4, 64)])
def test_the_shares_of_tests_that_end_lower_are_uniform(drift: float, first: int) -> None:
    generator = np.random.default_rng(first)
    shares = sorted(share_lower(walk(drift, first, generator), drift) for _ in range(200))
    # Kolmogorov's distance, which exceeds 1.63 / sqrt(n) once in a hundred times and 2 / sqrt(n) once in 1,500.
    distance = max(abs(share - (place + 0.5) / 200) for place, share in enumerate(shares))
    assert distance < 2 / math.sqrt(200)


def test_a_test_that_just_went_on_is_estimated_by_its_mean() -> None:
    found = estimate_after_stop(Stop(400, 20.0, -10_000.0, 10_000.0))
    assert found == pytest.approx((0.05, 0.05 - 1.96 / 20, 0.05 + 1.96 / 20), abs=2e-3)


def test_an_early_stop_is_taken_for_less_than_its_mean() -> None:
    early, late = (estimate_after_stop(Stop(sets, BOUND, -BOUND, BOUND)) for sets in (60, 400))
    assert early.low < early.value < BOUND / 60
    assert late.low < late.value < BOUND / 400
    assert early.value > late.value


def test_the_other_side_sees_the_same_from_the_other_side() -> None:
    for total in (BOUND, 3.0):
        ours = estimate_after_stop(Stop(90, total, -BOUND, BOUND + 2, 64))
        theirs = estimate_after_stop(Stop(90, -total, -BOUND - 2, BOUND, 64))
        assert (theirs.value, theirs.low, theirs.high) == pytest.approx((-ours.value, -ours.high, -ours.low), abs=1e-4)


@pytest.mark.parametrize(
    ("play", "hypotheses", "strength"),
    [
        (results_of(SHAPE), Hypotheses(0, 120, Model.NORMALISED), 0.0),
        (results_of(SHAPE), Hypotheses(0, 120, Model.NORMALISED), 150.0),
        (margins_of("skew luck"), Hypotheses(0, 5, Model.POINTS), -3.0),
        (margins_of("skew luck"), Hypotheses(0, 5, Model.POINTS), 10.0),
    ],
)
def test_the_interval_of_a_test_holds_the_strength(play: Play, hypotheses: Hypotheses, strength: float) -> None:
    held = 0
    for number in range(30):
        bars = play(hypotheses, strength, np.random.default_rng(number)).bars
        assert bars.low is not None
        held += bars.low <= strength <= (math.inf if bars.high is None else bars.high)
    assert held >= 24  # of 30; where 95 % hold it, fewer do once in a thousand times
