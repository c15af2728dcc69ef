import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from arena.league.errors import StatisticsError
from arena.league.ratings import BoardSet, board_sets, over_all, ratings
from arena.league.values import MatchOutcome

PLACES = {2: [(2, 0), (1, 1), (0, 2)], 3: [(12, 6, 0), (12, 3, 3), (9, 9, 0), (6, 6, 6), (0, 12, 6)]}


def game(board: int, seating: tuple[str, ...], half_points: tuple[int, ...], round_number: int = 1) -> MatchOutcome:
    return MatchOutcome(round_number, 1, board, seating, half_points, (0,) * len(seating))


def league(strength: dict[str, float], boards: int, rng: random.Random) -> tuple[BoardSet, ...]:
    """Mirrored pairs of random bots; strength and luck decide each game, the luck of a seat falls on both games."""
    outcomes = []
    for board in range(1, boards + 1):
        one, other = rng.sample(sorted(strength), 2)
        luck = rng.gauss(0, 1)
        for seating in ((one, other), (other, one)):
            ahead = strength[seating[0]] - strength[seating[1]] + luck + rng.gauss(0, 1)
            outcomes.append(game(board, seating, (2, 0) if ahead > 0 else (0, 2)))
    return board_sets(outcomes)


def random_match(rng: random.Random, names: list[str]) -> MatchOutcome:
    seats = rng.choice((2, 3))
    return game(1, tuple(rng.sample(names, seats)), rng.choice(PLACES[seats]))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(1, 4))
def test_ratings_are_those_of_openskill_match_by_match(seed: int, boards: int, matches: int) -> None:
    rng = random.Random(seed)
    sets = tuple(
        tuple(random_match(rng, ["a", "b", "c", "d", "e", "f"]) for _ in range(matches)) for _ in range(boards)
    )
    model = BradleyTerryFull(tau=0.0)
    known: dict[str, list[float]] = {}
    for outcome in (outcome for board_set in sets for outcome in board_set):
        teams = [[model.rating(*known.get(name, ()))] for name in outcome.seating]
        for name, [bot] in zip(
            outcome.seating, model.rate(teams, ranks=[-half for half in outcome.half_points]), strict=True
        ):
            known[name] = [bot.mu, bot.sigma]
    found = ratings(sets, "seed", resamples=1)
    assert {name: [rating.mu, rating.sigma] for name, rating in found.items()} == {
        name: pytest.approx(numbers, abs=1e-6) for name, numbers in known.items()
    }


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12), st.integers(2, 4))
def test_drawing_anew_what_never_differs_changes_nothing(seed: int, matches: int, times: int) -> None:
    rng = random.Random(seed)
    board_set = tuple(random_match(rng, ["a", "b", "c", "d"]) for _ in range(matches))
    for rating in ratings((board_set,) * times, "seed", resamples=3).values():
        assert (rating.low, rating.high) == (rating.mu, rating.mu)


def test_one_match_is_rated_by_the_published_formula() -> None:
    found = ratings(((game(1, ("a", "b"), (2, 0)),),), "seed")
    sigma, beta = 25 / 3, 25 / 6
    c = (2 * sigma**2 + 2 * beta**2) ** 0.5
    assert found["a"].mu == pytest.approx(25 + sigma**2 / c * 0.5)
    assert found["b"].mu == pytest.approx(25 - sigma**2 / c * 0.5)
    assert found["a"].sigma == pytest.approx(sigma * (1 - sigma / c * sigma**2 / c**2 * 0.25) ** 0.5)
    assert (found["a"].matches, found["a"].low, found["a"].high) == (1, None, None)


def test_a_frozen_bot_never_becomes_less_sure() -> None:
    sets = league({"a": 0.0, "b": 0.5, "c": 1.0}, 40, random.Random(1))
    sigmas = [ratings(sets[:count], "seed", resamples=1)["a"].sigma for count in range(5, 41, 5)]
    assert sigmas == sorted(sigmas, reverse=True)


def test_the_stronger_bot_is_rated_higher_and_equal_ones_alike() -> None:
    found = ratings(league({"a": 0.0, "b": 0.0, "c": 2.0}, 300, random.Random(1)), "seed", resamples=200)
    assert found["c"].low is not None
    assert found["a"].high is not None
    assert found["b"].high is not None
    assert found["b"].low is not None
    assert found["c"].low > max(found["a"].high, found["b"].high)
    assert found["b"].low < found["a"].mu < found["b"].high


def test_the_bars_hold_a_rating_of_other_cards_about_as_often_as_two_estimates_agree() -> None:
    strength = {"a": 0.0, "b": 0.4, "c": 0.8}
    trials = 60
    agreed = 0
    for trial in range(trials):
        one = ratings(league(strength, 60, random.Random(f"{trial} one")), "seed", resamples=100)["a"]
        other = ratings(league(strength, 60, random.Random(f"{trial} other")), "seed", resamples=100)["a"]
        assert one.low is not None
        assert one.high is not None
        agreed += one.low <= other.mu <= one.high
    # Two estimates of one number differ by its error times the square root of two: 1.96 / 1.41 is 83 % of a normal.
    assert 0.83 * trials - 4 * 2.9 <= agreed <= min(0.83 * trials + 4 * 2.9, trials - 1)


def test_the_bars_are_wider_than_the_model_where_games_share_their_cards() -> None:
    halves = [(2, 0), (0, 2)] * 24
    random.Random(1).shuffle(halves)
    # Each result comes four times in a row: on boards of their own, and all four on one.
    single = [game(board, ("a", "b"), halves[board // 4]) for board in range(4 * len(halves))]
    apart = ratings(board_sets(single), "seed", resamples=300)["a"]
    shared = [game(board // 4, one.seating, one.half_points) for board, one in enumerate(single)]
    together = ratings(board_sets(shared), "seed", resamples=300)["a"]
    assert apart.low is not None
    assert apart.high is not None
    assert together.low is not None
    assert together.high is not None
    # A quarter as many draws make the error twice as large.
    assert together.high - together.low == pytest.approx(2 * (apart.high - apart.low), rel=0.2)


def test_the_same_outcomes_give_the_same_ratings_in_whatever_order_they_come() -> None:
    sets = league({"a": 0.0, "b": 0.5, "c": 1.0}, 20, random.Random(3))
    outcomes = [outcome for board_set in sets for outcome in board_set]
    shuffled = random.Random(1).sample(outcomes, len(outcomes))
    assert board_sets(shuffled) == sets
    assert ratings(sets, "seed") == ratings(board_sets(shuffled), "seed")
    assert ratings(sets, "seed")["a"].low != ratings(sets, "another")["a"].low


def test_over_all_takes_the_divisions_round_by_round() -> None:
    divisions = {
        "koikoi": [game(1, ("a", "b"), (2, 0), 2), game(1, ("a", "b"), (2, 0), 1)],
        "hachihachi": [game(1, ("a", "b", "c"), (12, 6, 0), 1), game(2, ("c", "b", "a"), (12, 6, 0), 1)],
    }
    order = [(one.round, len(one.seating), one.board) for [one] in over_all(divisions)]
    assert order == [(1, 3, 1), (1, 3, 2), (1, 2, 1), (2, 2, 1)]
    assert ratings(over_all(divisions), "seed", resamples=10)["a"].matches == 4


def test_without_matches_nobody_is_rated() -> None:
    assert ratings((), "seed") == {}


@pytest.mark.parametrize(("resamples", "level"), [(0, 0.9), (10, 0.0), (10, 1.0)])
def test_bars_that_cannot_be_drawn_are_refused(resamples: int, level: float) -> None:
    with pytest.raises(StatisticsError):
        ratings((), "seed", resamples, level)
