"""Ratings by margins: what a bot's number means, whom it is compared with, and how sure it is."""

import random
from statistics import fmean

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.columns import Columns
from arena.league.margin_rating import margin_ratings
from arena.league.statistics import Estimate, mean_margins
from arena.league.values import MatchOutcome
from benchmarks.ratings import measured
from benchmarks.simulated_leagues import Format, league, names_of


def game(board: int, seating: tuple[str, ...], margins: tuple[int, ...], table: int = 1) -> MatchOutcome:
    if len(seating) == 2:
        return MatchOutcome(1, table, board, seating, (1, 1), margins)
    return MatchOutcome(1, table, board, seating, (6,) * len(seating), tuple(6 * margin for margin in margins))


def meetings(margins: dict[tuple[str, str], float], boards: int, noise: float = 0, seed: int = 1) -> list[MatchOutcome]:
    """Tables of mirrored boards between two bots, of which the first is expected to win by this margin."""
    rng = random.Random(seed)
    outcomes = []
    for table, ((one, other), margin) in enumerate(margins.items(), start=1):
        for board in range(table * boards, (table + 1) * boards):
            for seating, sign in (((one, other), 1), ((other, one), -1)):
                points = round(sign * margin + rng.gauss(0, noise))
                outcomes.append(game(board, seating, (points, -points), table))
    return outcomes


def rated(outcomes: list[MatchOutcome]) -> dict[str, Estimate]:
    return margin_ratings(Columns([outcomes]))


def test_a_rating_is_by_how_much_a_bot_is_better_than_the_mean_of_the_field_whomever_it_met() -> None:
    # b and c lose to a by the same margin, but c met the weak d besides, and b nobody.
    outcomes = meetings({("a", "b"): 30, ("a", "c"): 30, ("c", "d"): 50}, 40, noise=5)
    ratings = rated(outcomes)
    margins = mean_margins(Columns([outcomes]))
    assert ratings["b"].mean == pytest.approx(ratings["c"].mean, abs=4)
    assert margins["c"].mean > margins["b"].mean + 30
    assert {name: one.mean for name, one in ratings.items()} == {
        "a": pytest.approx(35, abs=4),
        "b": pytest.approx(5, abs=4),
        "c": pytest.approx(5, abs=4),
        "d": pytest.approx(-45, abs=4),
    }
    assert sum(rating.mean for rating in ratings.values()) == pytest.approx(0, abs=1e-4)


def test_ratings_follow_from_the_matches_in_any_order() -> None:
    outcomes, _ = league([0.0, 0.2, 0.4, 0.6, 0.8], Format(5, 4, 3), random.Random(4))
    shuffled = random.Random(5).sample(outcomes, len(outcomes))
    for name, estimate in rated(outcomes).items():
        again = rated(shuffled)[name]
        assert (again.mean, again.low, again.high) == pytest.approx((estimate.mean, estimate.low, estimate.high))


def test_bots_that_no_table_connects_with_most_of_the_field_are_not_rated_yet() -> None:
    ratings = rated(meetings({("a", "b"): 10, ("b", "c"): 10, ("d", "e"): 10}, 20, noise=5))
    assert all(ratings[name].low is not None for name in "abc")
    assert {ratings[name].low for name in "de"} == {None}
    assert sum(ratings[name].mean for name in "abc") == pytest.approx(0, abs=1e-4)
    halves = rated(meetings({("a", "b"): 10, ("c", "d"): 10}, 20, noise=5))
    assert {estimate.low for estimate in halves.values()} == {None}
    assert rated([]) == {}


@given(
    st.lists(
        st.tuples(st.integers(0, 19), st.integers(0, 19)).filter(lambda pair: len({*pair}) == 2),
        min_size=1,
        max_size=30,
    )
)
def test_those_are_rated_whom_chains_of_meetings_connect_with_more_than_half_of_the_field(
    pairs: list[tuple[int, int]],
) -> None:
    ratings = rated(meetings({(f"bot-{one}", f"bot-{other}"): 10 for one, other in pairs}, 6, noise=5))
    met: dict[str, set[str]] = {name: {name} for name in ratings}
    for one, other in pairs:
        joined = met[f"bot-{one}"] | met[f"bot-{other}"]
        met.update(dict.fromkeys(joined, joined))
    largest = max(met.values(), key=len)
    connected = largest if 2 * len(largest) > len(ratings) else set()
    assert {name for name, rating in ratings.items() if rating.low is not None} == connected


def test_too_few_boards_give_no_bars() -> None:
    assert {one.low for one in rated(meetings({("a", "b"): 10}, 3, noise=5)).values()} == {None}
    assert None not in {one.low for one in rated(meetings({("a", "b"): 10}, 4, noise=5)).values()}


@pytest.mark.parametrize("margin", [0, 5])
def test_bots_whose_margins_are_the_same_on_every_board_are_rated_by_them(margin: int) -> None:
    for name, sign in (("a", 1), ("b", -1)):
        estimate = rated(meetings({("a", "b"): margin}, 8))[name]
        assert estimate.mean == pytest.approx(sign * margin / 2, abs=0.01)
        assert width(estimate) == pytest.approx(0, abs=0.01)


def test_single_boards_without_a_circle_of_meetings_tell_no_variance_so_there_are_no_bars() -> None:
    ratings = rated(meetings({("a", "b"): 30, ("b", "c"): 10, ("c", "d"): -20}, 1))
    assert [ratings[name].mean for name in "abcd"] == pytest.approx([22.5, -7.5, -17.5, 2.5], abs=0.01)
    assert {rating.low for rating in ratings.values()} == {None}


def test_pods_of_different_sizes_are_rated_together() -> None:
    rng = random.Random(2)
    outcomes = []
    for table in range(1, 9):
        names = rng.sample("abcdefg", 7)
        for seating in (names[:4], names[4:]):
            for board in range(10):
                points = [20 * "abcdefg".index(name) + rng.gauss(0, 10) for name in seating]
                margins = [point - (sum(points) - point) / (len(points) - 1) for point in points]
                outcomes.append(
                    game(100 * table + 10 * len(seating) + board, tuple(seating), tuple(map(round, margins)), table)
                )
    ratings = rated(
        [msgspec.structs.replace(outcome, table=10 * outcome.table + len(outcome.seating)) for outcome in outcomes]
    )
    assert [ratings[name].mean for name in "abcdefg"] == pytest.approx([-60, -40, -20, 0, 20, 40, 60], abs=5)


def test_bots_that_beat_each_other_in_a_circle_have_wide_bars_until_everybody_has_met() -> None:
    names = "abcdefgh"
    across = {(names[place], names[place + 4]): 0.0 for place in range(4)}
    ring = {(names[place], names[(place + 1) % 8]): 20.0 for place in range(8)} | across
    equal = rated(meetings(dict.fromkeys(ring, 0.0), 40, noise=5))
    circle = rated(meetings(ring, 40, noise=5))
    assert width(circle["a"]) > 3 * width(equal["a"])
    assert circle["a"].mean == pytest.approx(0, abs=4)
    # With every meeting played, a bot's mean against all others is known, whatever the styles are.
    whole = {
        (name, other): 0.0
        for place, name in enumerate(names)
        for other in names[place + 1 :]
        if (name, other) not in ring
    }
    assert width(rated(meetings(ring | whole, 40, noise=5))["a"]) < width(circle["a"]) / 3


def width(estimate: Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


def test_bots_whose_games_vary_more_have_wider_bars() -> None:
    outcomes = meetings({("a", "b"): 0, ("c", "d"): 0, ("b", "c"): 0}, 100, noise=5)
    wild = [
        game(outcome.board, outcome.seating, tuple(9 * margin for margin in outcome.margins), outcome.table)
        if outcome.table == 1
        else outcome
        for outcome in outcomes
    ]
    assert width(rated(wild)["a"]) > 4 * width(rated(wild)["d"])


def test_a_field_of_three_seats_is_rated_by_the_margins_to_the_mean_of_the_others() -> None:
    rng = random.Random(6)
    outcomes = []
    for board in range(60):
        points = [30 + round(rng.gauss(0, 5)), round(rng.gauss(0, 5)), -30 + round(rng.gauss(0, 5))]
        margins = tuple(round(point - (sum(points) - point) / 2) for point in points)
        outcomes.append(game(board, ("a", "b", "c"), margins))
    ratings = rated(outcomes)
    assert [ratings[name].mean for name in "abc"] == pytest.approx([30, 0, -30], abs=3)


def test_large_fields_are_rated_as_small_ones_are(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(7)
    strengths = [rng.gauss(0, 0.5) for _ in range(120)]
    outcomes, _ = league(strengths, Format(120, 6, 4), rng)
    whole = rated(outcomes)
    monkeypatch.setattr("arena.league.margin_rating.DENSE", 1)
    large = rated(outcomes)
    for name in names_of(120):
        assert large[name].mean == pytest.approx(whole[name].mean, abs=width(whole[name]) / 8)
    assert fmean(map(width, large.values())) == pytest.approx(fmean(map(width, whole.values())), rel=0.1)


@pytest.mark.parametrize("field", ["close", "two clusters", "outlier"])
def test_bars_of_margin_ratings_hold_the_truth_about_as_often_as_they_say(field: str) -> None:
    bars = [bar.covered for bars in measured(field, Format(8, 5, 4), 40)["points"] for bar in bars]
    # The bars of a league go together, so 320 of them are known to about 2 %.
    assert 0.88 <= fmean(bars) <= 0.995
