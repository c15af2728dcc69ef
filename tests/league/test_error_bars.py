import random
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.errors import StatisticsError
from arena.league.statistics import Estimate, board_set_margins, bootstrap, mean_margins, mirroring
from arena.league.values import MatchOutcome


def game(board: int, seating: tuple[str, str], margin: int, table: int = 1) -> MatchOutcome:
    won = 1 + (margin > 0) - (margin < 0)
    return MatchOutcome(1, table, board, seating, (won, 2 - won), (margin, -margin))


def simulated(boards: int, luck: float, noise: float, rng: random.Random, edge: int = 3) -> list[MatchOutcome]:
    """Tables of five mirrored boards: luck favours a seat on both games of a board, noise falls on each game."""
    outcomes = []
    for board in range(boards):
        cards = rng.gauss(0, luck)
        for seating, sign in ((("a", "b"), 1), (("b", "a"), -1)):
            outcomes.append(game(board, seating, round(cards + sign * edge + rng.gauss(0, noise)), table=board // 5))
    return outcomes


def test_the_bars_hold_the_true_mean_about_as_often_as_they_say() -> None:
    rng = random.Random(11)
    trials, covered = 400, 0
    for trial in range(trials):
        estimate = bootstrap([rng.gauss(5, 10) for _ in range(60)], str(trial), resamples=400)
        assert estimate.low is not None
        assert estimate.high is not None
        covered += estimate.low <= 5 <= estimate.high
    # five standard deviations of a binomial count around the nominal 380, and a little for the finite sample
    assert 350 <= covered <= 396


def test_the_bars_are_as_wide_as_the_normal_theory_says() -> None:
    rng = random.Random(3)
    estimate = bootstrap([rng.gauss(0, 10) for _ in range(2_000)], "seed")
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.high - estimate.low == pytest.approx(2 * 1.96 * 10 / 2_000**0.5, rel=0.1)


@given(st.floats(-1e3, 1e3), st.integers(2, 30))
def test_margins_that_never_vary_have_bars_of_no_width(margin: float, boards: int) -> None:
    estimate = bootstrap([margin] * boards, "seed", resamples=50)
    assert estimate.low == pytest.approx(estimate.mean, rel=1e-12, abs=1e-9)
    assert estimate.high == pytest.approx(estimate.mean, rel=1e-12, abs=1e-9)


@given(st.lists(st.integers(-100, 100), min_size=2, max_size=30), st.text(max_size=4))
def test_the_bars_hold_the_mean_and_lie_within_the_sample(sample: list[int], seed: str) -> None:
    estimate = bootstrap(sample, seed, resamples=200)
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.mean == pytest.approx(fmean(sample))
    assert min(sample) <= estimate.low <= estimate.high <= max(sample)


def test_the_same_seed_gives_the_same_bars_and_another_gives_others() -> None:
    sample = [1, 5, 9, -3, 8, 2]
    assert bootstrap(sample, "one") == bootstrap(sample, "one")
    assert len({bootstrap(sample, str(seed)) for seed in range(5)}) > 1


def test_one_board_set_gives_a_mean_without_bars() -> None:
    assert bootstrap([4], "seed") == Estimate(4.0, None, None, 1)


@pytest.mark.parametrize(("sample", "resamples", "level"), [([], 10, 0.9), ([1], 0, 0.9), ([1], 10, 0.0), ([1], 10, 1)])
def test_a_question_without_an_answer_is_refused(sample: list[float], resamples: int, level: float) -> None:
    with pytest.raises(StatisticsError):
        bootstrap(sample, "seed", resamples, level)


def test_the_games_of_a_board_set_are_one_observation() -> None:
    outcomes = [
        game(1, ("a", "b"), 10),
        game(1, ("b", "a"), 4),
        game(2, ("a", "b"), -2),
        game(2, ("b", "a"), -4),
    ]
    assert board_set_margins(outcomes) == {"a": [3.0, 1.0], "b": [-3.0, -1.0]}
    found = mean_margins(outcomes, "seed")
    assert {name: (estimate.mean, estimate.board_sets) for name, estimate in found.items()} == {
        "a": (2.0, 2),
        "b": (-2.0, 2),
    }
    assert mean_margins(outcomes[::-1], "seed") == found


def test_luck_that_falls_on_both_games_leaves_no_error() -> None:
    outcomes = simulated(50, luck=30, noise=0, rng=random.Random(1))
    estimate = mean_margins(outcomes, "seed")["a"]
    assert estimate.low == pytest.approx(estimate.mean, abs=1)
    assert estimate.high == pytest.approx(estimate.mean, abs=1)


@pytest.mark.parametrize(("luck", "noise"), [(20.0, 20.0), (30.0, 10.0), (0.0, 20.0)])
def test_the_correlation_of_mirrored_games_is_the_share_of_luck(luck: float, noise: float) -> None:
    found = mirroring(simulated(4_000, luck, noise, random.Random(5)))
    share = luck**2 / (luck**2 + noise**2)
    assert found is not None
    assert found.factor is not None
    assert found.correlation == pytest.approx(share, abs=0.05)
    assert found.factor == pytest.approx(1 / (1 - share), rel=0.1)
    assert found.board_sets == 4_000


def test_the_factor_is_how_much_the_error_of_as_many_unmirrored_games_is_larger() -> None:
    rng = random.Random(9)
    found = mirroring(simulated(4_000, 30, 15, rng))
    mirrored = board_set_margins(simulated(4_000, 30, 15, rng))["a"]
    singles = [outcome.margins[0] for outcome in simulated(8_000, 30, 15, rng) if outcome.seating == ("a", "b")]
    unmirrored = [(one + other) / 2 for one, other in zip(singles[::2], singles[1::2], strict=True)]
    assert found is not None
    assert found.factor == pytest.approx(variance(unmirrored) / variance(mirrored), rel=0.15)


def variance(sample: list[float]) -> float:
    mean = fmean(sample)
    return fmean((value - mean) ** 2 for value in sample)


def test_a_stronger_bot_is_not_mistaken_for_luck() -> None:
    even = mirroring(simulated(4_000, 20, 20, random.Random(2), edge=0))
    uneven = mirroring(simulated(4_000, 20, 20, random.Random(2), edge=100))
    assert even is not None
    assert uneven is not None
    assert uneven.correlation == pytest.approx(even.correlation, abs=0.001)


def test_one_board_a_table_says_nothing_about_luck() -> None:
    assert mirroring([game(1, ("a", "b"), 5), game(1, ("b", "a"), 3)]) is None


def test_games_that_luck_alone_decides_have_no_factor() -> None:
    outcomes = [game(board, seating, 7 * board) for board in (1, 2, 3) for seating in (("a", "b"), ("b", "a"))]
    found = mirroring(outcomes)
    assert found is not None
    assert (found.correlation, found.factor, found.board_sets) == (1.0, None, 3)
