"""Takes what brings it nearest to a yaku and its opponent no nearer; stops when going on is too dangerous.

It reads the general view and the variant's yaku table, knows no variant by name, keeps nothing in mind, needs no dice.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from arena.sdk import Action, Bot, Decision, parameter, run
from arena.wire import options_from_wire
from bots.greedy_rummy import RummyTable
from core_ext import yaku_under
from core_ext.cards import cards_mask

CHANCE = parameter("chance", 0.45)
"""The chance, roughly, that a card which is still missing will come."""
DENIAL = parameter("denial", 0.7)
"""What a yaku of the opponent's counts beside an own one."""
STOP_POINTS = parameter("stop_points", 7)
"""Points that are not put at risk again."""
LATE_TURNS = parameter("late_turns", 4)
"""With fewer turns left nothing is put at risk any more."""


class GreedyBot(Bot):
    """One step ahead: the action that is worth most at once."""

    max_matches = 256

    def choose(self, decision: Decision) -> Action:
        """The best action by the table's progress; of equal ones the first."""
        return max(decision.legal, key=judge(decision))


def judge(decision: Decision) -> Callable[[Action], float]:
    """What an action of the decision is worth, in points: by what lies on the table, a field or discards."""
    has_discards = any(zone.kind == "discard" for zone in decision.zones)
    return RummyTable(decision).worth if has_discards else Table(decision).worth


class Table:
    """One decision's table as the heuristics see it. Card sets are masks: bit = id."""

    def __init__(self, decision: Decision) -> None:
        self._decision = decision
        self._rows = rows_of(decision.variant, tuple(sorted(decision.observation.options.items())))
        seats = range(decision.observation.seats)
        self._own_pile = cards_mask(decision.pile)
        self._other_piles = [cards_mask(decision.pile_of(seat)) for seat in seats if seat != decision.seat]
        self._hand = cards_mask(decision.hand)
        self._field = cards_mask(decision.field)
        self._seen = self._own_pile | self._hand | self._field | sum(self._other_piles)
        self._before = self._balance(self._own_pile, 0)

    def worth(self, action: Action) -> float:
        """What an action is worth, in points."""
        word = action.word
        if word in ("stop", "koi"):
            return self._go_on() if word == "koi" else 0.0
        if word == "cancel":
            return -self._go_on()
        if word:
            return 1.0 if word in ("declare", "win") else 0.0
        played = 1 << action.card if action.card is not None else 0
        turned = self._decision.turned
        if action.card is None and turned is not None:
            played = 1 << turned
        if not action.takes:
            return -self._exposed(played)
        taken = played | cards_mask(action.takes)
        return self._balance(self._own_pile | taken, taken) - self._before

    def _balance(self, own_pile: int, gone: int) -> float:
        """How the piles stand when `own_pile` is the pile here and the cards `gone` cannot come to others any more."""
        others = sum(self._other_piles)
        value = progress(self._rows, own_pile, others)
        for pile in self._other_piles:
            value -= DENIAL * progress(self._rows, pile, own_pile | gone)
        return value

    def _exposed(self, card: int) -> float:
        """What it costs to lay a card on the field: somebody may take it, unless its month is in this hand."""
        month = 0b1111 << ((card.bit_length() - 1) & ~3)
        unseen = (month & ~self._seen).bit_count()
        if not unseen:
            return 0.0
        in_hand = (month & self._hand & ~card).bit_count()
        threat = max(self._gain(pile, card, self._own_pile) for pile in self._other_piles)
        loss = self._gain(self._own_pile, card, sum(self._other_piles))
        return unseen / (unseen + 2 + in_hand) * (DENIAL * threat + loss)

    def _gain(self, pile: int, card: int, gone: int) -> float:
        """What a card would add to a pile."""
        return progress(self._rows, pile | card, gone) - progress(self._rows, pile, gone)

    def _go_on(self) -> float:
        """Above 0 where it pays to go on after a yaku."""
        decision = self._decision
        turns = len(decision.hand)
        points = decision.counter("points", decision.seat)
        return 1.0 if turns >= LATE_TURNS and points < STOP_POINTS else -1.0


class Row(NamedTuple):
    """A row of the yaku table with its cards as masks."""

    cards: int
    must: int
    need: int
    points: int
    per_extra: int
    group: str


@lru_cache(maxsize=256)
def rows_of(variant: str, options: tuple[tuple[str, str], ...] = ()) -> tuple[Row, ...]:
    """The yaku that count under a match's options, given as on the wire: name and JSON text of what is changed."""
    return tuple(
        Row(cards_mask(row.cards), cards_mask(row.must), row.need, row.points, row.per_extra, row.group)
        for row in yaku_under(variant, options_from_wire(dict(options)))
    )


@lru_cache(maxsize=1 << 16)
def progress(rows: tuple[Row, ...], pile: int, gone: int) -> float:
    """What a pile is worth by the yaku it has and those it may still make without the cards that are gone."""
    groups: dict[str, float] = {}
    total = 0.0
    for row in rows:
        value = _value(row, pile, gone)
        if row.group:
            groups[row.group] = max(value, groups.get(row.group, 0.0))
        else:
            total += value
    return total + sum(groups.values())


def _value(row: Row, pile: int, gone: int) -> float:
    if row.must & gone:
        return 0.0
    have = (pile & row.cards).bit_count()
    missing = max(row.need - have, (row.must & ~pile).bit_count())
    if missing > (row.cards & ~pile & ~gone).bit_count():
        return 0.0
    if missing <= 0:
        return row.points + row.per_extra * (have - row.need)
    return row.points * CHANCE**missing


if __name__ == "__main__":
    run(GreedyBot())
