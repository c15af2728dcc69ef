"""Which bots the results tell apart, and how likely each is the strongest."""

import random

import pytest

from arena.league import separation as module
from arena.league.columns import Columns
from arena.league.ratings import MIN_BOARD_SETS, Strengths
from arena.league.separation import Separation
from arena.league.values import MatchOutcome
from benchmarks.separation import Claims, measured
from benchmarks.simulated_leagues import Format, league

PAIRS = {"a": 0.0, "b": 0.0, "c": 1.5, "d": 1.5, "e": -1.5}


def separation_of(outcomes: list[MatchOutcome], seed: str = "seed") -> Separation:
    columns = Columns([outcomes])
    return Separation(columns, Strengths(columns).ratings(), seed)


def played(strength: dict[str, float], boards: int, seed: int = 1) -> list[MatchOutcome]:
    """Mirrored boards of two random bots, of which strength and luck decide each game."""
    rng = random.Random(seed)
    outcomes = []
    for board in range(1, boards + 1):
        one, other = rng.sample(sorted(strength), 2)
        luck = rng.gauss(0, 1)
        for seating in ((one, other), (other, one)):
            ahead = strength[seating[0]] - strength[seating[1]] + luck + rng.gauss(0, 1)
            outcomes.append(MatchOutcome(1, 1, board, seating, (2, 0) if ahead > 0 else (0, 2), (0, 0)))
    return outcomes


def test_too_few_boards_give_no_best_and_no_places() -> None:
    for boards, known in ((MIN_BOARD_SETS - 1, set()), (MIN_BOARD_SETS, {"a", "b"})):
        separation = separation_of(played({"a": 0.0, "b": 1.0}, boards))
        assert separation.best().keys() == separation.places(["a", "b"]).keys() == known
    assert separation_of([]).best() == separation_of([]).places([]) == {}


def test_the_probabilities_to_be_the_best_add_up_and_favour_the_stronger() -> None:
    outcomes = played({"a": 0.0, "b": 0.1, "c": 0.6}, 150)
    best = separation_of(outcomes).best()
    assert sum(best.values()) == pytest.approx(1)
    assert best["c"] > 0.9
    assert separation_of(outcomes).best() == best
    assert separation_of(outcomes, "other").best() != best


def test_bots_that_cannot_be_told_apart_share_a_place() -> None:
    places = separation_of(played(PAIRS, 400)).places(["c", "d", "a", "b", "e"])
    assert places == {"c": 1, "d": 1, "a": 3, "b": 3, "e": 5}


def test_a_place_is_shared_with_a_bot_that_stands_ahead_by_luck_alone() -> None:
    separation = separation_of(played({"a": 0.0, "b": 2.0}, 200))
    assert separation.places(["b", "a"]) == {"b": 1, "a": 2}
    assert separation.places(["a", "b"]) == {"a": 1, "b": 1}


def test_a_place_ends_where_a_bot_is_weaker_than_any_that_is_at_it() -> None:
    # Nobody can be told from x, which played a few boards; c has x before it and is told from a all the same.
    strength = {"a": 2.0, "c": -2.0}
    outcomes = played(strength, 200) + [MatchOutcome(2, 1, board, ("x", "a"), (1, 1), (0, 0)) for board in range(1, 3)]
    assert separation_of(outcomes).places(["x", "a", "c"]) == {"x": 1, "a": 1, "c": 3}


def test_bots_that_withdrew_unplayed_have_no_place() -> None:
    assert separation_of(played({"a": 0.0, "b": 2.0}, 50)).places(["gone", "b", "a"]) == {"b": 1, "a": 2}


@pytest.mark.parametrize("bots", [3, 16])
def test_tables_of_equal_bots_are_seldom_split(bots: int) -> None:
    said = measured("equal", Format(bots, 6, 5), 20)
    # One of 20 leagues may be; more than five are in one of some three thousand samples.
    assert sum(one.wrong for one in said) <= 5
    assert favourite(said) < 0.05 + 1.1 / bots


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_bot_that_is_far_from_all_others_does_not_spread_them(seed: int) -> None:
    outcomes = played(dict.fromkeys("abcdefgh", 0.0) | {"z": -4.0}, 800, seed)
    posteriors = list(module._posteriors(module._Results(Columns([outcomes]))))
    likeliest = max(range(len(posteriors)), key=lambda number: posteriors[number].evidence)
    assert module._SPREADS[likeliest] <= 0.05


def test_equal_bots_that_lead_others_are_said_to_be_nearly_as_likely_the_best() -> None:
    said = measured("three equal bots 200 Elo above equal ones", Format(16, 7, 20), 10)
    assert favourite(said) < 0.45


def test_bots_that_differ_are_seen_to_differ() -> None:
    said = measured("two clusters, 260 Elo", Format(6, 5, 6), 10)
    assert sum(one.seen or 0 for one in said) / len(said) > 0.5
    assert sum(one.wrong for one in said) <= 4


def favourite(said: list[Claims]) -> float:
    """The mean probability that the favourites were given."""
    return sum(max(chance for chance, _ in one.best) for one in said) / len(said)


def test_large_fields_are_separated_much_as_small_ones_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(3)
    outcomes, order = league([rng.gauss(0, 1) for _ in range(40)], Format(40, 7, 10), rng)
    whole = separation_of(outcomes)
    monkeypatch.setattr(module, "_DENSE", 1)
    found = separation_of(outcomes)
    first, last = order[0], order[-1]
    assert found.places(order)[last] > found.places(order)[first] == 1
    assert len(set(found.places(order).values())) == pytest.approx(len(set(whole.places(order).values())), abs=2)
    favourite_of = whole.best()
    assert max(favourite_of, key=favourite_of.__getitem__) == max(found.best(), key=found.best().__getitem__)
