"""The surface through measured margins, and how well its top is known."""

import numpy as np

from arena.tuning.surface import fit

BEST = np.array([0.48, 0.3])


def measured(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Forty places with noise as of real boards, and a top that is known."""
    rng = np.random.default_rng(seed)
    places = rng.random((40, count))
    worth = -9 * ((places - BEST[:count]) ** 2).sum(axis=1)
    errors = np.full(40, 0.8)
    return places, worth + rng.normal(0, errors), errors


def holds(count: int, draws: int) -> int:
    held = 0
    for seed in range(draws):
        surface = fit(*measured(seed, count), np.full(count, np.nan), seed)
        inside = (surface.low <= BEST[:count]) & (surface.high >= BEST[:count])
        held += bool(inside[0])
    return held


def test_the_interval_holds_the_top_in_nineteen_of_twenty_draws() -> None:
    assert holds(1, 20) >= 19


def test_the_interval_of_a_parameter_holds_it_beside_another_one() -> None:
    assert holds(2, 6) >= 5


def test_more_measurements_know_the_top_better() -> None:
    places, margins, errors = measured(1, 1)
    start = np.full(1, np.nan)
    few, many = fit(places[:10], margins[:10], errors[:10], start, 1), fit(places, margins, errors / 4, start, 1)
    assert (many.high - many.low)[0] < (few.high - few.low)[0]


def test_where_nothing_differs_the_interval_is_nearly_the_whole_range() -> None:
    rng = np.random.default_rng(3)
    surface = fit(rng.random((30, 1)), rng.normal(0, 1, 30), np.ones(30), np.full(1, np.nan), 3)
    assert surface.high[0] - surface.low[0] > 0.7
