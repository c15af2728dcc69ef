"""The 48 cards: ids, kinds and text. A card's id is ``4 * (month - 1) + k``; a set of cards is a mask, bit = id."""

from collections.abc import Iterable

from core_ext.errors import NotationError

MONTH_NAMES = (
    "pine",
    "plum",
    "cherry",
    "wisteria",
    "iris",
    "peony",
    "bush clover",
    "pampas",
    "chrysanthemum",
    "maple",
    "willow",
    "paulownia",
)

_LETTERS = ("LRxy", "ARxy", "LRxy", "ARxy", "ARxy", "ARxy", "ARxy", "LAxy", "ARxy", "ARxy", "LARx", "Lxyz")

CARD_NAMES = tuple(f"{month}{letter}" for month, letters in enumerate(_LETTERS, 1) for letter in letters)
"""The text of every card, by id."""

_IDS = {name: card for card, name in enumerate(CARD_NAMES)}

LIGHTS = tuple(card for name, card in _IDS.items() if name[-1] == "L")
DRY_LIGHTS = LIGHTS[:3] + LIGHTS[4:]
"""All but the rain man's."""
ANIMALS = tuple(card for name, card in _IDS.items() if name[-1] == "A")
RIBBONS = tuple(card for name, card in _IDS.items() if name[-1] == "R")
CHAFF = tuple(card for name, card in _IDS.items() if name[-1] in "xyz")


def card_text(card: int) -> str:
    """The text of a card: ``card_text(0) == "1L"``. NotationError when there is no such card."""
    if 0 <= card < len(CARD_NAMES):
        return CARD_NAMES[card]
    raise NotationError(f"no card has the id {card}; ids are 0 to {len(CARD_NAMES) - 1}")


def parse_card(text: str) -> int:
    """The id of a card: ``parse_card("1L") == 0``. NotationError when the text is no card."""
    try:
        return _IDS[text]
    except KeyError:
        raise NotationError(f"{text!r} is not a card; a card is written like 1L, 2A, 3R or 12x") from None


def parse_cards(text: str) -> tuple[int, ...]:
    """The ids of cards divided by spaces, in the order given."""
    return tuple(map(parse_card, text.split()))


def cards_text(cards: int | Iterable[int]) -> str:
    """The cards of a mask (in id order) or of ids (in the order given), divided by spaces."""
    return " ".join(map(card_text, mask_cards(cards) if isinstance(cards, int) else cards))


def cards_mask(cards: Iterable[int]) -> int:
    """The mask of some card ids."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def mask_cards(mask: int) -> tuple[int, ...]:
    """The card ids of a mask, ascending."""
    return tuple(card for card in range(mask.bit_length()) if mask >> card & 1)
