"""A ladder orders bots as a league of three times its boards does: the benchmark in its short form."""

from statistics import fmean

from benchmarks.ladder_order import HOUSE, SETTINGS, kendall, of_setting, real


def test_a_ladder_of_a_third_of_the_boards_orders_bots_as_the_long_league_does() -> None:
    long, third, standing = (fmean(values) for values in zip(*of_setting(SETTINGS[0], 4), strict=True))
    assert standing >= long
    assert standing >= third


def test_kendalls_tau_is_1_for_the_true_order_and_minus_1_for_its_opposite() -> None:
    order = ["a", "b", "c"]
    assert kendall(order, {"a": 1, "b": 2, "c": 3}) == 1
    assert kendall(order, {"a": 3, "b": 2, "c": 1}) == -1
    assert round(kendall(order, {"a": 1, "b": 3, "c": 2}), 3) == round(1 / 3, 3)


def test_the_houses_bots_play_each_board_in_both_seatings() -> None:
    outcomes = real("koikoi", "seed")(1, 1, (HOUSE[0], HOUSE[1]), 1)
    assert [outcome.seating for outcome in outcomes] == [(HOUSE[0], HOUSE[1]), (HOUSE[1], HOUSE[0])]
