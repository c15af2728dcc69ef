"""The dealt hands (手役) of hachihachi: seven cards in; readings, values and shown cards out."""

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import NamedTuple

from reference_cards import CHAFF, RIBBONS, in_order, month_of, of_month, pattern

NUMBER_KAN = {
    "sanbon": 2,
    "tatesanbon": 3,
    "kuttsuki": 4,
    "teshi": 6,
    "haneken": 7,
    "ichinishi": 9,
    "shiso": 40,
    "futasanbon": 8,
    "sanbon_tatesanbon": 9,
    "futatatesanbon": 10,
}
POVERTY_KAN = {"aka": 2, "tanichi": 3, "toichi": 3, "hikaichi": 4, "karasu": 4}
WITH_DIVES = {"sanbon", "tatesanbon", "haneken", "futasanbon", "sanbon_tatesanbon", "futatatesanbon"}
"""Hands whose threes can become a 飛込み."""
WITH_ESCAPE = {"aka", "tanichi", "toichi", "karasu"}
"""Hands that can become a 抜け."""
WILLOW = 11
HIDDEN_RIBBONS = 4
"""How many ribbons a seat may keep hidden in 赤."""


class Reading(NamedTuple):
    """A dealt hand: one of the number series, one of the poverty series, or one of each."""

    number: str | None
    poverty: str | None

    @property
    def rows(self) -> list[tuple[str, int]]:
        """Its parts and their 貫."""
        parts = {**NUMBER_KAN, **POVERTY_KAN}
        return [(part, parts[part]) for part in self if part is not None]

    @property
    def kan(self) -> int:
        """What it is worth on a plain field."""
        return sum(kan for _, kan in self.rows)


class Declaration(NamedTuple):
    """What a seat declares and shows."""

    reading: Reading
    shown: frozenset[str]


def groups(hand: Collection[str], size: int) -> list[tuple[str, ...]]:
    """The cards of each month of which the hand holds exactly `size`."""
    by_month = [tuple(of_month(month, hand)) for month in range(1, 13)]
    return [cards for cards in by_month if len(cards) == size]


def is_standing(three: Collection[str]) -> bool:
    """Whether a three is 立三本: of wisteria, iris or bush clover, or the three chaff of paulownia."""
    return {month_of(card) for card in three} <= {4, 5, 7} or set(three) == {"12x", "12y", "12z"}


def number_hand(hand: Collection[str]) -> str | None:
    """The hand's row of the number series."""
    standing = sum(is_standing(three) for three in groups(hand, 3))
    match pattern(hand):
        case (3, 1, 1, 1, 1) | (3, 2, 1, 1):
            return "tatesanbon" if standing else "sanbon"
        case (3, 3, 1):
            return ("futasanbon", "sanbon_tatesanbon", "futatatesanbon")[standing]
        case (2, 2, 2, 1):
            return "kuttsuki"
        case (4, 1, 1, 1):
            return "teshi"
        case (3, 2, 2):
            return "haneken"
        case (4, 2, 1):
            return "ichinishi"
        case (4, 3):
            return "shiso"
    return None


def poverty_hands(hand: Collection[str]) -> list[str]:
    """The rows of the poverty series that the hand can be read as; each willow card may be taken for chaff."""
    not_chaff = [card for card in hand if card not in CHAFF]
    willow = [card for card in not_chaff if month_of(card) == WILLOW]
    found = set()
    for size in range(len(willow) + 1):
        for as_chaff in combinations(willow, size):
            rest = [card for card in not_chaff if card not in as_chaff]
            if not rest:
                found.add("karasu")
            elif len(rest) == 1:
                found.add({"L": "hikaichi", "A": "toichi", "R": "tanichi"}[rest[0][-1]])
            elif all(card in RIBBONS for card in rest):
                found.add("aka")
    return [row for row in POVERTY_KAN if row in found]


def is_poor_as_it_is(hand: Collection[str]) -> bool:
    """Whether the hand is of the poverty series with its willow cards as the kinds that they are."""
    rest = [card for card in hand if card not in CHAFF]
    return len(rest) <= 1 or all(card in RIBBONS for card in rest)


def readings(hand: Collection[str]) -> list[Reading]:
    """Every reading of a hand, none for most. The number series is always in it (hachihachi R3).

    It may be alone where every reading by poverty takes a willow card for chaff (hachihachi R11).
    """
    number = number_hand(hand)
    poverty = poverty_hands(hand)
    alone = [Reading(number, None)] if number and not (poverty and is_poor_as_it_is(hand)) else []
    return alone + [Reading(number, row) for row in poverty]


def dearest(hand: Collection[str]) -> Reading | None:
    """The dearest reading; 空素 before 光一, which is worth the same and has no 抜け."""
    return max(reversed(readings(hand)), key=lambda reading: reading.kan, default=None)


def shown_by_number(hand: Collection[str], number: str | None) -> set[str]:
    """The cards that the number series has a seat show."""
    match number:
        case None:
            return set()
        case "kuttsuki":
            return set().union(*groups(hand, 2))
        case "teshi":
            return set().union(*groups(hand, 4))
        case "haneken" | "ichinishi" | "shiso":
            return set(hand)
    return set().union(*groups(hand, 3))


def shown_by_poverty(hand: Collection[str], poverty: str | None, ribbons: Iterable[str]) -> set[str]:
    """The cards that the poverty series has a seat show; `ribbons` are those it chose to show in 赤 (R9, R10)."""
    match poverty:
        case None:
            return set()
        case "aka":
            return {card for card in hand if card not in RIBBONS} | set(ribbons)
        case "karasu":
            return set(hand)
    kind = {"tanichi": "R", "toichi": "A", "hikaichi": "L"}[poverty]
    own = [card for card in hand if card[-1] == kind]
    hidden = min(own, key=lambda card: month_of(card) == WILLOW)
    return set(hand) - {hidden}


def declare(hand: Collection[str], reading: Reading, ribbons: Iterable[str] = ()) -> Declaration:
    """What a seat that declares this reading shows: the union of what both parts show."""
    by_poverty = shown_by_poverty(hand, reading.poverty, ribbons)
    return Declaration(reading, frozenset(shown_by_number(hand, reading.number) | by_poverty))


def declarations(hand: Collection[str]) -> dict[str, Declaration]:
    """Every way to declare the hand, by its action text and in the order of the actions."""
    found = readings(hand)
    ribbons = in_order(card for card in hand if card in RIBBONS)
    ways = {}
    for reading in found:
        if reading.poverty == "aka" and len(ribbons) > HIDDEN_RIBBONS:
            for chosen in combinations(ribbons, len(ribbons) - HIDDEN_RIBBONS):
                ways[f"declare:aka:{','.join(chosen)}"] = declare(hand, reading, chosen)
        else:
            name = f"declare:{reading.poverty or 'number'}" if len(found) > 1 else "declare"
            ways[name] = declare(hand, reading)
    return ways


def threes_for_dives(hand: Collection[str], reading: Reading) -> list[int]:
    """The months of the threes that can become a 飛込み once the hand is declared."""
    return [month_of(three[0]) for three in groups(hand, 3)] if reading.number in WITH_DIVES else []
