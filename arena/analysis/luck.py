"""Luck and play of a match apart: what the cards brought each seat, and what is left of its margin."""

from msgspec import Struct

from arena.replays import ReplayRecord
from arena.replays.verify import start
from arena.strength.luck import Chance, match_luck
from arena.strength.weights import load
from core_ext import variant_info

CARD_PAIRS = 2
"""Pairs of playouts that compare a card that came with each that could have come."""
DEAL_PLAYOUTS = 100
"""Playouts of dealt cards, and of others dealt anew."""


class SeatLuck(Struct, frozen=True):
    """What a seat's margin is made of, in the unit of results: `margin` beyond the mean of the others, of it `luck`."""

    margin: float
    luck: float

    @property
    def play(self) -> float:
        """What is left: the margin with the luck taken out."""
        return self.margin - self.luck


def luck_of(record: ReplayRecord) -> tuple[SeatLuck, ...]:
    """By seat the margin of a match and the luck in it; the mean of the luck over matches is 0 for every bot.

    The numbers follow from the replay alone. Raises ReplayError, and CoreError where no match has these choices.
    """
    unit = variant_info(record.variant).unit
    chances = chances_of(record)
    seats = range(len(record.results))
    return tuple(
        SeatLuck(margin_of(record.results, seat), sum(chance.luck[seat] for chance in chances) / unit) for seat in seats
    )


def chances_of(record: ReplayRecord) -> tuple[Chance, ...]:
    """The chance events of a match, in the unit of balances."""
    state = start(record)
    state.apply_packed(record.packed, record.decisions)
    seed = int(record.running_hash[:16], 16)
    return tuple(match_luck(start(record), state.actions(), load(record.variant), seed, CARD_PAIRS, DEAL_PLAYOUTS))


def margin_of(results: tuple[int, ...], seat: int) -> float:
    """A seat's result less the mean of the others'."""
    return results[seat] - (sum(results) - results[seat]) / (len(results) - 1)
