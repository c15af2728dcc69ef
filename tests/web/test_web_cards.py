"""The cards: every one is there, small, and stands on its own."""

import re
from xml.etree import ElementTree

import pytest

from arena.web.cards import SYMBOLS, card_svg, deck, deck_css
from arena.web.cards.drawings import FACES
from arena.web.cards.sheet import contact_sheet
from core_ext.cards import CARD_NAMES

MAX_BYTES = 4096
SVG = "{http://www.w3.org/2000/svg}"


def references(svg: str) -> set[str]:
    return {use.attrib["href"].removeprefix("#") for use in ElementTree.fromstring(svg).iter(f"{SVG}use")}


def ids(svg: str) -> list[str]:
    return [element.attrib["id"] for element in ElementTree.fromstring(svg).iter() if "id" in element.attrib]


def test_every_card_of_the_rules_has_a_face_a_mark_and_there_are_two_backs() -> None:
    assert list(FACES) == list(CARD_NAMES)
    assert set(SYMBOLS) == {*CARD_NAMES, *(f"mark-{name}" for name in CARD_NAMES), "back", "back-red"}


def test_no_two_cards_look_the_same() -> None:
    assert len(set(FACES.values())) == len(CARD_NAMES)


@pytest.mark.parametrize("name", SYMBOLS)
def test_a_card_is_a_small_picture_that_needs_nothing_else(name: str) -> None:
    svg = card_svg(name)
    assert len(svg.encode()) <= MAX_BYTES
    assert references(svg) <= set(ids(svg))
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|style=|<script|<image|url\(", svg)


def test_the_deck_holds_each_card_once_and_all_that_they_use_and_the_stylesheet_has_a_place_for_each() -> None:
    cards = {*CARD_NAMES, "back", "back-red"}
    for svg in (deck(), deck(is_marked=True)):
        found = ids(svg)
        assert len(found) == len(set(found))
        assert references(svg) | cards == set(found)
    places = dict(re.findall(r"^\.card-([\w-]+)\{background-position:(.*)\}$", deck_css(), re.MULTILINE))
    assert set(places) == cards
    assert len(set(places.values())) == len(cards)


def test_ribbons_are_told_apart_by_shape_and_writing_alone() -> None:
    sorts = {name: re.findall(r"ribbon-(\w+)", FACES[name]) for name in CARD_NAMES if name.endswith("R")}
    assert sorts == {
        **{name: ["poem"] for name in ("1R", "2R", "3R")},
        **{name: ["red"] for name in ("4R", "5R", "7R", "11R")},
        **{name: ["blue"] for name in ("6R", "9R", "10R")},
    }


def test_the_contact_sheet_shows_all_at_three_sizes() -> None:
    tree = ElementTree.fromstring(contact_sheet())
    widths: dict[str, set[str]] = {}
    for use in tree.findall(f"{SVG}use"):
        widths.setdefault(use.attrib["href"].removeprefix("#"), set()).add(use.attrib["width"])
    assert {*CARD_NAMES, "back", "back-red"} <= set(widths)
    assert all(len(sizes) == 3 for sizes in widths.values())
