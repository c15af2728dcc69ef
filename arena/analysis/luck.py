"""Luck and play of a match apart: what the cards brought each seat, and what is left of its margin."""

from collections.abc import Sequence
from hashlib import sha256

from msgspec import Struct

from arena.analysis.weights import shipped
from arena.replays import ReplayRecord
from arena.replays.verify import start
from arena.strength.luck import Chance, Shares, match_luck
from core_ext import State, variant_info

LUCK_NAME = "policy-playouts/3"
"""How luck is worked out. Raise the number with every change after which a match may get other numbers."""
CARD_PAIRS = 4
"""Pairs of playouts that compare a card that came with each that could have come."""
DEAL_PLAYOUTS = 120
"""Playouts of dealt cards, and of others dealt anew."""
SHARES = {
    "koikoi": (Shares(0.5, 0.5),),
    "koikoi45": (Shares(0.6, 0.15), Shares(0.6, 0.15), Shares(0.2, 0.7)),
    "kyogi": (Shares(0.5, 0.9),),
    "hachihachi": (Shares(0.0, 0.82),),
    "sangohana": (Shares(0.0, 0.6),),
}
"""How much of each playout counts, by how often a seat has said koi. Fitted by `python -m benchmarks.luck_shares`."""


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

    Of a match that was not played to its end, the luck is that of the cards that had come. The numbers follow from the
    replay alone. Raises ReplayError, WeightsError, and CoreError where no match has these choices.
    """
    luck = match_luck_of(record)
    return tuple(SeatLuck(margin_of(record.results, seat), luck[seat]) for seat in range(len(luck)))


def match_luck_of(record: ReplayRecord) -> tuple[float, ...]:
    """By seat the luck of a match, in the unit of results, as `luck_of`."""
    return luck_by_seat(record.variant, len(record.results), chances_of(record))


def luck_by_seat(variant: str, seats: int, chances: Sequence[Chance]) -> tuple[float, ...]:
    """By seat the luck of these chance events together, in the unit of results."""
    unit = variant_info(variant).unit
    return tuple(sum(chance.luck[seat] for chance in chances) / unit for seat in range(seats))


def chances_of(record: ReplayRecord) -> tuple[Chance, ...]:
    """The chance events of a match, in the unit of balances."""
    state = start(record)
    state.apply_packed(record.packed, record.decisions)
    return luck_of_actions(record.variant, start(record), state.actions(), record.seed)


def luck_of_actions(variant: str, state: State, actions: Sequence[int], seed: bytes) -> tuple[Chance, ...]:
    """The chance events of a match with these actions, by its beginning and its seed.

    The dice of the playouts follow from the seed alone, which nobody knows while the match is played: so no bot can
    choose its actions to get dice that suit it.
    """
    dice = int.from_bytes(sha256(b"hanafuda-arena/luck/1\n" + seed).digest()[:8], "little")
    network = shipped(variant).network
    return tuple(match_luck(state, actions, network, dice, SHARES[variant], CARD_PAIRS, DEAL_PLAYOUTS))


def margin_of(results: Sequence[int], seat: int) -> float:
    """A seat's result less the mean of the others'."""
    return results[seat] - (sum(results) - results[seat]) / (len(results) - 1)
