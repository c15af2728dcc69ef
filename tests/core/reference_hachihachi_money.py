"""Money in hachihachi: field kinds and multipliers, who pays whom, card points, the end of the year. All in 点."""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from reference_cards import ANIMALS, LIGHTS, RIBBONS

SEATS = 3
KAN = 12
START = 190 * KAN
RETURN = 200 * KAN
PAR = 88

SHO, DAI, ZETSU = range(3)
"""The kinds of field: 小場, 大場, 絶場. A bind (二代しばり) is DAI, ZETSU, or SHO for none."""

ZETSU_LIGHTS = frozenset({"11L", "12L"})
DAI_LIGHTS = frozenset({"1L", "3L", "8L"})

MULTIPLIER: dict[str, tuple[int | Fraction, ...]] = {
    "A": (1, 2, 4),
    "B": (1, 2, 3),
    "C": (1, Fraction(3, 2), 2),
    "D": (1, 2, 2),
    "E": (1, 1, 1),
    "F": (1, 1, 1),
}
ADDED_IN_F = (0, 1, 2)


class Rate(NamedTuple):
    """What a month's money is counted with: the menu of the match and the kind of field."""

    menu: str
    field: int

    def points(self, kan: int, yaku: int = 1) -> int:
        """So many 貫 for so many yaku; 0 yaku for 飛込み and 抜け, to which menu F adds nothing."""
        if self.menu == "F":
            kan += yaku * ADDED_IN_F[self.field]
        return self.times(KAN * kan)

    def times(self, points: int) -> int:
        """Points times the multiplier."""
        product = Fraction(points) * MULTIPLIER[self.menu][self.field]
        assert product.denominator == 1, f"{points} points in menu {self.menu} are no whole points"
        return int(product)


class Payment(NamedTuple):
    """Each seat but `to` owes it `points`; `alone` (法度, 下げ) pays for both of them."""

    to: int
    points: int
    alone: int | None = None


def field_kind(bind: int, field: Collection[str]) -> tuple[int, int]:
    """The month's kind and the bind it carries on, from the bind carried in and the cards dealt to the field."""
    zetsu = len(ZETSU_LIGHTS & set(field))
    dai = len(DAI_LIGHTS & set(field))
    if bind == ZETSU or zetsu:
        return ZETSU, ZETSU if zetsu == 2 else SHO
    if bind == DAI or dai:
        return DAI, DAI if dai >= 2 else SHO
    return SHO, SHO


def scores_of(payments: Iterable[Payment]) -> list[int]:
    """What the payments change in every seat's balance (R1: the third seat pays nothing where another pays for it)."""
    scores = [0] * SEATS
    for to, points, alone in payments:
        for seat in range(SEATS):
            if seat != to:
                scores[seat if alone is None else alone] -= points
                scores[to] += points
    return scores


def card_points(pile: Iterable[str]) -> int:
    """Light 20, animal 10, ribbon 5, chaff 1."""
    return sum(20 if c in LIGHTS else 10 if c in ANIMALS else 5 if c in RIBBONS else 1 for c in pile)


def difference_scores(points: Sequence[int], rate: Rate) -> list[int]:
    """What the card points pay: the differences from 88 times the multiplier, made even first where that is 1.5."""
    differences = [own - PAR for own in points]
    assert sum(differences) == 0, f"{points} are not the points of a whole deck"
    if MULTIPLIER[rate.menu][rate.field] == Fraction(3, 2):
        differences = made_even(differences)
    return [rate.times(difference) for difference in differences]


def made_even(differences: Sequence[int]) -> list[int]:
    """Each odd difference one point toward zero; the third seat takes up what moved."""
    odd = [seat for seat in range(SEATS) if differences[seat] % 2]
    if not odd:
        return list(differences)
    even = [d + (1 if d < 0 else -1) if d % 2 else d for d in differences]
    (third,) = set(range(SEATS)) - set(odd)
    even[third] -= sum(even)
    return even


def whole_kan(points: int) -> int:
    """Points cut to whole 貫 toward zero."""
    return points // KAN if points >= 0 else -(-points // KAN)


def year_result(balances: Sequence[int], pot: int, order: Sequence[int], shiso: int | None = None) -> list[int]:
    """The year in 貫, from the balances and the pot in 点; `order` is the last month's, `shiso` the seat of a 四三."""
    if shiso is None and len(set(balances)) == 1:
        return [0] * SEATS
    top = max(order, key=lambda seat: balances[seat]) if shiso is None else shiso
    takers = [seat for seat in order if balances[seat] == min(balances)] if shiso is None else [shiso]
    shared = list(balances)
    for taker in takers:
        shared[taker] += pot // len(takers)
    shared[top] += pot % len(takers)
    result = [whole_kan(balance - RETURN) for balance in shared]
    result[top] = 0
    result[top] = -sum(result)
    return result
