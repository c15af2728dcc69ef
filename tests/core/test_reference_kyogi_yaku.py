"""Kyogi's yaku, by its reference: every row, and what stands in place of what."""

import itertools
from math import factorial

import pytest
from kyogi_scene import chaff
from reference_cards import ANIMALS, CHAFF, LIGHTS, RIBBONS
from reference_kyogi import (
    DRY_LIGHTS,
    SETS,
    yaku,
)

ROWS = {
    "goko": ("1L 3L 8L 11L 12L", 24),
    "otori": ("1L 2A 4A 8A 11A 12L", 18),
    "shiko": ("1L 3L 8L 12L", 16),
    "goun": ("2A 5A 6A 7A 9A", 15),
    "ameshiko": ("1L 8L 11L 12L", 9),
    "akatan": ("1R 2R 3R", 7),
    "aotan": ("6R 9R 10R", 7),
    "kotori": ("2A 4A 8A 11A", 7),
    "inoshikacho": ("6A 7A 10A", 6),
    "teppo": ("3L 8L 9A", 6),
    "sanko": ("3L 8L 12L", 6),
    "kusa": ("4R 5R 7R", 5),
    "omote_sugawara": ("1L 2A 3L", 4),
    "tsukimi": ("8L 9A", 2),
    "hanami": ("3L 9A", 2),
    "tane": ("2A 4A 5A 6A 7A", 1),
    "tan": ("1R 2R 4R 5R 6R", 1),
    "kasu": ("1x 1y 2x 2y 3x 3y 4x 4y 5x 5y", 1),
}


@pytest.mark.parametrize(("name", "cards", "points"), [(name, *row) for name, row in ROWS.items()])
def test_a_yaku_needs_all_its_cards_and_pays_its_points(name: str, cards: str, points: int) -> None:
    pile = set(cards.split())
    assert yaku(pile)[name] == points
    for card in pile:
        assert name not in yaku(pile - {card})


def test_the_sets_of_the_lost_pictures_are_those_of_the_card_value_index_r7() -> None:
    """A card's figure is about its own worth and, for each set it is in, points / (cards in the set)!"""
    figures = {"2A": 1.29, "5A": 0.31, "6A": 1.31, "7A": 1.31, "10A": 1.18, "4A": 0.50, "8A": 0.50}
    figures |= dict.fromkeys(("1R", "2R", "3R", "6R", "9R", "10R"), 1.36) | dict.fromkeys(("4R", "5R", "7R"), 1.02)
    for card, figure in figures.items():
        own = 0.18 if card in ANIMALS else 0.19
        in_sets = sum(points / factorial(len(cards)) for cards, points in SETS.values() if card in cards)
        assert own + in_sets == pytest.approx(figure, abs=0.011), card


@pytest.mark.parametrize("three", [set(three) for three in itertools.combinations(sorted(DRY_LIGHTS), 3)])
def test_any_three_dry_lights_are_sanko_and_with_the_rain_man_ameshiko(three: set[str]) -> None:
    assert yaku(three)["sanko"] == 6
    assert yaku(three | {"11L"})["ameshiko"] == 9


def test_the_light_yaku_exclude_each_other() -> None:
    assert yaku(LIGHTS) == {"goko": 24}
    assert yaku(DRY_LIGHTS) == {"shiko": 16}
    assert yaku({"3L", "8L", "11L", "12L"}) == {"ameshiko": 9}


def test_the_rain_man_and_two_lights_are_nothing() -> None:
    assert yaku({"1L", "8L", "11L"}) == {}


def test_teppo_stands_in_place_of_both_cups_and_otori_in_place_of_kotori() -> None:
    assert yaku({"3L", "8L", "9A"}) == {"teppo": 6}
    assert yaku({"1L", "2A", "4A", "8A", "11A", "12L"}) == {"otori": 18}


def test_all_other_yaku_add_up() -> None:
    assert yaku({"2A", "5A", "6A", "7A", "9A"}) == {"goun": 15, "tane": 1}
    assert yaku({"1R", "2R", "3R", "6R", "9R", "10R"}) == {"akatan": 7, "aotan": 7, "tan": 2}
    assert yaku({"6A", "7A", "10A", "8A"}) == {"inoshikacho": 6}


@pytest.mark.parametrize(
    ("name", "cards", "most"), [("tane", ANIMALS, 5), ("tan", RIBBONS, 6), ("kasu", CHAFF | {"9A"}, 16)]
)
def test_a_count_pays_one_and_one_for_each_more(name: str, cards: set[str], most: int) -> None:
    assert yaku(cards)[name] == most


def test_the_sake_cup_is_an_animal_and_chaff_at_once() -> None:
    assert yaku(chaff(9) | {"9A", "2A", "4A", "5A", "6A"}) == {"tane": 1, "kasu": 1}
