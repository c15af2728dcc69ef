"""Cards as plain texts, for the reference rules: `1L` is the crane, `12x` the yellow paulownia chaff."""

from collections.abc import Collection, Iterable

_LETTERS = ("LRxy", "ARxy", "LRxy", "ARxy", "ARxy", "ARxy", "ARxy", "LAxy", "ARxy", "ARxy", "LARx", "Lxyz")

CARDS = tuple(f"{month}{letter}" for month, letters in enumerate(_LETTERS, 1) for letter in letters)
"""All 48 in id order."""

LIGHTS = frozenset(card for card in CARDS if card[-1] == "L")
ANIMALS = frozenset(card for card in CARDS if card[-1] == "A")
RIBBONS = frozenset(card for card in CARDS if card[-1] == "R")
CHAFF = frozenset(CARDS) - LIGHTS - ANIMALS - RIBBONS


def month_of(card: str) -> int:
    """The month of a card, 1 to 12."""
    return int(card[:-1])


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards in id order."""
    return sorted(cards, key=CARDS.index)


def of_month(month: int, cards: Iterable[str]) -> list[str]:
    """Those of the cards that belong to a month, in id order."""
    return in_order(card for card in cards if month_of(card) == month)


def pattern(hand: Iterable[str]) -> tuple[int, ...]:
    """How many cards of each month a hand holds, largest first: `(3, 2, 2, 1)`."""
    months = [month_of(card) for card in hand]
    return tuple(sorted((months.count(month) for month in set(months)), reverse=True))


def has_four_of_a_month(cards: Collection[str]) -> bool:
    """Whether all four cards of some month are there."""
    return bool(cards) and pattern(cards)[0] == 4


def landings(card: str, field: Iterable[str]) -> list[tuple[str, ...]]:
    """What the card may take when it goes to the field: nothing, the one, either of two, or all three."""
    there = of_month(month_of(card), field)
    return [(taken,) for taken in there] if len(there) == 2 else [tuple(there)]


def play_text(card: str, taken: Collection[str]) -> str:
    """The action of playing a hand card: `1R`, `1R*1x`, `1R*1L,1x,1y`."""
    return f"{card}*{','.join(in_order(taken))}" if taken else card


def turn_text(taken: Collection[str]) -> str:
    """The action of choosing what the turned card takes: `*5x`."""
    return "*" + ",".join(in_order(taken))


def plays(hand: Iterable[str], field: Collection[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Every way to play a hand card, by its action text and in the order of the actions: the card and what it takes."""
    return {play_text(card, taken): (card, taken) for card in in_order(hand) for taken in landings(card, field)}


def placing(results: list[int]) -> list[int]:
    """1 for the best; equal seats share the better place."""
    return [1 + sum(other > own for other in results) for own in results]
