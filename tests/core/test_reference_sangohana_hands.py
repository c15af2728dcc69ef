"""Sangohana's hands with all their times, by its reference."""

from collections.abc import Mapping
from typing import Any

import pytest
from reference_cards import CARDS, of_month
from reference_sangohana import DEFAULTS, POINTS, ROWS, hand_of, pairs

STRICT = DEFAULTS | {"strict_pairs": True}
STRICT_FOUR = STRICT | {"strict_kiri_times": 4}
STRICT_THREE = DEFAULTS | {"strict_three": True}


def points(cards: str, options: Mapping[str, Any] = DEFAULTS) -> int | None:
    found = hand_of(cards.split(), options)
    return found.points if found else None


THREE = {"lights": "1L 3L 8L", "animals": "2A 4A 5A", "ribbons": "4R 5R 7R", "chaff": "8x 9x 10x"}
FIVE = {
    "lights": "1L 3L 8L 11L 12L",
    "animals": "6A 7A 8A 9A 10A",
    "ribbons": "1R 2R 3R 6R 9R",
    "chaff": "1x 1y 2x 3x 4x",
}
TABLE = {
    "suyaku": 1,
    "shimo_tanzaku": 2,
    "shimo_no_tane": 3,
    "shimo_sanko": 5,
    "kami_tanzaku": 6,
    "kami_no_tane": 7,
    "tan_sanko": 10,
    "tane_sanko": 12,
    "shimo_goko": 15,
    "kami_goko": 20,
}


def test_the_table_has_these_ten_rows() -> None:
    assert POINTS == TABLE
    assert set(ROWS.values()) == set(TABLE)


@pytest.mark.parametrize("three", THREE)
@pytest.mark.parametrize("five", FIVE)
def test_three_of_one_kind_and_five_of_another_make_the_row_of_the_table(three: str, five: str) -> None:
    found = hand_of([*THREE[three].split(), *FIVE[five].split()], DEFAULTS)
    if three == five:
        assert found is None
    else:
        assert found is not None
        assert found == (ROWS[three, five], TABLE[ROWS[three, five]])


@pytest.mark.parametrize(
    ("three", "five", "row"),
    [
        ("animals", "chaff", "suyaku"),
        ("ribbons", "chaff", "suyaku"),
        ("chaff", "ribbons", "shimo_tanzaku"),
        ("chaff", "animals", "shimo_no_tane"),
        ("lights", "chaff", "shimo_sanko"),
        ("animals", "ribbons", "kami_tanzaku"),
        ("ribbons", "animals", "kami_no_tane"),
        ("lights", "ribbons", "tan_sanko"),
        ("lights", "animals", "tane_sanko"),
        ("chaff", "lights", "shimo_goko"),
        ("animals", "lights", "kami_goko"),
        ("ribbons", "lights", "kami_goko"),
    ],
)
def test_which_three_and_which_five(three: str, five: str, row: str) -> None:
    assert ROWS[three, five] == row


@pytest.mark.parametrize(
    "cards",
    [
        "1L 3L 2A 4A 5A 6A 7A 8A",  # two and six
        "2A 4A 5R 1x 1y 2x 3x 4x",  # animals and ribbons do not mix
        "1L 3L 8L 2A 4A 5A 1R 2R",
        "2A 4A 5A 6A 1R 2R 3R 4R",
        "2A 4A 5A 1x 2x 3x 4x 5x",  # five chaff without a pair
        "2A 4A 5A 12x 12y 1x 2x 3x",  # the yellow paulownia makes none
        "2A 4A 5A 11x 11R 1x 2x 3x",  # a willow ribbon is a ribbon
        "11A 4A 5A 11x 1x 2x 3x 4x",
    ],
)
def test_nothing_else_is_a_hand(cards: str) -> None:
    assert points(cards) is None


@pytest.mark.parametrize(
    ("chaff", "expected"),
    [("1x 2x 3x", 0), ("1x 1y 3x", 1), ("12x 12y 1x", 0), ("12y 12z 1x", 1), ("12x 12y 12z", 1), ("1x 1y 2x 2y", 2)],
)
def test_a_pair_is_two_chaff_of_a_month_but_never_the_yellow_paulownia(chaff: str, expected: int) -> None:
    assert pairs(chaff.split()) == expected


FIVE_CHAFF = {
    # five chaff: the times by default, with strict pairs, with strict pairs and strict_kiri_times 4
    "1x 1y 2x 3x 4x": (1, 0, 0),
    "12y 12z 2x 3x 4x": (1, 0, 0),
    "1x 1y 2x 2y 3x": (2, 1, 1),
    "12y 12z 2x 2y 3x": (2, 1, 1),
    "1x 1y 2x 2y 12x": (2, 1, 1),
    "1x 1y 2x 2y 11x": (3, 2, 2),
    "12y 12z 2x 2y 11x": (3, 2, 2),
    "12x 12y 12z 1x 2x": (3, 0, 0),  # R5: no second pair
    "12x 12y 12z 1x 11x": (3, 0, 0),
    "12x 12y 12z 1x 1y": (4, 3, 4),
}


@pytest.mark.parametrize("chaff", FIVE_CHAFF)
def test_five_chaff_have_these_times_r5(chaff: str) -> None:
    for three, row in ((THREE["animals"], 1), (THREE["lights"], 5)):
        for options, times in zip((DEFAULTS, STRICT, STRICT_FOUR), FIVE_CHAFF[chaff], strict=True):
            assert points(f"{three} {chaff}", options) == (row * times or None)


@pytest.mark.parametrize("ribbons", ["1R 2R 3R", "6R 9R 10R"])
def test_the_poem_ribbons_and_the_blue_ones_double_as_a_three_only(ribbons: str) -> None:
    assert points(f"{ribbons} {FIVE['animals']}") == 14
    assert points(f"{ribbons} {FIVE['lights']}") == 40, "赤五光, 青五光"
    assert points(f"{ribbons} 1x 1y 2x 3x 4x") == 2
    assert points(f"{ribbons} 5R 7R {THREE['animals']}") == 6, "not in a five"


def test_suyaku_may_have_both_kinds_of_times_multiplied() -> None:
    assert points("1R 2R 3R 1x 1y 2x 2y 3x") == 4
    assert points("1R 2R 3R 12x 12y 12z 1x 2x") == 6
    assert points("6R 9R 10R 1x 1y 2x 2y 11x") == 6
    assert points("6R 9R 10R 12x 12y 12z 1x 1y") == 8
    assert points("6R 9R 10R 12x 12y 12z 1x 1y", STRICT) == 6


def test_three_paulownia_chaff_triple_as_a_three() -> None:
    assert points(f"12x 12y 12z {FIVE['lights']}") == 45, "桐五光"
    assert points(f"12x 12y 12z {FIVE['ribbons']}") == 6
    assert points(f"12x 12y 12z {FIVE['animals']}") == 9
    assert points(f"12x 12y 11x {FIVE['animals']}") == 3


@pytest.mark.parametrize(
    ("three", "times"),
    [("8x 9x 10x", 0), ("8x 8y 10x", 1), ("12x 12y 1x", 0), ("12y 12z 1x", 1), ("12x 12y 12z", 3)],
)
def test_strict_three_wants_a_pair_in_three_chaff(three: str, times: int) -> None:
    for five in ("ribbons", "animals", "lights"):
        plain = TABLE[ROWS["chaff", five]]
        assert points(f"{three} {FIVE[five]}", STRICT_THREE) == (plain * times or None)
    assert points(f"{THREE['animals']} 1x 1y 2x 3x 4x", STRICT_THREE) == 1


def test_a_kind_is_what_the_card_table_says() -> None:
    kinds = ["".join(card[-1] for card in of_month(month, CARDS)) for month in (9, 11, 12)]
    assert kinds == ["ARxy", "LARx", "Lxyz"], "the cup an animal, of willow one chaff, of paulownia three"
