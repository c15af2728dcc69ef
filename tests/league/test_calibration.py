"""Error bars of 95 % contain the truth about as often as they say."""

import pytest

from benchmarks.calibration import lines, measured, rows

LEAGUES = 30
SHORT = (
    "margin, koikoi, 1 round of 4 boards",
    "margin, sangohana, 5 rounds of 4 boards",
    "rating, the strength aimed at, 40 games",
    "rating, the true strength, 40 games",
)


@pytest.mark.parametrize("setting", SHORT)
def test_bars_that_are_called_95_percent_hold_about_that(setting: str) -> None:
    [row] = [one for one in rows() if one.setting == setting]
    covered, error, means = measured(row, LEAGUES)
    low, high = row.wanted
    assert low - 3 * error <= covered <= high + 3 * error
    if "best" in means:
        # the probability that the favourite is the strongest, against how often it was
        assert means["best"] == pytest.approx(means["is best"], abs=4 * (0.25 / LEAGUES) ** 0.5)


def test_every_row_of_the_table_is_printed_with_what_is_wanted() -> None:
    chosen = [row for row in rows() if row.setting == SHORT[0]]
    [_, _, line] = lines(3, chosen)
    assert line.startswith(f"| {SHORT[0]} | 93 to 97 | ")
