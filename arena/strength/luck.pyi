from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.strength.network import Network
from core_ext.state import State

class Shares(NamedTuple):
    """How much of a playout counts: of what a stop at its first chance to stop would have brought, and of its end."""

    first_stop: float
    end: float

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
    shares: Sequence[Shares] | None = None,
    card_pairs: int = 4,
    deal_playouts: int = 200,
    heat: int = 256,
) -> list[Chance]:
    """The chance events of a match that begins with a state dealt from a seed, and has these actions, in their order.

    Each turned card is compared with every other that could have come by so many pairs of playouts, dealt cards with
    others by so many; playouts stop at the first chance after three koi. `shares`, at most 4, are by how often a seat
    has said koi before the event, the last for all that is more; by default the end of a playout counts whole. The same
    seed gives the same numbers, and measures a month's deal by the same dice, whatever came before. IllegalActionError.
    """
