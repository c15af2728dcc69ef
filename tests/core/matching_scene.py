"""Deals of any two-seat matching game that are laid out for a test, and what a pile is worth."""

from dataclasses import replace

from reference_cards import CARDS
from reference_table import arranged_deck

from core_ext import State, Zone, variant_info
from core_ext.cards import cards_mask, mask_cards, parse_cards


def given(options: dict[str, object]) -> dict[str, object]:
    """``points__goko`` stands for the option ``points.goko``."""
    return {name.replace("__", "."): value for name, value in options.items()}


def scene(
    variant: str,
    first: str,
    second: str,
    field: str,
    stock: str = "",
    dealer: int = 0,
    month: int = 2,
    attempt: int = 0,
    **options: object,
) -> State:
    """A deal with these hands of seats 0 and 1, field and stock; what is not named is filled up in id order."""
    cards = CARDS[: variant_info(variant).cards]
    deck = arranged_deck((8, first), (8, second), (8, field), (len(cards) - 24, stock), cards=cards)
    return State.from_deck(variant, given(options), " ".join(deck), dealer, month, attempt)


def pile_points(variant: str, pile: str, **options: object) -> int:
    """What a pile is worth, asked of a finished match in which seat 0 holds it."""
    deck = variant_info(variant).cards
    view = State.new(variant, given(options), "piles").spectate()
    cards = tuple(sorted(parse_cards(pile)))
    rest = mask_cards(cards_mask(range(deck)) & ~cards_mask(cards))
    stock = deck - 8 - 32
    zones = (
        Zone("hand", 0, (), 0),
        Zone("hand", 1, (), 0),
        Zone("field", -1, rest[stock:], len(rest) - stock),
        Zone("pile", 0, cards, len(cards)),
        Zone("pile", 1, (), 0),
        Zone("stock", -1, (), stock),
    )
    played = tuple(event for event in view.events if event.kind in ("deal", "dealer"))
    view = replace(view, phase="over", turn=-1, zones=zones, events=played)
    found = State.from_observation(view, 1).spectate().counters
    return next(counter.value for counter in found if counter[:2] == ("points", 0))
