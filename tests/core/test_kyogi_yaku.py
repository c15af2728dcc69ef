"""Every row of kyogi's yaku table, by what a pile with its cards is worth, and every dealt hand."""

import random

import pytest
import reference_kyogi
from koikoi_scene import deal_end, play, scored
from matching_scene import pile_points, scene
from reference_cards import CARDS

from core_ext import variant_info

ROWS = {
    "goko": ("1L 3L 8L 11L 12L", 24),
    "otori": ("1L 2A 4A 8A 11A 12L", 18),
    "shiko": ("1L 3L 8L 12L", 16),
    "goun": ("2A 5A 6A 7A 9A", 15),
    "ameshiko": ("3L 8L 11L 12L", 9),
    "akatan": ("1R 2R 3R", 7),
    "aotan": ("6R 9R 10R", 7),
    "kotori": ("2A 4A 8A 11A", 7),
    "inoshikacho": ("6A 7A 10A", 6),
    "teppo": ("3L 8L 9A", 6),
    "sanko": ("1L 8L 12L", 6),
    "kusa": ("4R 5R 7R", 5),
    "omote_sugawara": ("1L 2A 3L", 4),
    "tsukimi": ("8L 9A", 2),
    "hanami": ("3L 9A", 2),
    "tane": ("2A 4A 5A 6A 10A", 1),
    "tan": ("1R 2R 4R 5R 6R", 1),
    "kasu": ("1x 1y 2x 2y 3x 3y 4x 4y 5x 5y", 1),
}
BESIDE = {"otori": 1, "goun": 1}
"""What the five animals in these sets pay as tane."""


@pytest.mark.parametrize("name", ROWS)
def test_r7_a_row_needs_all_its_cards_and_pays_its_points(name):
    pile, points = ROWS[name]
    cards = pile.split()
    beside = BESIDE["goun"] if name == "goun" else 0
    assert pile_points("kyogi", pile) == points + beside
    for card in cards:
        assert pile_points("kyogi", " ".join(other for other in cards if other != card)) < points


def test_the_table_has_these_rows():
    assert {row.id: row.points for row in variant_info("kyogi").yaku} == {name: row[1] for name, row in ROWS.items()}


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        pytest.param("1L 8L 11L", 0, id="two dry lights and the rain man"),
        pytest.param("3L 8L 12L", 6, id="sanko of other lights"),
        pytest.param("1L 3L 8L 12L", 16, id="shiko alone, not sanko too"),
        pytest.param("2A 4A 8A 11A", 7, id="kotori alone"),
        pytest.param("1L 2A 4A 8A 11A 12L 5A", 19, id="otori in place of kotori, beside tane"),
        pytest.param("3L 8L 9A", 6, id="teppo in place of both cups"),
        pytest.param("1L 2A 3L 8L", 10, id="omote_sugawara and sanko add up"),
        pytest.param("1R 2R 3R 4R 5R 7R", 14, id="akatan, kusa and tan add up"),
        pytest.param("1x 1y 2x 2y 3x 3y 4x 4y 5x 9A", 1, id="nine chaff and the cup"),
        pytest.param("1x 1y 2x 2y 3x 3y 4x 4y 5x 5y 9A", 2, id="ten chaff and the cup"),
        pytest.param("2A 4A 5A 6A 9A", 1, id="the cup is an animal too"),
        pytest.param("3L 9A 11x", 0, id="hanami in the rain"),
        pytest.param("8L 9A 11A", 0, id="tsukimi in the rain"),
        pytest.param("3L 8L 9A 11R", 0, id="teppo in the rain"),
        pytest.param("3L 8L 9A 11R 11x 1L", 12, id="teppo and sanko after the sunrise"),
        pytest.param("8L 9A 11L 1L", 2, id="tsukimi after the sunrise"),
    ],
)
def test_a_pile_pays_the_sum_of_its_rows(pile, points):
    assert pile_points("kyogi", pile) == points


def test_random_piles_are_worth_what_the_reference_says():
    rng = random.Random(48)
    for _ in range(300):
        pile = rng.sample(CARDS, rng.randint(0, 32))
        assert pile_points("kyogi", " ".join(pile)) == sum(reference_kyogi.yaku(pile).values())


HANDS = {
    "haneken": ("1R 1x 1y 2R 2x 3R 3x 4x", 3),
    "teshi": ("1L 1R 1x 1y 2R 3R 4x 5x", 6),
    "futasanbon": ("1R 1x 1y 2R 2x 2y 3R 4x", 9),
    "kuttsuki": ("1R 1x 2R 2x 3R 3x 4R 4x", 10),
    "futasanbon_kuttsuki": ("1R 1x 1y 2R 2x 2y 3R 3x", 20),
    "teshi_kuttsuki": ("1L 1R 1x 1y 2R 2x 3R 3x", 40),
    "shiso": ("1L 1R 1x 1y 2R 2x 2y 3R", 45),
    "futateshi": ("1L 1R 1x 1y 2A 2R 2x 2y", 360),
}
PLAIN = "7R 7x 8x 9x 10x 11x 12x 6x"
FIELD = "5A 6A 7A 8A 9A 10A 11A 12y"


@pytest.mark.parametrize("name", HANDS)
def test_a_declared_hand_wins_the_month_and_its_points(name):
    hand, points = HANDS[name]
    state = scene("kyogi", hand, PLAIN, FIELD)
    assert (state.current_player, state.legal_texts()) == (0, ["pass", "declare"])
    play(state, "declare")
    assert deal_end(state) == ("declare", 0, (points, 0))
    assert scored(state) == [(name, points)]


def test_four_and_a_pair_are_teshi_too():
    state = play(scene("kyogi", "1L 1R 1x 1y 2R 2x 3R 4x", PLAIN, FIELD), "declare")
    assert scored(state) == [("teshi", 6)]


@pytest.mark.parametrize(
    "hand", ["1R 1x 1y 2R 2x 3R 4x 5x", "1R 1x 2R 2x 3R 3x 4x 5x", "1R 2R 3R 4R 5R 6R 7y 8R"[:-3] + " 8y"]
)
def test_other_patterns_are_no_dealt_hands(hand):
    assert scene("kyogi", hand, PLAIN, FIELD).observation(0).phase == "play"
