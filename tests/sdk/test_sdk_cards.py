"""The SDK's cards are those of the rules, known by name."""

import pytest

from arena.sdk import CARDS, card, cards
from core_ext.cards import card_text


def test_the_cards_are_those_of_the_rules_core() -> None:
    assert [one.text for one in CARDS] == [card_text(id_) for id_ in range(48)]
    assert [int(one) for one in CARDS] == list(range(48))


def test_there_are_five_lights_nine_animals_ten_ribbons_and_the_rest_is_chaff() -> None:
    kinds = [one.kind for one in CARDS]
    assert [kinds.count(kind) for kind in ("light", "animal", "ribbon", "chaff")] == [5, 9, 10, 24]


def test_a_card_is_its_id_and_knows_its_names() -> None:
    crane = card("1L")
    assert (crane, crane.month, crane.name, crane.japanese) == (0, 1, "crane (pine)", "松に鶴")
    assert card("12x").name == "yellow (paulownia)"
    assert cards("1R 2R 3R") == (1, 5, 9)


@pytest.mark.parametrize("text", ["", "13L", "1A", "L1", "1"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is no card"):
        card(text)
