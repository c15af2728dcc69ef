from collections.abc import Iterable
from typing import NamedTuple

from arena.strength.network import Network
from core_ext.state import State

class Chance(NamedTuple):
    """A chance event of a match: cards that were dealt, or one that was turned or drawn.

    ``decision`` is the number of the decision by which it came, from 1; of dealt cards that of the one before, or 0.
    ``luck`` is by seat what it brought beyond the mean of all that could have come, less the mean of the other seats',
    in the unit of balances.
    """

    decision: int
    is_deal: bool
    luck: tuple[float, ...]

def match_luck(
    state: State,
    codes: Iterable[int],
    network: Network,
    seed: int,
    card_pairs: int = 4,
    deal_playouts: int = 200,
    heat: int = 256,
    most: int | None = None,
) -> list[Chance]:
    """The chance events of a match that begins with a state dealt from a seed, and has these actions, in their order.

    Each turned card is compared with every other that could have come by so many pairs of playouts, dealt cards with
    others by so many. What a playout brings a seat counts up to `most`, in the unit of balances. The same seed gives
    the same numbers, and measures a month's deal by the same dice, whatever came before. IllegalActionError.
    """
