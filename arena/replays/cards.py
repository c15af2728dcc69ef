"""Cards as short coloured text: the month's plant as one glyph, then the card as it is written everywhere, `松1L`."""

from collections.abc import Iterable

from rich.text import Text

from core_ext.cards import ANIMALS, LIGHTS, RIBBONS, card_text

PLANTS = "松梅桜藤菖牡萩芒菊楓柳桐"
"""One glyph a month."""
_STYLES = {
    card: style for cards, style in ((LIGHTS, "bold yellow"), (ANIMALS, "green"), (RIBBONS, "red")) for card in cards
}
_CHAFF = "dim"


def card(card: int) -> Text:
    """A card; its letter tells its kind where there is no colour."""
    return Text(f"{PLANTS[card // 4]}{card_text(card)}", style=_STYLES.get(card, _CHAFF))


def legend() -> Text:
    """What the letters of cards mean, each in its colour."""
    kinds = (("L", LIGHTS[0], "light"), ("A", ANIMALS[0], "animal"), ("R", RIBBONS[0], "ribbon"))
    text = Text("cards: plant, month, then ")
    for letter, example, name in kinds:
        text.append(letter, _STYLES[example]).append(f" {name}, ")
    return text.append("x y z", _CHAFF).append(" chaff")


def cards(cards: Iterable[int]) -> Text:
    """Cards in a row."""
    return Text(" ").join(map(card, cards))
