"""What each legal action is worth to a seat, from what it knows alone."""

from msgspec import Struct

from arena.strength.expert import Search
from arena.strength.weights import load
from core_ext import Observation

PLAYOUTS = 4_000
"""Playouts of a decision."""


class Value(Struct, frozen=True):
    """What an action is worth: the mean of playouts to the end of the deal, on deals that the seat cannot tell apart.

    `margin` is what the deal brings beyond the others' mean, in the unit of balances; `chance` is that to win the
    match, of more than two seats that to lead after the deal. The errors are standard errors.
    """

    code: int
    playouts: int
    margin: float
    margin_error: float
    chance: float
    chance_error: float


def values(observation: Observation, playouts: int = PLAYOUTS, seed: int = 0, threads: int = 1) -> list[Value]:
    """What each legal action is worth, in their order, with as many playouts each. ObservationError."""
    search = Search(observation, load(observation.variant), seed)
    search.run(playouts, threads, cut=False)
    return [Value(*value) for value in search.values()]
