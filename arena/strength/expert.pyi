from typing import NamedTuple, final

from arena.strength.network import Network
from core_ext.observation import Observation

MOST_WORLDS: int
"""So many worlds are counted, each of them, in place of sampling."""

class ActionValue(NamedTuple):
    """What a legal action is worth to the seat: by how many playouts, which end with the deal.

    ``margin`` is what the deal brings beyond the others' mean, in the variant's unit, and ``margin_error`` its standard
    error. ``chance`` is the chance to win the match (of more than two seats: how often the seat leads after the deal),
    ``chance_error`` its standard error.
    """

    code: int
    playouts: int
    margin: float
    margin_error: float
    chance: float
    chance_error: float

class Lead(NamedTuple):
    """By how much an action is ahead of another, on the same deals and dice, as ``ActionValue`` counts."""

    code: int
    margin: float
    margin_error: float
    chance: float
    chance_error: float

@final
class Search:
    """A search for one decision, from the observation alone: the same numbers on every machine.

    ``heat`` is 256 / temperature of the policy that plays on. ``by_chance`` is how much the chance to win the match
    counts, beside the margin. ``prior_weight`` is what the policy's logits count in the choice. An action that is
    behind the best by more than ``bar`` standard errors of their difference gets no more playouts; ``cut_weight`` is
    what the logits count in that: with few playouts much. ObservationError.

    Where in a matching game at most ``most_worlds`` deals fit what the seat knows, up to the order of cards that nobody
    turns before the deal ends, all are counted, with all that the policy may do: whatever the budget is, without error.
    """

    def __init__(
        self,
        observation: Observation,
        network: Network,
        seed: int,
        heat: int = 256,
        by_chance: float = 0.0,
        prior_weight: float = 0.0,
        cut_weight: float = 0.0,
        bar: float = 2.5,
        most_worlds: int = ...,
    ) -> None: ...
    def run(self, playouts: int, threads: int = 1, cut: bool = True) -> None:
        """Spend so many playouts, or a few less; every action gets equally many unless `cut`.

        Threads share the work and change nothing in the result.
        """

    @property
    def counts_worlds(self) -> bool:
        """Whether few enough worlds are left for `run` to count them."""

    @property
    def is_exact(self) -> bool:
        """Whether every world was counted; an observation by hand may fit none of them, which are sampled then."""

    def choice(self) -> int:
        """The code of the best action so far."""

    def values(self) -> list[ActionValue]:
        """What was found of each legal action, in their order."""

    def leads(self, code: int) -> list[Lead]:
        """By how much each legal action is ahead of this one, in their order; ValueError for one that is not legal."""

    @property
    def played(self) -> tuple[int, int]:
        """How many playouts were run, and how many decisions they took."""
