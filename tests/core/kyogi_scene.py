"""Deals of kyogi laid out for its reference."""

from collections.abc import Sequence

from reference_cards import CHAFF
from reference_kyogi import Deal
from reference_table import ArrangedTable, arranged_deck

PLAIN_CHAFF = sorted(CHAFF - {"11x"})  # 23, no rain among them

HANEKEN = "1L 1R 1x 2A 2R 3L 3R 4A"
OTHER_HANEKEN = "5A 5R 5x 6A 6R 7A 7R 8L"
LEFT_HAND = "4R 5A 5R 6A 6R 7A 8A 10x"
TESHI = "9A 9R 9x 9y 10A 10R 11L 12L"
PLAIN_HANDS = ("1L 2A 3L 4A 5A 6A 7A 8L", "1R 2R 3R 4R 5R 6R 7R 8A")
QUIET_FIELD = "1x 2x 3x 4x 9A 10A 11A 12L"
LIVELY_FIELD = "5A 5R 6A 7A 8L 8A 12x 12y"
FOUR_ON_THE_FIELD = "12L 12x 12y 12z 9A 10A 11A 11R"


def deal(
    hands: tuple[str, str], field: str = QUIET_FIELD, answers: Sequence[str] = (), dealer: int = 0, replay: bool = False
) -> tuple[ArrangedTable, Deal]:
    """A deal of February with what matters laid out."""
    deck = arranged_deck((8, hands[0]), (8, hands[1]), (8, field), (24, ""))
    table = ArrangedTable([deck], answers)
    table.deal(2, int(replay))
    table.dealer_is(dealer)
    return table, Deal(table, deck, dealer, replay)


def chaff(number: int) -> set[str]:
    return set(PLAIN_CHAFF[:number])
