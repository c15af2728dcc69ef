"""How many boards a difference takes to be seen, measured."""

import pytest

from benchmarks.boards_needed import lines, needed


def test_a_bar_five_times_as_short_takes_twenty_five_times_as_many_boards() -> None:
    scores = [(1.0, 0.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.0)]
    # The shares of the boards are 0.5, 1, 0 and 0.5, whose variance is 1 / 6; 1.96 squared is 3.84.
    assert needed(scores, 0.05) == round(3.8415 / 6 / 0.05**2)
    assert needed(scores, 0.01) == pytest.approx(25 * needed(scores, 0.05), rel=0.01)


def test_the_table_has_a_row_for_each_variant_and_pair_of_bots() -> None:
    _, _, *rows = lines(4)
    assert len(rows) == 6
    assert all(row.count("|") == 7 for row in rows)
