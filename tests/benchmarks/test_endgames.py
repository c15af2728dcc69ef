"""The ends of deals, valued exactly and by sampling."""

import pytest

from benchmarks.endgames import measure


@pytest.mark.parametrize("variant", ["koikoi", "hachihachi"])
def test_the_bars_of_sampling_hold_the_exact_value_and_its_best_action_is_the_best(variant: str) -> None:
    found = measure(variant, 25, 500)
    assert found.positions == 25
    # below four of five by chance once in ten thousand runs, and the dice are always the same
    assert found.inside >= 0.8 * found.values > 0
    assert found.agreed >= 0.9 * found.decisions > 0
