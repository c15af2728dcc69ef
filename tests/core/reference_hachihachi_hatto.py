"""法度 in hachihachi: which cards help another seat's yaku or 飛込み, and which plays are exempt."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from reference_cards import LIGHTS, month_of, of_month

SEATS = 3
TOBIKOMI = "tobikomi"
WATCHED = {
    "goko": LIGHTS,
    "shiko": LIGHTS - {"11L"},
    "akatan": frozenset({"1R", "2R", "3R"}),
    "aotan": frozenset({"6R", "9R", "10R"}),
    "inoshikacho": frozenset({"6A", "7A", "10A"}),
}
"""The yaku under 法度. 五光 stands in place of 四光 where a card would make both."""
KAN = {"goko": 20, "shiko": 12, "akatan": 7, "aotan": 7, "inoshikacho": 6, TOBIKOMI: 1}

Helped = dict[int, list[str]]
"""The seats that a card would help, and to what."""


class Sight(NamedTuple):
    """What 法度 is judged by, at the moment a seat plays a hand card: before the card is played."""

    player: int
    hand: Collection[str]
    field: Collection[str]
    piles: Sequence[Collection[str]]
    threes: Collection[tuple[int, int]]
    """(seat, month) of every declared three that can become a 飛込み."""


def helped(card: str, sight: Sight) -> Helped:
    """Whom the card helps if it is played now: nobody, unless it would stay on the field."""
    if of_month(month_of(card), sight.field):
        return {}
    found: Helped = {}
    for maker in range(SEATS):
        if maker != sight.player:
            yaku = [row for row in WATCHED if is_completed_by(card, row, sight.piles[maker], sight.piles)]
            if "goko" in yaku and "shiko" in yaku:
                yaku.remove("shiko")
            if (maker, month_of(card)) in sight.threes:
                yaku.append(TOBIKOMI)
            if yaku:
                found[maker] = yaku
    return found


def is_completed_by(card: str, row: str, pile: Collection[str], piles: Iterable[Collection[str]]) -> bool:
    """Whether the pile lacks exactly one card of the row, and this is it or its shadow (影札)."""
    missing = WATCHED[row] - set(pile)
    if len(missing) != 1:
        return False
    (lacking,) = missing
    if card == lacking:
        return True
    taken = {other for each in piles for other in of_month(month_of(lacking), each)}
    return month_of(card) == month_of(lacking) and len(taken - {card, lacking}) == 2


def kan_helped(to: Helped) -> int:
    """The 貫 on a plain field that a card helps to, all seats together."""
    return sum(KAN[row] for rows in to.values() for row in rows)


def is_exempt(card: str, sight: Sight) -> bool:
    """Whether playing this card costs nothing: it is the last, or all are 法度 and it is the right one of them."""
    if len(sight.hand) == 1:
        return True
    helps = {other: helped(other, sight) for other in sight.hand}
    if not all(helps.values()):
        return False
    least = min(kan_helped(to) for to in helps.values())
    right = [other for other in helps if kan_helped(helps[other]) == least]
    before = (sight.player - 1) % SEATS
    for_before = [other for other in right if before in helps[other]]
    return card in (for_before or right)


def threes_not_stopped(card: str, sight: Sight) -> list[tuple[int, int]]:
    """The declared threes of others that the seat could break with the fourth card now, and does not."""
    return [
        (maker, month)
        for maker, month in sight.threes
        if maker != sight.player
        and month != month_of(card)
        and of_month(month, sight.hand)
        and of_month(month, sight.field)
    ]
