"""Hachihachi's dealt hands and how they are declared and shown, by its reference."""

import random
from collections.abc import Sequence
from itertools import combinations
from math import comb

import pytest
from reference_cards import CARDS, CHAFF, month_of, of_month
from reference_hachihachi_hands import (
    NUMBER_KAN,
    POVERTY_KAN,
    Reading,
    dearest,
    declarations,
    is_standing,
    number_hand,
    poverty_hands,
    readings,
)

ALL_HANDS = 73_629_072


# Dealt hands

HANDS = {
    # row: hand, its 貫, the cards it does not show
    "sanbon": ("1L 1R 1x 2A 3L 8L 9A", 2, "2A 3L 8L 9A"),
    "tatesanbon": ("4A 4R 4x 2A 3L 8L 9A", 3, "2A 3L 8L 9A"),
    "kuttsuki": ("1L 1R 2A 2R 3L 3R 9A", 4, "9A"),
    "teshi": ("1L 1R 1x 1y 2A 3L 9A", 6, "2A 3L 9A"),
    "haneken": ("1L 1R 1x 2A 2R 3L 3R", 7, ""),
    "ichinishi": ("1L 1R 1x 1y 2A 2R 9A", 9, ""),
    "shiso": ("1L 1R 1x 1y 2A 2R 2x", 40, ""),
    "futasanbon": ("1L 1R 1x 2A 2R 2x 9A", 8, "9A"),
    "sanbon_tatesanbon": ("1L 1R 1x 4A 4R 4x 9A", 9, "9A"),
    "futatatesanbon": ("4A 4R 4x 12x 12y 12z 9A", 10, "9A"),
    "aka": ("1R 2R 3R 4x 5x 6x 8x", 2, "1R 2R 3R"),
    "tanichi": ("1R 2x 3x 4x 5x 6x 8x", 3, "1R"),
    "toichi": ("2A 1x 3x 4x 5x 6x 8x", 3, "2A"),
    "hikaichi": ("1L 2x 3x 4x 5x 6x 8x", 4, "1L"),
    "karasu": ("1x 2x 3x 4x 5x 6x 8x", 4, ""),
}


def test_every_row_of_both_series_is_tested() -> None:
    assert set(HANDS) == set(NUMBER_KAN) | set(POVERTY_KAN)


@pytest.mark.parametrize("row", HANDS)
def test_a_dealt_hand_has_its_value_and_shows_its_cards(row: str) -> None:
    text, kan, hidden = HANDS[row]
    hand = text.split()
    (reading,) = readings(hand)
    assert reading.rows == [(row, kan)]
    assert reading.kan == kan
    assert set(hand) - declarations(hand)["declare"].shown == set(hidden.split())


@pytest.mark.parametrize(
    ("hand", "row"),
    [
        ("1L 1R 1x 2A 2R 8L 9A", "sanbon"),  # beside one pair
        ("4A 4R 4x 2A 2R 8L 9A", "tatesanbon"),
        ("5A 5R 5x 1L 2A 8L 9A", "tatesanbon"),
        ("7A 7R 7x 1L 2A 8L 9A", "tatesanbon"),
        ("12x 12y 12z 1L 2A 8L 9A", "tatesanbon"),
        ("12L 12y 12z 1L 2A 8L 9A", "sanbon"),  # with the phoenix it does not stand
        ("4A 4R 4x 2A 2R 8L 8A", "haneken"),  # a standing three is worth no more here
        ("1L 1R 2A 2R 8L 9A 10A", None),
    ],
)
def test_the_number_series_goes_by_the_pattern_of_months(hand: str, row: str | None) -> None:
    assert number_hand(hand.split()) == row


@pytest.mark.parametrize(
    ("hand", "kan"),
    [
        ("5A 5R 5x 2R 10R 1x 3x", None),  # an animal is no chaff
        ("5R 5x 5y 2R 10R 1x 3x", 5),  # the source's 赤立三本
        ("12L 12x 12y 12z 11x 1x 2x", 10),  # its 光一手四
        ("4R 4x 4y 5x 5y 12x 12y", 10),  # 短一はねけん
        ("11A 11L 11R 11x 12x 12y 12z", 44),  # 空素四三, the only hand of its kind
    ],
)
def test_a_hand_of_both_series_is_worth_their_sum(hand: str, kan: int | None) -> None:
    found = dearest(hand.split())
    assert found is not None
    if kan is None:
        assert found.poverty is None
    else:
        assert None not in found
        assert found.kan == kan


def test_a_hand_of_both_series_shows_what_either_part_shows() -> None:
    hand = ["5R", "5x", "5y", "2R", "10R", "1x", "3x"]
    assert set(hand) - declarations(hand)["declare"].shown == {"2R", "10R"}
    with_phoenix = ["12L", "12x", "12y", "12z", "11x", "1x", "2x"]
    assert declarations(with_phoenix)["declare"].shown == set(with_phoenix)


def test_a_hand_is_declared_whole_or_not_at_all_r3() -> None:
    assert list(declarations(["1L", "1R", "1x", "2A", "2R", "3L", "3R"])) == ["declare"]
    (declared,) = declarations(["12L", "12x", "12y", "12z", "11x", "1x", "2x"]).values()
    assert declared.reading == Reading("teshi", "hikaichi")


@pytest.mark.parametrize(
    ("hand", "rows"),
    [
        ("11R 1x 2x 3x 4x 5x 6x", "tanichi karasu"),
        ("11A 1x 2x 3x 4x 5x 6x", "toichi karasu"),
        ("11L 1x 2x 3x 4x 5x 6x", "hikaichi karasu"),
        ("11R 11A 11L 3x 4x 5x 6x", "tanichi toichi hikaichi karasu"),
        ("1R 11R 2x 3x 4x 5x 6x", "aka tanichi"),
        ("1R 2R 11R 3x 4x 5x 6x", "aka"),
        ("1R 11A 11L 3x 4x 5x 6x", "tanichi"),
        ("2A 11R 11A 3x 4x 5x 6x", "toichi"),
        ("1L 11R 11L 3x 4x 5x 6x", "hikaichi"),
        ("1R 2R 11A 3x 4x 5x 6x", "aka"),
        ("1R 2A 11R 3x 4x 5x 6x", ""),
    ],
)
def test_a_willow_card_is_its_own_kind_only_where_a_reading_needs_it_r9(hand: str, rows: str) -> None:
    cards = hand.split()
    assert poverty_hands(cards) == rows.split()
    if len(rows.split()) > 1:
        assert [way for way in declarations(cards) if way != "declare:number"] == [
            f"declare:{row}" for row in rows.split()
        ]


@pytest.mark.parametrize(
    ("hand", "reading", "hidden"),
    [
        ("11R 1x 2x 3x 4x 5x 6x", "declare:tanichi", "11R"),
        ("11A 11L 2x 3x 4x 5x 6x", "declare:toichi", "11A"),
        ("11A 11L 2x 3x 4x 5x 6x", "declare:hikaichi", "11L"),
        ("11A 11L 2x 3x 4x 5x 6x", "declare:karasu", ""),
        ("1R 11R 2x 3x 4x 5x 6x", "declare:tanichi", "1R"),
        ("1R 11R 2x 3x 4x 5x 6x", "declare:aka", "1R 11R"),
        ("1R 2R 11R 11A 4x 5x 6x", "declare", "1R 2R 11R"),
    ],
)
def test_a_willow_ribbon_is_hidden_in_aka_and_other_willow_cards_are_shown_as_chaff_r10(
    hand: str, reading: str, hidden: str
) -> None:
    cards = hand.split()
    assert set(cards) - declarations(cards)[reading].shown == set(hidden.split())


def test_of_five_ribbons_or_more_the_seat_chooses_which_it_shows() -> None:
    five = declarations(["1R", "2R", "3R", "4R", "11R", "1x", "2x"])
    assert list(five) == [f"declare:aka:{ribbon}" for ribbon in ("1R", "2R", "3R", "4R", "11R")]
    assert five["declare:aka:11R"].shown == {"11R", "1x", "2x"}
    assert five["declare:aka:2R"].shown == {"2R", "1x", "2x"}
    six = declarations(["1R", "2R", "3R", "4R", "5R", "10R", "1x"])
    assert list(six)[:3] == ["declare:aka:1R,2R", "declare:aka:1R,3R", "declare:aka:1R,4R"]
    assert len(six) == comb(6, 2)
    assert len(declarations(["1R", "2R", "3R", "4R", "5R", "10R", "11R"])) == comb(7, 3)


# The source's table of ratios: one hand in so many, but for 手四 with 空素, where it prints 49086.1. A dash cannot be.
RATIOS = """
-                  1.35195 16.7934 30.4979 34.3102 69.8945 89.0634
sanbon             18.2894 351.559 539.218 628.020 767.257 2101.29
tatesanbon         49.1821 777.662 1340.27 1390.07 12471.0 7052.59
kuttsuki           49.9842 732.540 1395.60 1570.05 3078.65 5417.89
teshi              620.651 95871.2 41318.2 46483.0 30003.7 49086.0
haneken            868.226 17631.5 31344.9 35263.0 60450.8 181800
ichinishi          2472.77 511313 151500 170438 128722 272700
shiso              147258 - 8181008 9203634 7362907 73629072
futasanbon         3737.14 114687 146089 175307 149653 -
sanbon_tatesanbon  4483.02 107645 175307 186876 943962 920363
futatatesanbon     34182.5 645869 1115592 1115592 - -
"""


Likeness = tuple[object, ...]
Classes = dict[Likeness, tuple[int, list[str]]]


def likeness(hand: Sequence[str]) -> Likeness:
    """All that a reading of a hand can depend on, and its size."""
    groups = [of_month(month, hand) for month in range(1, 13)]
    sizes = tuple(sorted((len(group), len(group) == 3 and is_standing(group)) for group in groups if len(group) > 1))
    kinds = tuple(sum(card[-1] == kind for card in hand if month_of(card) != 11) for kind in "LAR")
    willow = frozenset(card for card in hand if month_of(card) == 11 and card not in CHAFF)
    return len(hand), sizes, kinds, willow


@pytest.fixture(scope="module")
def classes() -> Classes:
    """Every class of like hands of seven: how many there are, and one of them."""
    found: Classes = {likeness([]): (1, [])}
    for month in range(1, 13):
        cards = of_month(month, CARDS)
        longer: Classes = {}
        for count, hand in found.values():
            for size in range(min(4, 7 - len(hand)) + 1):
                for more in combinations(cards, size):
                    key = likeness([*hand, *more])
                    so_far, one = longer.get(key, (0, [*hand, *more]))
                    longer[key] = (so_far + count, one)
        found = longer
    return {key: row for key, row in found.items() if len(row[1]) == 7}


def test_all_hands_counted_are_the_table_of_the_source(classes: Classes) -> None:
    counts: dict[tuple[str | None, str | None], int] = {}
    for count, hand in classes.values():
        reading = dearest(hand) or Reading(None, None)
        counts[reading] = counts.get(reading, 0) + count
    assert sum(counts.values()) == ALL_HANDS
    expected: dict[tuple[str | None, str | None], str] = {}
    for line in RATIOS.split("\n")[1:-1]:
        number, *ratios = line.split()
        for poverty, ratio in zip((None, *POVERTY_KAN), ratios, strict=True):
            if ratio != "-":
                expected[None if number == "-" else number, poverty] = ratio
    assert set(counts) == set(expected)
    for parts, ratio in expected.items():
        digits = len(ratio.partition(".")[2])
        assert f"{ALL_HANDS / counts[parts]:.{digits}f}" == ratio, parts
    assert counts["sanbon", None] == 4_025_772, "5.467639 %; the source prints 5.467439"
    assert counts[None, "karasu"] == 826_704, "1.122796 %; the source prints 1.127796"


def test_hands_drawn_at_random_read_like_their_class(classes: Classes) -> None:
    rng = random.Random(88)
    for _ in range(5000):
        hand = rng.sample(CARDS, 7)
        assert readings(hand) == readings(classes[likeness(hand)][1]), hand
