"""Trials of one version against another: who sits where, what counts, and when it is over."""

import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.league.errors import StatisticsError
from arena.league.statistics import MIN_BOARD_SETS
from arena.sprt.elo import elo_of_results
from arena.sprt.sequential import Hypotheses, Model, Pentanomial, Verdict, pentanomial_reading
from arena.sprt.trial import Game, Measure, Side, Trial, trial_game, trial_luck, trial_seatings

NEW, OLD = Side.NEW, Side.OLD
POINTS = Hypotheses(0, 4, Model.POINTS)


@pytest.mark.parametrize(("seats", "count"), [(2, 2), (3, 6), (4, 6)])
def test_a_board_is_played_so_that_either_version_has_each_seat_equally_often(seats: int, count: int) -> None:
    seatings = trial_seatings(seats)
    assert len(set(seatings)) == len(seatings) == count
    for seat in range(seats):
        assert Counter(seating[seat] for seating in seatings) == {NEW: count // 2, OLD: count // 2}
    turned = {tuple(Side(1 - side) for side in seating) for seating in seatings}
    assert turned == set(seatings)


@pytest.mark.parametrize("seats", [1, 5])
def test_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(StatisticsError, match="two to four seats"):
        trial_seatings(seats)


def test_a_game_of_two_counts_as_in_a_league() -> None:
    assert trial_game((NEW, OLD), (12, -12)) == Game(2, 24)
    assert trial_game((OLD, NEW), (12, -12)) == Game(0, -24)
    assert trial_game((OLD, NEW), (0, 0)) == Game(1, 0)
    assert trial_game((NEW, OLD), (12, -12), forfeiter=0) == Game(0, 0, NEW), "a lead is taken away"
    assert trial_game((NEW, OLD), (12, -12), forfeiter=1) == Game(2, 24, OLD), "a deficit stays"


def test_the_margin_of_more_is_the_mean_of_the_seats_less_that_of_the_others() -> None:
    assert trial_game((NEW, OLD, OLD), (8, 3, -11)) == Game(None, 12)
    assert trial_game((NEW, OLD, NEW), (8, 3, -11)) == Game(None, -4.5)
    assert trial_game((NEW, OLD, NEW, OLD), (9, 1, 2, 4)) == Game(None, 3)
    assert trial_game((NEW, OLD, OLD), (8, 3, -11), forfeiter=2) == Game(None, 12, OLD)


@given(st.integers(2, 4), st.data())
def test_versions_that_play_alike_get_a_margin_of_exactly_nothing(seats: int, data: st.DataObject) -> None:
    # They play alike, so the cards alone decide what each seat gets, whoever sits there.
    balances = data.draw(st.lists(st.integers(-300, 300), min_size=seats, max_size=seats))
    trial = Trial(seats, Measure.MARGINS, POINTS)
    trial.add([trial_game(seating, balances) for seating in trial.seatings])
    margin = trial.summary().margin
    assert margin.mean == pytest.approx(0, abs=1e-9)


def test_a_trial_by_results_counts_pairs_games_and_forfeits() -> None:
    trial = Trial(2, Measure.RESULTS, Hypotheses(0, 100))
    halves = itertools.product((2, 1, 0), repeat=2)
    for first, second in halves:
        trial.add([Game(first, first - 1.0, NEW if not first else None), Game(second, second - 1.0)])
    found = trial.summary()
    assert found.pairs == Pentanomial(ll=1, ld=2, wl=2, dd=1, wd=2, ww=1)
    assert found.results == (6, 6, 6)
    assert (found.games, found.forfeits) == (18, (3, 0))
    assert found.reading.board_sets == 9
    assert trial.bars_so_far().value == pytest.approx(0)


def test_a_trial_says_when_it_is_over() -> None:
    trial = Trial(2, Measure.RESULTS, Hypotheses(0, 100))
    while trial.reading.verdict is Verdict.OPEN:
        trial.add([Game(2, 5.0), Game(trial.reading.board_sets % 2, -1.0)])
    assert trial.reading.verdict is Verdict.BETTER
    assert trial.summary().reading == trial.reading


def test_elo_is_refused_where_more_than_two_play() -> None:
    with pytest.raises(StatisticsError, match="with 3 seats a trial tests margins"):
        Trial(3, Measure.RESULTS, Hypotheses())


def test_what_mirroring_is_worth_is_the_variance_that_it_took_away() -> None:
    # Luck of 6 for whoever has the first seat, strength that varies by 1: the games' variance is 36 + 1, the means' 1.
    trial = Trial(2, Measure.MARGINS, POINTS)
    for luck, strength in itertools.product((6, -6), (1, -1) * (MIN_BOARD_SETS // 4)):
        assert trial.summary().worth is None, "a league's table would not tell either"
        trial.add([Game(None, luck + strength), Game(None, strength - luck)])
    assert trial.summary().worth == pytest.approx(37 / 2)
    equal = Trial(2, Measure.MARGINS, POINTS)
    for _ in range(MIN_BOARD_SETS):
        equal.add([Game(1, 0), Game(1, 0)])
    assert equal.summary().worth is None


def test_only_what_the_test_measures_has_an_interval() -> None:
    trials = [Trial(2, Measure.MARGINS, POINTS), Trial(2, Measure.RESULTS, Hypotheses(0, 100))]
    for trial in trials:
        for value in (1, 3, 5, 7, -4, 2):
            trial.add([Game(2 if value > 0 else 0, value), Game(1, value)])
    margins, results = (trial.summary() for trial in trials)
    assert margins.margin.low < margins.margin.mean < margins.margin.high
    assert (margins.elo.low, margins.elo.high, margins.normalised_elo) == (None, None, None)
    assert (results.margin.low, results.margin.high) == (None, None)
    assert results.elo.low < results.elo.value < results.elo.high
    assert results.normalised_elo.low < results.normalised_elo.value < results.normalised_elo.high
    assert [round(trial.bars_so_far().value, 3) for trial in trials] == [
        round(14 / 6, 3),
        round(results_elo(5 / 3 / 4 + 1 / 4), 3),
    ]


def results_elo(score: float) -> float:
    return 400 * math.log10(score / (1 - score))


def test_elo_that_is_far_from_both_bounds_is_that_of_the_pairs() -> None:
    # A mean of 0.6: 400 * log10(0.6 / 0.4), with about 1.96 standard errors of the mean to each side. The hypotheses
    # are so close that the test is far from its bounds, and has not stopped.
    counts = Pentanomial(ll=0, ld=20, wl=40, dd=0, wd=20, ww=20)
    hypotheses = Hypotheses(70, 70.5, Model.LOGISTIC)
    bars, normalised = elo_of_results(counts, hypotheses, pentanomial_reading(counts, hypotheses))
    mean, variance = 0.6, (20 * 0.35**2 + 40 * 0.1**2 + 20 * 0.15**2 + 20 * 0.4**2) / 100
    error = 1.984 * math.sqrt(variance / 100)
    assert bars.value == pytest.approx(70.4365, abs=0.1)
    assert bars.low == pytest.approx(400 * math.log10((mean - error) / (0.4 + error)), abs=0.5)
    assert bars.high == pytest.approx(400 * math.log10((mean + error) / (0.4 - error)), abs=0.5)
    assert normalised.value == pytest.approx(0.1 / math.sqrt(variance) * 800 / math.log(10) / math.sqrt(2), abs=0.1)


def test_a_score_without_a_loss_or_without_spread_has_no_elo() -> None:
    for counts, value in ((Pentanomial(ww=3), None), (Pentanomial(wl=3), 0)):
        hypotheses = Hypotheses(0, 50)
        bars, normalised = elo_of_results(counts, hypotheses, pentanomial_reading(counts, hypotheses))
        assert (bars.value, bars.low, bars.high) == (value, None, None)
        assert normalised.value is None


def test_luck_is_taken_out_of_margins_and_of_nothing_else() -> None:
    trial = Trial(2, Measure.RESULTS, Hypotheses(0, 5, Model.NORMALISED), adjusted=True)
    for luck in (-30.0, 10.0, 20.0, 0.0):
        trial.add([Game(2, 3 + luck, luck=luck), Game(0, 1 - luck, luck=-luck)])
    found = trial.summary()
    assert found.pairs == Pentanomial(wl=4)
    assert found.adjusted is not None
    assert (found.adjusted.adjusted, found.adjusted.adjusted_error) == (2, 0)
    one_seat = Trial(2, Measure.RESULTS, Hypotheses(0, 5, Model.NORMALISED), adjusted=True)
    for luck in (-30.0, 10.0, 20.0, 0.0):
        one_seat.add([Game(2, 3 + luck, luck=luck), Game(0, 1.0)])
    adjusted = one_seat.summary().adjusted
    assert adjusted is not None
    assert (adjusted.plain, adjusted.adjusted, adjusted.adjusted_error) == (2, 2, 0)
    assert adjusted.plain_error > 5


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_luck_of_a_game_is_counted_as_its_margin_is(seats: int) -> None:
    """Results that are luck alone leave nothing."""
    balances = [17, -4, 9, -22][:seats]
    luck = [own - (sum(balances) - own) / (seats - 1) for own in balances]
    for seating in trial_seatings(seats):
        assert trial_luck(seating, luck) == pytest.approx(trial_game(seating, balances).margin)


def test_a_margin_is_not_drawn_to_hypotheses_far_off_while_there_can_be_no_verdict() -> None:
    trial = Trial(2, Measure.MARGINS, Hypotheses(0, 100, Model.POINTS))
    for number in range(40):
        trial.add([Game(2, 2.0 + number % 5), Game(2, 2.0 + number % 5)])
    margin = trial.summary().margin
    assert margin.mean == pytest.approx(4)
    assert 3.4 < margin.low < 3.6
    assert 4.4 < margin.high < 4.6
