"""Pairing a whole event, round after round."""

import pytest

from benchmarks.step_times import Setting, event, lines


@pytest.mark.parametrize("setting", [Setting(7, 6, 2), Setting(8, 5, 3), Setting(9, 4, 4)])
def test_every_bot_sits_at_one_table_or_has_a_bye_in_every_round(setting: Setting) -> None:
    assert event(setting, 1).broken == 0


def test_the_table_has_a_row_for_each_field() -> None:
    [_, _, row] = lines((Setting(4, 3, 2),), 1)
    assert row.startswith("| 4 | 3 | 2 | ")
    assert row.endswith(" | 0 |")
