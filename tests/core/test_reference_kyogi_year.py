"""Kyogi's January, its year and whole matches, by its reference; the source's example year."""

import itertools
import random

import pytest
from kyogi_scene import PLAIN_HANDS
from reference_kyogi import (
    Year,
    check,
    found_dealer,
    play,
    play_month,
)
from reference_table import ArrangedTable, Unanswered, arranged_deck


@pytest.mark.parametrize(
    ("own", "other", "deals"),
    [
        ("9A 9R 1x 1y", "8L 8A 1L 1R", 0),
        ("1L 1R 1x 1y", "10A 10R 10x 10y", 0),
        ("1L 1R 2A 11L", "1x 1y 2R 12L", 1),
        ("9A 9R 1x 1y", "8L 8A 2x 2y", 1),
        ("8L 1x 2x 3x", "1L 8x 2y 3y", 1),
        ("1L 8x 2y 3y", "8L 1x 2x 3x", 0),
        ("1L 8L 2x 2y", "3L 6x 2A 2R", 0),
        ("1x 2x 3x 4x", "1y 2y 3y 4y", 0),
    ],
    ids=[
        "digits",
        "ten counts nothing",
        "months",
        "best kind",
        "its month",
        "its month, mirrored",
        "the earliest of two",
        "all equal",
    ],
)
@pytest.mark.parametrize("tentative", [0, 1])
def test_the_field_finds_the_dealer_of_january(own: str, other: str, deals: int, tentative: int) -> None:
    """`deals` is 0 when the tentative dealer deals."""
    dealer = tentative if deals == 0 else 1 - tentative
    assert found_dealer([*own.split(), *other.split()], tentative) == dealer


def test_the_tentative_dealer_takes_the_first_four_cards_of_the_field_r8() -> None:
    field = ["9x", "9y", "1x", "1y", "2A", "2x", "2y", "1R"]
    assert found_dealer(field, 0) == 0
    assert found_dealer(field[4:] + field[:4], 0) == 1


def test_a_january_that_runs_out_with_no_card_played_changes_the_tentative_roles_over() -> None:
    """The tentative dealer's four win in the first deal and in the third, the other four in the second."""
    four = arranged_deck((8, PLAIN_HANDS[0]), (8, PLAIN_HANDS[1]), (8, "9A 9R 9x 9y 10A 11A 11R 12L"), (24, ""))
    other_four = arranged_deck((8, PLAIN_HANDS[0]), (8, PLAIN_HANDS[1]), (8, "10A 11A 11R 12L 9A 9R 9x 9y"), (24, ""))
    quiet = arranged_deck((8, PLAIN_HANDS[0]), (8, PLAIN_HANDS[1]), (8, "8x 8y 9A 9x 10A 11A 11R 12L"), (24, ""))
    table = ArrangedTable([four, other_four, quiet])
    with pytest.raises(Unanswered) as asked:
        play_month(table, Year(), 0)
    assert [entry["dealer"] for entry in table.months] == [0, 0, 0]
    assert asked.value.seat == 0


def test_after_a_card_was_played_in_january_a_run_out_only_changes_the_deal_over() -> None:
    """The field of the later deals would find the same dealer over and over."""
    hands = ("1L 2A 3L 4A 5A 6A 7A 8L", "1R 2R 3R 4R 5R 6R 7R 8A")
    quiet = arranged_deck((8, hands[0]), (8, hands[1]), (8, "9A 9R 10A 10R 11A 11R 12x 12y"), (24, ""))
    four = arranged_deck((8, hands[0]), (8, hands[1]), (8, "9A 9R 9x 9y 10A 11A 11R 12L"), (24, ""))

    class Passive(ArrangedTable):
        """Plays the first card it may, and never stops."""

        def _answer(self, seat: int, legal: list[str]) -> str:
            return "koi" if "koi" in legal else legal[0]

    table = Passive([quiet, four])
    play_month(table, Year(), 0)
    dealers = [entry["dealer"] for entry in table.months]
    assert table.months[0]["ended"] == "run_out"
    assert dealers == [0, 1] * 10 + [0]


def test_later_months_are_dealt_by_the_winner_and_a_run_out_changes_the_deal_over() -> None:
    rng = random.Random(6)
    seen: set[bool] = set()
    for _ in range(10):
        months = play({}, rng)["months"]
        for earlier, later in itertools.pairwise(months):
            if later["month"] == 1:
                continue
            is_won = earlier["winner"] is not None
            assert later["dealer"] == (earlier["winner"] if is_won else 1 - earlier["dealer"])
            assert later["attempt"] == (0 if is_won else earlier["attempt"] + 1)
            seen.add(is_won)
    assert seen == {True, False}


# The year


def year_of(*months: tuple[int | None, int]) -> Year:
    year = Year()
    for winner, points in months:
        year.won(winner, points)
    return year


def test_the_example_year_of_the_source_ends_45_to_26_r6() -> None:
    """Spring 1 2 to 4; summer 1 3 6 and 5 for all three; autumn 6 to 1 12; winter 2 6 to 9."""
    a, b = 0, 1
    year = year_of((a, 1), (a, 2), (b, 4), (a, 1), (a, 3), (a, 6), (a, 6), (b, 1), (b, 12), (a, 2), (a, 6), (b, 9))
    assert year.totals == [32, 26]
    assert year.is_over()
    assert year.result() == [45, 26]


def test_a_season_won_whole_pays_five_with_its_third_month() -> None:
    year = year_of((1, 1), (1, 1))
    assert year.won(1, 2) == [0, 7]


def test_three_months_in_a_row_across_seasons_pay_nothing_more() -> None:
    assert year_of((0, 1), (1, 1), (1, 1), (1, 1), (0, 1), (0, 1)).totals == [3, 3]


def test_a_season_with_a_drawn_month_pays_nothing_more() -> None:
    assert year_of((0, 1), (None, 0), (0, 1)).totals == [2, 0]


EVEN_YEAR = [(month % 2, 1) for month in range(12)]


def test_equal_totals_add_a_season_that_pays_its_winner_too_r3() -> None:
    year = year_of(*EVEN_YEAR)
    assert not year.is_over()
    assert year.month == 13
    for _ in range(3):
        assert not year.is_over()
        year.won(0, 1)
    assert year.is_over()
    assert year.totals == [6 + 3 + 5, 6]
    assert year.result() == [14 + 5 + 9, 6]


def test_seasons_are_added_until_the_totals_differ() -> None:
    year = year_of(*EVEN_YEAR, (0, 1), (1, 1), (None, 0))
    assert not year.is_over()
    for winner in (0, 1, 0):
        year.won(winner, 1)
    assert year.is_over()


def test_eight_added_seasons_end_an_equal_year_as_a_draw_r4() -> None:
    year = year_of(*EVEN_YEAR)
    for _ in range(8):
        assert not year.is_over()
        for winner, points in ((0, 1), (1, 2), (0, 1)):
            year.won(winner, points)
    assert year.is_over()
    assert year.result() == year.totals == [22, 22]


def test_a_replayed_month_counts_once_for_its_winner_r5() -> None:
    """Random years hold replays; the ginmi counts months, and seasons pay by months."""
    rng = random.Random(7)
    for _ in range(20):
        match = play({}, rng)
        won = [entry for entry in match["months"] if entry["winner"] is not None]
        assert len({entry["month"] for entry in won}) == len(won)
        best = 0 if match["totals"][0] > match["totals"][1] else 1
        assert match["totals"][0] != match["totals"][1]
        extra = [after - before for after, before in zip(match["result"], match["totals"], strict=True)]
        assert extra[1 - best] == 0
        assert extra[best] == 5 + sum(entry["winner"] == best for entry in won)
        for entry in won:
            season = {month for month in won_by(won, entry["winner"]) if (month - 1) // 3 == (entry["month"] - 1) // 3}
            bonus = 5 if entry["month"] % 3 == 0 and len(season) == 3 else 0
            if entry["ended"] == "stop":
                paid = sum(points for _, points in entry["yaku"])
                assert entry["scores"][entry["winner"]] == paid + bonus


def won_by(won: list[dict[str, int]], seat: int) -> set[int]:
    return {entry["month"] for entry in won if entry["winner"] == seat}


# Whole matches


def test_random_years_hold_by_their_own_reference() -> None:
    rng = random.Random(8)
    for _ in range(120):
        match = play({}, rng)
        check(match)
        assert match["totals"] == [sum(entry["scores"][seat] for entry in match["months"]) for seat in (0, 1)]


def test_a_month_that_was_stopped_pays_three_mon_in_a_replay() -> None:
    rng = random.Random(9)
    replays = [
        entry
        for _ in range(30)
        for entry in play({}, rng)["months"]
        if entry["attempt"] > 0 and entry["ended"] == "stop"
    ]
    assert replays
    assert all(max(entry["scores"]) >= 3 for entry in replays)
