"""Every row of koikoi45's yaku table, by what a pile with its cards is worth."""

import random

import pytest
import reference_koikoi45
from matching_scene import given, pile_points

from core_ext import State, variant_info

TEN_CHAFF = "1x 1y 2x 2y 3x 3y 4x 4y 5x 5y"
EIGHT_CHAFF = "1x 1y 2x 2y 3x 3y 4x 4y"
FIVE_ANIMALS = "2A 4A 5A 6A 7A"
FIVE_RIBBONS = "1R 2R 4R 5R 6R"

ROWS = {
    "goko": ("1L 3L 8L 11L 12L", 10),
    "shiko": ("1L 3L 8L 12L", 8),
    "ameshiko": ("1L 8L 11L 12L", 7),
    "sanko": ("3L 8L 12L", 5),
    "tsukihanami": ("3L 8L 9A", 10),
    "hanami": ("3L 9A", 5),
    "tsukimi": ("8L 9A", 5),
    "inoshikacho": ("6A 7A 10A", 5),
    "akatan": ("1R 2R 3R", 5),
    "aotan": ("6R 9R 10R", 5),
    "tane": (FIVE_ANIMALS, 1),
    "tan": (FIVE_RIBBONS, 1),
    "kasu": (TEN_CHAFF, 1),
}


@pytest.mark.parametrize(("name", "pile", "points"), [(name, *row) for name, row in ROWS.items()])
def test_r1_a_row_needs_all_its_cards_pays_its_points_and_they_are_an_option(name, pile, points):
    assert pile_points("koikoi45", pile) == points
    assert pile_points("koikoi45", pile, **{f"points__{name}": 17}) == 17
    cards = pile.split()
    for card in cards:
        assert pile_points("koikoi45", " ".join(other for other in cards if other != card)) < points


def test_r1_the_table_has_these_rows_and_no_three_lights_with_the_rain_man():
    assert [row.id for row in variant_info("koikoi45").yaku] == list(ROWS)
    assert pile_points("koikoi45", "1L 8L 11L") == 0


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        pytest.param("1L 3L 12L", 5, id="sanko of other lights"),
        pytest.param("1L 3L 8L 11L", 7, id="ameshiko without the phoenix"),
        pytest.param(f"{FIVE_ANIMALS} 9A 11A", 3, id="tane, two more"),
        pytest.param(f"{FIVE_RIBBONS} 11R", 2, id="tan, one more"),
        pytest.param(f"{TEN_CHAFF} 11x", 2, id="kasu, one more"),
        pytest.param("1R 2R 3R 6R 9R 10R", 12, id="akatan, aotan and tan add up"),
        pytest.param("3L 9A 6A 7A 10A 2A", 11, id="hanami, inoshikacho and tane add up"),
    ],
)
def test_a_pile_pays_the_sum_of_its_rows(pile, points):
    assert pile_points("koikoi45", pile) == points


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        pytest.param(f"{EIGHT_CHAFF} 9A", 0, id="eight chaff and the cup are nine"),
        pytest.param(f"{EIGHT_CHAFF} 9A 12L", 1, id="ten with the phoenix"),
        pytest.param(f"{EIGHT_CHAFF} 9A 12L 1L 8L", 11, id="beside what else they are"),
    ],
)
def test_r1_the_cup_and_the_phoenix_are_a_chaff_each(pile, points):
    assert pile_points("koikoi45", pile) == points


def test_the_dearest_light_yaku_alone_counts_whatever_the_rows_cost():
    assert pile_points("koikoi45", "1L 3L 8L 12L", points__sanko=9) == 9
    assert pile_points("koikoi45", "1L 3L 8L 11L 12L", points__goko=1) == 8


def test_r1_a_row_whose_points_are_0_is_off_and_replaces_nothing():
    assert pile_points("koikoi45", "3L 8L 9A", points__tsukihanami=0) == 10
    assert pile_points("koikoi45", "3L 8L 9A", points__tsukihanami=0, points__hanami=0) == 5


def test_random_piles_are_worth_what_the_reference_says():
    rng = random.Random(45)
    for _ in range(300):
        options = {f"points__{name}": rng.choice([0, 1, 4, 9]) for name in ROWS if rng.random() < 0.5}
        pile = rng.sample(reference_koikoi45.DECK, rng.randint(0, 29))
        resolved = State.new("koikoi45", given(options)).options
        assert pile_points("koikoi45", " ".join(pile), **options) == sum(
            reference_koikoi45.yaku(pile, resolved).values()
        )
