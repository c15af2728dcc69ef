"""Cards: ids, texts, kinds, masks."""

import pytest

from core_ext import cards
from core_ext.errors import NotationError


def test_a_cards_id_is_its_place_in_the_month():
    assert [cards.card_text(card) for card in (0, 3, 29, 40, 44, 47)] == ["1L", "1y", "8A", "11L", "12L", "12z"]


def test_every_text_gives_its_id_back():
    assert [cards.parse_card(name) for name in cards.CARD_NAMES] == list(range(48))


def test_the_kinds_divide_the_deck_into_5_9_10_and_24():
    kinds = [cards.LIGHTS, cards.ANIMALS, cards.RIBBONS, cards.CHAFF]
    assert [len(kind) for kind in kinds] == [5, 9, 10, 24]
    assert sorted(card for kind in kinds for card in kind) == list(range(48))


def test_cards_are_written_from_a_mask_or_from_ids():
    assert cards.cards_text(0b1001) == "1L 1y"
    assert cards.cards_text((3, 0)) == "1y 1L"
    assert cards.mask_cards(cards.cards_mask((47, 0, 12))) == (0, 12, 47)


@pytest.mark.parametrize("text", ["", "1", "1A", "13x", "12A", "1l", " 1L", "01L"])
def test_a_text_that_is_no_card_is_refused(text):
    with pytest.raises(NotationError, match="not a card"):
        cards.parse_card(text)


@pytest.mark.parametrize("card", [-1, 48])
def test_an_id_that_is_no_card_is_refused(card):
    with pytest.raises(NotationError, match="no card has the id"):
        cards.card_text(card)
