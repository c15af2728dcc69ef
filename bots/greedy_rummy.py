"""Greedy's judgement where hands are collected by drawing and discarding: a three of one kind and a five of another.

It reads the general view and the variant's hands (`Yaku.threes`), counts kinds instead of cards and knows no variant by
name. What it adds of its own: five chaff had better hold a pair of a month, and a discard had better help nobody.
Card sets are masks: bit = id.
"""

from collections.abc import Iterable
from functools import lru_cache
from math import exp
from typing import NamedTuple

from arena.sdk import Action, Decision
from core_ext import variant_info
from core_ext.cards import CHAFF, cards_mask

WIN = 100.0
"""What a hand that is complete is worth: more than any that is not."""
CARDS_A_TURN = 1.6
"""How many cards a seat may choose from in a turn of its own: the stock's, often a discard, and all to win with."""
MISSING_PAIR = 0.5
"""What five chaff without a pair so far are worth beside those with one."""
SECOND_BEST = 0.5
"""What a point of the other hands that may still come counts beside the best."""
HELP = 0.15
"""What it costs to discard a card of a kind that others are seen to collect, for each card of it that they show."""
LOOSE = 0.01
"""What parts chaff without a partner in its month from chaff with one, all else being equal."""

CHAFF_MASK = cards_mask(CHAFF)
Counts = tuple[int, ...]
"""How many cards there are of each kind."""


class RummyTable:
    """One decision's table: what each action is worth, in points."""

    def __init__(self, decision: Decision) -> None:
        self._kinds, self._hands = hands_of(decision.variant)
        seats = range(decision.observation.seats)
        self._hand = cards_mask(decision.hand)
        self._discards = decision.zone("discard").cards
        shown = [cards_mask(decision.zone("shown", seat).cards) for seat in seats if seat != decision.seat]
        self._shown = [sum((kind & cards).bit_count() for cards in shown) for kind in self._kinds]
        self._hidden = ~(self._hand | cards_mask(self._discards) | sum(shown))
        self._unseen = tuple([(kind & self._hidden).bit_count() for kind in self._kinds])
        self._turns = max(1.0, decision.stock / len(seats))
        self._cached: dict[tuple[Counts, bool], float] = {}

    def worth(self, action: Action) -> float:
        """What an action is worth."""
        if action.word == "win":
            return WIN
        if action.card is not None:
            return self._without(1 << action.card)
        if action.word == "take":
            taken = 1 << self._discards[0]
            return self._best_of(self._hand | taken, self._hand)
        if action.word == "draw":
            return self._drawn()
        return 0.0

    def _without(self, card: int) -> float:
        """The hand's worth without a card, less what that card may be worth to others."""
        number = next(number for number, kind in enumerate(self._kinds) if card & kind)
        is_loose = pairs(self._hand & ~card) == pairs(self._hand)
        return self._worth(self._hand & ~card) - HELP * self._shown[number] + LOOSE * is_loose

    def _drawn(self) -> float:
        """The worth after a draw from the stock and the best discard, on the average over what has not been seen."""
        worth = 0.0
        for kind, unseen in zip(self._kinds, self._unseen, strict=True):
            if unseen:
                drawn = self._hand | lowest(kind & self._hidden)
                worth += unseen * self._best_of(drawn, drawn)
        return worth / max(1, sum(self._unseen))

    def _best_of(self, cards: int, free: int) -> float:
        """The worth of eight cards after the best discard of one of the free ones."""
        best = 0.0
        for kind in self._kinds:
            chaff = free & kind
            if chaff:
                loose = chaff & ~partners(cards)
                best = max(best, self._worth(cards & ~lowest(loose or chaff)))
        return best

    def _worth(self, cards: int) -> float:
        """What seven cards may come to."""
        counts = tuple([(kind & cards).bit_count() for kind in self._kinds])
        key = counts, pairs(cards) > 0
        if key not in self._cached:
            self._cached[key] = prospects(self._hands, *key, self._unseen, self._turns)
        return self._cached[key]


class Hand(NamedTuple):
    """A way to a hand: the kind and number of its five, and the kind of its three."""

    points: int
    five: int
    need: int
    three: int
    is_chaff: bool
    """Whether the five are chaff."""


@lru_cache
def hands_of(variant: str) -> tuple[tuple[int, ...], tuple[Hand, ...]]:
    """The kinds of cards that a variant's hands are made of, and every way to one."""
    ways = [
        (row, cards_mask(row.cards), cards_mask(three)) for row in variant_info(variant).yaku for three in row.threes
    ]
    kinds = tuple(dict.fromkeys(kind for _, five, three in ways for kind in (five, three)))
    return kinds, tuple(
        Hand(row.points, kinds.index(five), row.need, kinds.index(three), five == CHAFF_MASK)
        for row, five, three in ways
    )


def prospects(hands: Iterable[Hand], counts: Counts, has_pair: bool, unseen: Counts, turns: float) -> float:
    """What seven cards may come to: the best hand in full, and a share of what the others promise."""
    pool = sum(unseen)
    best = total = 0.0
    for points, five, need, three, is_chaff in hands:
        waits = _wait(counts[five], need, unseen[five], pool) + _wait(counts[three], 3, unseen[three], pool)
        worth = points * exp(-waits / (CARDS_A_TURN * turns))
        if is_chaff and not has_pair:
            worth *= MISSING_PAIR
        best = max(best, worth)
        total += worth
    return best + SECOND_BEST * (total - best)


def _wait(count: int, need: int, unseen: int, pool: int) -> float:
    """How many cards have to be seen, on the average, for those that are missing to come."""
    missing = need - count
    if missing <= 0:
        return 0.0
    if missing > unseen:
        return float("inf")
    return sum([pool / (unseen - drawn) for drawn in range(missing)])


def partners(cards: int) -> int:
    """The chaff that has other chaff of its month beside it: in a month they have neighbouring ids."""
    chaff = cards & CHAFF_MASK
    return chaff & (chaff << 1 | chaff >> 1)


def pairs(cards: int) -> int:
    """How many chaff are of one month with another."""
    return partners(cards).bit_count()


def lowest(cards: int) -> int:
    """The first card of a set."""
    return cards & -cards
