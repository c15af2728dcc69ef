"""Ratings over all variants: how far a bot's variants are apart is part of their error bars."""

import numpy as np

from arena.league.over_all import over_all
from arena.league.ratings import MEAN, Rating

ERROR = 35.0


def divisions(strength: np.ndarray, between: float, variants: int, rng: np.random.Generator) -> list[dict[str, Rating]]:
    """Ratings of each variant, of which each bot is off by its own spread between variants and by the error."""
    found = []
    for _ in range(variants):
        off = rng.normal(0, between, len(strength)) + rng.normal(0, ERROR, len(strength))
        ratings = MEAN + strength + off - off.mean()
        found.append(
            {f"bot-{row}": Rating(mu, ERROR, mu - 2 * ERROR, mu + 2 * ERROR, 280) for row, mu in enumerate(ratings)}
        )
    return found


def test_bars_over_all_variants_hold_the_strength_where_bots_differ_by_variant() -> None:
    rng = np.random.default_rng(3)
    covered = []
    for _ in range(60):
        strength = rng.normal(0, 87, 8)
        strength = strength - strength.mean()
        rated = over_all(divisions(strength, 60, 5, rng))
        for row, true in enumerate(strength.tolist()):
            low, high = rated[f"bot-{row}"].low, rated[f"bot-{row}"].high
            assert low is not None
            assert high is not None
            covered.append(low <= MEAN + true <= high)
    assert 0.9 < np.mean(covered) < 0.985


def test_variants_that_disagree_widen_the_bars() -> None:
    rng = np.random.default_rng(4)
    alike, apart = (over_all(divisions(np.zeros(8), between, 3, rng)) for between in (0, 150))
    assert apart["bot-0"].sigma > 1.5 * alike["bot-0"].sigma


def test_a_single_division_has_its_own_ratings_over_all() -> None:
    [only] = divisions(np.zeros(4), 0, 1, np.random.default_rng(5))
    assert over_all([only]) == only
    assert over_all([only, {}]) == only
    assert over_all([]) == {}
