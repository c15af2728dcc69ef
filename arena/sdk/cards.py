"""The 48 cards: ids, texts, names."""

from collections.abc import Iterable
from typing import Final

MONTHS: Final = (
    ("pine", "松"),
    ("plum", "梅"),
    ("cherry", "桜"),
    ("wisteria", "藤"),
    ("iris", "菖蒲"),
    ("peony", "牡丹"),
    ("bush clover", "萩"),
    ("pampas", "芒"),
    ("chrysanthemum", "菊"),
    ("maple", "紅葉"),
    ("willow", "柳"),
    ("paulownia", "桐"),
)
"""English and Japanese names of the months' plants, from month 1."""

LIGHT: Final = "light"
ANIMAL: Final = "animal"
RIBBON: Final = "ribbon"
CHAFF: Final = "chaff"

_KINDS: Final = {"L": LIGHT, "A": ANIMAL, "R": RIBBON, "x": CHAFF, "y": CHAFF, "z": CHAFF}
_LETTERS: Final = ("LRxy", "ARxy", "LRxy", "ARxy", "ARxy", "ARxy", "ARxy", "LAxy", "ARxy", "ARxy", "LARx", "Lxyz")
_PICTURES: Final = {
    "1L": ("crane", "鶴"),
    "1R": ("red poem ribbon", "赤短"),
    "2A": ("bush warbler", "鶯"),
    "2R": ("red poem ribbon", "赤短"),
    "3L": ("curtain", "幕"),
    "3R": ("red poem ribbon", "赤短"),
    "4A": ("cuckoo", "不如帰"),
    "4R": ("plain red ribbon", "短冊"),
    "5A": ("eight-plank bridge", "八橋"),
    "5R": ("plain red ribbon", "短冊"),
    "6A": ("butterflies", "蝶"),
    "6R": ("blue ribbon", "青短"),
    "7A": ("boar", "猪"),
    "7R": ("plain red ribbon", "短冊"),
    "8L": ("full moon", "月"),
    "8A": ("geese", "雁"),
    "9A": ("sake cup", "盃"),
    "9R": ("blue ribbon", "青短"),
    "10A": ("deer", "鹿"),
    "10R": ("blue ribbon", "青短"),
    "11L": ("rain man", "小野道風"),
    "11A": ("swallow", "燕"),
    "11R": ("plain red ribbon", "短冊"),
    "12L": ("phoenix", "鳳凰"),
    "12x": ("yellow", "黄桐"),
}


class Card(int):
    """A card is its id, 0 to 47 (4 * (month - 1) + k), and can be used as that number."""

    month: int
    kind: str
    """`light`, `animal`, `ribbon` or `chaff`."""
    text: str
    """For example `1L`."""
    name: str
    """In English, for example `crane (pine)`."""
    japanese: str
    """In Japanese, for example `松に鶴`."""

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__


def _table() -> tuple[Card, ...]:
    cards = []
    for month, letters in enumerate(_LETTERS, 1):
        for k, letter in enumerate(letters):
            card = Card(4 * (month - 1) + k)
            plant, flower = MONTHS[month - 1]
            picture, drawing = _PICTURES.get(f"{month}{letter}", (CHAFF, "カス"))
            card.month, card.kind, card.text = month, _KINDS[letter], f"{month}{letter}"
            card.name, card.japanese = f"{picture} ({plant})", f"{flower}に{drawing}"
            cards.append(card)
    return tuple(cards)


CARDS: Final = _table()
"""Every card, by id."""
BY_TEXT: Final = {card.text: card for card in CARDS}
"""Every card, by its text."""


def card(text: str) -> Card:
    """The card of a text like `1R`. Raises ValueError."""
    try:
        return BY_TEXT[text]
    except KeyError:
        raise ValueError(f"{text!r} is no card") from None


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text like `1R 2R 3R`. Raises ValueError."""
    return tuple(map(card, text.split()))


def texts(hand: Iterable[int]) -> str:
    """The texts of cards, with spaces between them."""
    return " ".join(CARDS[id_].text for id_ in hand)
