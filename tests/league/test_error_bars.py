"""Error bars of margins: a board set is one observation, and mirrored games take luck away."""

import random
from statistics import fmean, stdev

import pytest
import scipy  # which loads its parts when they are used
from hypothesis import given
from hypothesis import strategies as st

from arena.league.columns import Columns
from arena.league.statistics import Estimate, Mirroring, board_set_margins, mean_margins, mirroring, t_quantile
from arena.league.values import MatchOutcome


def mirroring_of(outcomes: list[MatchOutcome]) -> Mirroring | None:
    return mirroring(Columns([outcomes]))


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


@pytest.mark.parametrize("freedom", [3, 4, 7, 15, 133, 10_000])
def test_the_quantiles_are_those_of_students_t(freedom: int) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(float(scipy.special.stdtrit(freedom, 0.975)), rel=2e-3)


def margins_of(sample: list[list[int]]) -> dict[str, Estimate]:
    """The estimates of a and b from a's margins in every pair of games, by table."""
    outcomes = []
    for table, boards in enumerate(sample):
        for board, margin in enumerate(boards):
            outcomes += [game(board, ("a", "b"), margin, table), game(board, ("b", "a"), -margin, table)]
    return mean_margins(Columns([outcomes]))


@given(st.lists(st.integers(-100, 100), min_size=4, max_size=30))
def test_the_bars_of_one_table_are_a_t_interval(sample: list[int]) -> None:
    estimate = margins_of([sample])["a"]
    error = stdev(sample) / len(sample) ** 0.5
    reach = error * t_quantile(0.975, len(sample) - 1)
    assert estimate.mean == pytest.approx(fmean(sample))
    assert estimate.low == pytest.approx(fmean(sample) - reach, abs=1e-9)
    assert estimate.high == pytest.approx(fmean(sample) + reach, abs=1e-9)


def test_a_stronger_opponent_at_the_next_table_does_not_count_as_chance() -> None:
    alike, apart = margins_of([[1, 2, 3], [1, 2, 3]])["a"], margins_of([[1, 2, 3], [101, 102, 103]])["a"]
    assert alike.high is not None
    assert apart.high is not None
    assert apart.high - apart.mean == pytest.approx(alike.high - alike.mean)
    assert apart.high - apart.mean == pytest.approx(t_quantile(0.975, 4) * (1 / 6) ** 0.5)


def test_tables_of_one_board_are_taken_together() -> None:
    single = margins_of([[4], [1], [9], [2]])["a"]
    together = margins_of([[4, 1, 9, 2]])["a"]
    assert (single.low, single.high) == pytest.approx((together.low, together.high))


@pytest.mark.parametrize("tables", [[[4]], [[4, 5, 9]], [[4, 2], [3]]])
def test_fewer_than_four_board_sets_give_a_mean_without_bars(tables: list[list[int]]) -> None:
    for estimate in margins_of(tables).values():
        assert (estimate.low, estimate.high) == (None, None)
        assert estimate.board_sets == sum(map(len, tables))


def test_the_games_of_a_board_set_are_one_observation() -> None:
    outcomes = [
        game(1, ("a", "b"), 10),
        game(1, ("b", "a"), 4),
        game(2, ("a", "b"), -2),
        game(2, ("b", "a"), -4),
    ]
    found = mean_margins(Columns([outcomes]))
    assert {name: (estimate.mean, estimate.board_sets) for name, estimate in found.items()} == {
        "a": (2.0, 2),
        "b": (-2.0, 2),
    }
    assert mean_margins(Columns([outcomes[::-1]])) == found


def test_luck_that_falls_on_both_games_leaves_no_error() -> None:
    outcomes = simulated(50, luck=30, noise=0, rng=random.Random(1))
    estimate = mean_margins(Columns([outcomes]))["a"]
    assert estimate.low == pytest.approx(estimate.mean, abs=1)
    assert estimate.high == pytest.approx(estimate.mean, abs=1)


@pytest.mark.parametrize(("luck", "noise"), [(20.0, 20.0), (30.0, 10.0), (0.0, 20.0)])
def test_the_correlation_of_mirrored_games_is_the_share_of_luck(luck: float, noise: float) -> None:
    found = mirroring_of(simulated(4_000, luck, noise, random.Random(5)))
    share = luck**2 / (luck**2 + noise**2)
    assert found.factor is not None
    assert found.correlation == pytest.approx(share, abs=0.05)
    assert found.factor == pytest.approx(1 / (1 - share), rel=0.1)
    assert found.board_sets == 4_000


def test_the_factor_is_how_much_the_error_of_as_many_unmirrored_games_is_larger() -> None:
    rng = random.Random(9)
    found = mirroring_of(simulated(4_000, 30, 15, rng))
    games = Columns([simulated(4_000, 30, 15, rng)])
    mirrored = board_set_margins(games)[2][board_set_margins(games)[0] == games.names.index("a")].tolist()
    singles = [outcome.margins[0] for outcome in simulated(8_000, 30, 15, rng) if outcome.seating == ("a", "b")]
    unmirrored = [(one + other) / 2 for one, other in zip(singles[::2], singles[1::2], strict=True)]
    assert found.factor == pytest.approx(variance(unmirrored) / variance(mirrored), rel=0.15)


def variance(sample: list[float]) -> float:
    mean = fmean(sample)
    return fmean((value - mean) ** 2 for value in sample)


def test_a_stronger_bot_is_not_mistaken_for_luck() -> None:
    even = mirroring_of(simulated(4_000, 20, 20, random.Random(2), edge=0))
    uneven = mirroring_of(simulated(4_000, 20, 20, random.Random(2), edge=100))
    assert uneven.correlation == pytest.approx(even.correlation, abs=0.001)


def test_one_board_a_table_says_nothing_about_luck() -> None:
    outcomes = [game(1, seating, 5, table) for table in range(20) for seating in (("a", "b"), ("b", "a"))]
    assert mirroring_of(outcomes) is None


def test_luck_is_not_told_from_few_boards() -> None:
    assert mirroring_of(simulated(15, 20, 20, random.Random(1))) is None
    assert mirroring_of(simulated(20, 20, 20, random.Random(1))) is not None


def test_games_that_luck_alone_decides_have_no_factor() -> None:
    outcomes = [game(board, seating, 7 * board) for board in range(16) for seating in (("a", "b"), ("b", "a"))]
    found = mirroring_of(outcomes)
    assert (found.correlation, found.factor, found.board_sets) == (1.0, None, 16)
