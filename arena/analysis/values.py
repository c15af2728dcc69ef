"""What each legal action is worth to a seat, from what it knows alone."""

from arena.analysis.weights import shipped
from arena.strength.expert import ActionValue, Search
from core_ext import Observation

PLAYOUTS = 4_000
"""Playouts of a decision."""


def values(observation: Observation, playouts: int = PLAYOUTS, seed: int = 0, threads: int = 1) -> list[ActionValue]:
    """What each legal action is worth, in their order, with as many playouts each.

    The playouts go to the end of the deal, on deals that the seat cannot tell apart. Margins are in the unit of
    balances, errors are standard errors. Raises ObservationError.
    """
    search = Search(observation, shipped(observation.variant).network, seed)
    search.run(playouts, threads, cut=False)
    return search.values()
