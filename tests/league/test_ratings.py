"""Ratings: what a difference of points means, and how sure it is."""

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league import ratings as module
from arena.league.columns import Columns
from arena.league.ratings import ELO, MEAN, MIN_BOARD_SETS, Rating, Strengths
from arena.league.values import MatchOutcome
from benchmarks import simulated_leagues
from benchmarks.simulated_leagues import Format

NAMES = ["a", "b", "c", "d", "e"]
PLACES: dict[int, list[tuple[int, ...]]] = {
    2: [(2, 0), (1, 1), (0, 2)],
    3: [(12, 6, 0), (12, 3, 3), (9, 9, 0), (6, 6, 6), (0, 12, 6)],
}


def game(board: int, seating: tuple[str, ...], half_points: tuple[int, ...], round_number: int = 1) -> MatchOutcome:
    return MatchOutcome(round_number, 1, board, seating, half_points, (0,) * len(seating))


def league(strength: dict[str, float], boards: int, rng: random.Random) -> list[MatchOutcome]:
    """Mirrored pairs of random bots; strength and luck decide each game, the luck of a seat falls on both games."""
    outcomes = []
    for board in range(1, boards + 1):
        one, other = rng.sample(sorted(strength), 2)
        luck = rng.gauss(0, 1)
        for seating in ((one, other), (other, one)):
            ahead = strength[seating[0]] - strength[seating[1]] + luck + rng.gauss(0, 1)
            outcomes.append(game(board, seating, (2, 0) if ahead > 0 else (0, 2)))
    return outcomes


def rated(outcomes: list[MatchOutcome]) -> dict[str, Rating]:
    return Strengths(Columns([outcomes])).ratings()


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_ratings_are_around_their_mean_and_follow_from_the_matches_in_any_order(seed: int, matches: int) -> None:
    rng = random.Random(seed)
    outcomes = []
    for board in range(matches):
        seats = rng.choice((2, 3))
        outcomes.append(game(board, tuple(rng.sample(NAMES, seats)), rng.choice(PLACES[seats])))
    found = rated(outcomes)
    assert sum(one.mu for one in found.values()) == pytest.approx(MEAN * len(found), abs=1e-4)
    assert sum(one.matches for one in found.values()) == sum(len(outcome.seating) for outcome in outcomes)
    rng.shuffle(outcomes)
    again = rated(outcomes)
    assert {name: (one.mu, one.sigma) for name, one in again.items()} == {
        name: (pytest.approx(one.mu, abs=1e-4), pytest.approx(one.sigma, abs=1e-4)) for name, one in found.items()
    }


def test_a_hundred_points_more_win_64_percent() -> None:
    wins = [(2, 0)] * 64 + [(0, 2)] * 36
    outcomes = [game(100 * times + board, ("a", "b"), won) for times in range(20) for board, won in enumerate(wins)]
    found = rated(outcomes)
    assert found["a"].mu - found["b"].mu == pytest.approx(100, abs=2)


def test_a_bot_that_wins_everything_has_a_rating_within_reason() -> None:
    outcomes = [game(board, ("a", "b"), (2, 0)) for board in range(40)]
    found = rated(outcomes)
    assert 200 < found["a"].mu - found["b"].mu < 2_000
    assert found["a"].sigma > 20


def test_the_stronger_bot_is_rated_higher_and_equal_ones_alike() -> None:
    found = rated(league({"a": 0.0, "b": 0.0, "c": 2.0}, 300, random.Random(1)))
    assert found["c"].low is not None
    assert found["a"].high is not None
    assert found["b"].high is not None
    assert found["b"].low is not None
    assert found["c"].low > max(found["a"].high, found["b"].high)
    assert found["b"].low < found["a"].mu < found["b"].high


def test_more_boards_make_the_bars_narrower() -> None:
    sizes = [
        rated(league({"a": 0.0, "b": 0.5, "c": 1.0}, boards, random.Random(1)))["a"].sigma for boards in (20, 80, 320)
    ]
    assert all(more < less for less, more in pairwise(sizes))


def test_two_families_of_equal_bots_are_as_far_apart_as_their_games_against_each_other_say() -> None:
    families = [f"a{number}" for number in range(8)], [f"b{number}" for number in range(8)]
    halves = [
        (bots, number % 2 == 0) for family in families for bots in combinations(family, 2) for number in range(16)
    ]
    across = [(bots, number < 2) for bots in zip(*families, strict=True) for number in range(16)]
    ratings = rated(
        [game(board, bots, (2, 0) if won else (0, 2)) for board, (bots, won) in enumerate(halves + across, start=1)]
    )
    weaker, stronger = (np.mean([ratings[name].mu for name in family]) for family in families)
    assert stronger - weaker == pytest.approx(ELO * np.log(7), abs=25)


def test_too_few_boards_give_no_bars() -> None:
    names = {"a": 0.0, "b": 1.0}
    for boards, known in ((MIN_BOARD_SETS - 1, False), (MIN_BOARD_SETS, True)):
        found = rated(league(names, boards, random.Random(1)))
        assert all((rating.low is not None) == known for rating in found.values())


def test_the_bars_are_wider_where_games_share_their_cards() -> None:
    halves = [(2, 0), (0, 2)] * 24
    random.Random(1).shuffle(halves)
    # Each result comes four times in a row: on boards of their own, and all four on one.
    single = [game(board, ("a", "b"), halves[board // 4]) for board in range(4 * len(halves))]
    shared = [game(board // 4, one.seating, one.half_points) for board, one in enumerate(single)]
    assert rated(shared)["a"].sigma > 1.5 * rated(single)["a"].sigma


def test_large_fields_are_rated_as_small_ones_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(8)
    strengths = [rng.gauss(0, 0.5) for _ in range(200)]
    columns = Columns([simulated_leagues.league(strengths, Format(200, 7, 10), rng)[0]])
    whole = Strengths(columns).ratings()
    monkeypatch.setattr(module, "_DENSE", 1)
    found = Strengths(columns).ratings()
    true = MEAN + ELO * (np.array(strengths) - np.mean(strengths))
    for ratings in (whole, found):
        # 200 bars of 95 % hold the truth in 191 cases but for 3; five times as many would be one in a million leagues.
        assert 0.87 < covered(ratings, true) <= 1
        assert np.corrcoef([rating.mu for rating in ratings.values()], true)[0, 1] > 0.95
    off = [abs(found[name].mu - one.mu) / one.sigma for name, one in whole.items()]
    assert np.mean(off) < 0.2
    assert max(off) < 0.75
    assert np.mean([found[name].sigma / whole[name].sigma for name in whole]) == pytest.approx(1, abs=0.02)


def covered(ratings: dict[str, Rating], true: np.ndarray) -> float:
    """The share of error bars that hold the truth."""
    bars = [(rating.low, rating.high) for rating in ratings.values()]
    return float(np.mean([low <= value <= high for (low, high), value in zip(bars, true, strict=True)]))


def test_divisions_are_rated_together_with_boards_of_their_own() -> None:
    outcomes = league({"a": 0.0, "b": 1.0}, 30, random.Random(1))
    both = Strengths(Columns([outcomes, outcomes])).ratings()
    one = Strengths(Columns([outcomes])).ratings()
    assert both["b"].matches == 2 * one["b"].matches
    assert both["b"].sigma < one["b"].sigma


def test_a_bot_that_won_everything_is_rated_more_than_a_number_and_the_loser_less() -> None:
    found = rated([game(board, ("a", "b"), (2, 0)) for board in range(24)])
    assert found["a"].low is not None
    assert found["a"].high is None
    assert found["b"].low is None
    assert found["b"].high is not None
    assert found["a"].low > MEAN > found["b"].high


def test_one_game_won_of_24_bounds_both_bots_on_either_side() -> None:
    halves = [(0, 2)] + [(2, 0)] * 23
    found = rated([game(board, ("a", "b"), won) for board, won in enumerate(halves)])
    assert all(one.low is not None and one.high is not None for one in found.values())
