"""Cards as markup. A page has hundreds of them, so they are written here and not by a template's macros."""

from collections.abc import Container, Iterable, Sequence
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

BACK = Markup('<span class="card card-back"></span>')
_STATES = {"": "", "shown": ", seen by all", "lacking": ", missing", "better": ", of the better move"}
"""What a card may be besides, and how that is said to those who do not see it."""


def _card(document: Any, card: int, *states: str) -> str:
    name, label = document["cards"][card], document["labels"][card] + "".join(_STATES[state] for state in states)
    classes = " ".join(filter(None, ("card", f"card-{name}", *states)))
    return f'<span class="{classes}" role="img" data-card="{card}" aria-label="{escape(label)}"></span>'


@pass_context
def fan(context: Context, cards: Sequence[int], shown: Container[int] = (), better: Container[int] = ()) -> Markup:
    """Return the cards in a row; `shown` are those that everybody has seen, `better` those of a better move."""
    doc = context["doc"]
    states = (("shown" if card in shown else "", "better" if card in better else "") for card in cards)
    return Markup("".join([_card(doc, card, *state) for card, state in zip(cards, states, strict=True)]))  # noqa: S704


@pass_context
def row(context: Context, cards: Iterable[dict[str, Any]]) -> Markup:
    """Return the cards of a yaku, as far as they are held."""
    doc = context["doc"]
    return Markup("".join([_card(doc, one["card"], "" if one["held"] else "lacking") for one in cards]))  # noqa: S704


def backs(count: int) -> Markup:
    """Return so many cards face down."""
    return BACK * count
