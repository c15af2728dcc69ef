"""How many cards a seat lacks for a row of the yaku table."""

from collections.abc import Iterable
from typing import NamedTuple

from core_ext import Yaku

MAX_LACKING = 2
"""A row that lacks more than these is not near."""


class Goal(NamedTuple):
    """A row of the table with its cards as sets of bits; `spare` is how many of its cards may be out of reach."""

    cards: int
    must: int
    threes: tuple[int, ...]
    need: int
    spare: int


def goal_of(row: Yaku) -> Goal:
    """Return the row as a goal."""
    return Goal(bits(row.cards), bits(row.must), tuple(map(bits, row.threes)), row.need, len(row.cards) - row.need)


def bits(cards: Iterable[int]) -> int:
    """Return the cards as a set of bits."""
    return sum(map((1).__lshift__, cards))


def lacking(goal: Goal, cards: int, gone: int) -> int:
    """Count what the row lacks beside these `cards`; too many where it has none, or what it needs is `gone`."""
    has = (cards & goal.cards).bit_count()
    missing = max(goal.need - has, 0)
    if missing > MAX_LACKING:
        return missing
    if goal.threes:
        return missing + min(max(3 - (cards & three).bit_count(), 0) for three in goal.threes)
    if not has or gone & goal.must or (gone & goal.cards).bit_count() > goal.spare:
        return MAX_LACKING + 1
    return max(missing, (goal.must & ~cards).bit_count())
