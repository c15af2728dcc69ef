"""Cards as markup. A page has hundreds of them, so they are written here and not by a template's macros."""

from collections.abc import Container, Iterable, Sequence
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from arena.web.language import Language, message

BACK = Markup('<span class="card card-back"></span>')
STATES = {
    "": "",
    "shown": message(", seen by all"),
    "lacking": message(", missing"),
    "better": message(", of the better move"),
}
"""What a card may be besides, and how that is said to those who do not see it."""


def _card(document: Any, language: Language, card: int, *states: str) -> str:
    label = document["labels"][card] + "".join(language.text(STATES[state]) for state in states)
    name = document["cards"][card]
    classes = " ".join(filter(None, ("card", f"card-{name}", *states)))
    return f'<span class="{classes}" role="img" data-card="{card}" aria-label="{escape(label)}"></span>'


@pass_context
def fan(context: Context, cards: Sequence[int], shown: Container[int] = (), better: Container[int] = ()) -> Markup:
    """Return the cards in a row; `shown` are those that everybody has seen, `better` those of a better move."""
    doc, language = context["doc"], context["language"]
    states = (("shown" if card in shown else "", "better" if card in better else "") for card in cards)
    drawn = [_card(doc, language, card, *state) for card, state in zip(cards, states, strict=True)]
    return Markup("".join(drawn))  # noqa: S704


@pass_context
def row(context: Context, cards: Iterable[dict[str, Any]]) -> Markup:
    """Return the cards of a yaku, as far as they are held."""
    doc, language = context["doc"], context["language"]
    return Markup("".join([_card(doc, language, card["card"], "" if card["held"] else "lacking") for card in cards]))  # noqa: S704


def backs(count: int) -> Markup:
    """Return so many cards face down."""
    return BACK * count
