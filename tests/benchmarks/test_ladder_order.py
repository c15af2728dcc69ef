"""How well a ladder orders bots: the benchmark in its short form."""

from statistics import fmean

from benchmarks.ladder_order import HOUSE, SETTINGS, kendall, of_setting, real


def test_a_ladder_of_a_third_of_the_boards_orders_bots_as_the_table_of_a_long_league_does() -> None:
    found = of_setting(SETTINGS[0], 8)
    assert fmean(one.ladder_third for one in found) > fmean(one.third for one in found)
    assert fmean(one.ladder_third for one in found) >= fmean(one.table for one in found)
    assert fmean(one.ladder_half for one in found) > fmean(one.ratings for one in found) - 0.03


def test_kendalls_tau_is_1_for_the_true_order_and_minus_1_for_its_opposite() -> None:
    order = ["a", "b", "c"]
    assert kendall(order, {"a": 1, "b": 2, "c": 3}) == 1
    assert kendall(order, {"a": 3, "b": 2, "c": 1}) == -1
    assert round(kendall(order, {"a": 1, "b": 3, "c": 2}), 3) == round(1 / 3, 3)


def test_the_houses_bots_play_each_board_in_both_seatings() -> None:
    outcomes = real("koikoi", "seed")(1, 1, (HOUSE[0], HOUSE[1]), 1)
    assert [outcome.seating for outcome in outcomes] == [(HOUSE[0], HOUSE[1]), (HOUSE[1], HOUSE[0])]
