"""The rungs between a random player and the expert: one policy at falling temperatures."""

from itertools import accumulate, pairwise
from math import log
from statistics import fmean

import numpy as np

from arena.strength.network import Network
from arena.strength.playouts import duel
from arena.strength.policy import HEAT_OF_BEST
from core_ext import State

LEVELS = 6
"""How many levels there are between `house:random` and `house:expert`."""
RANDOM = -1
"""The heat that stands for random play in a duel."""
_HEATS = tuple(round(2 ** (step / 2)) for step in range(4, 20))
"""Heats from the hottest on that are measured, each against the one before."""
_BOARDS = 400


def calibrated(network: Network, seed: int, boards: int = _BOARDS) -> tuple[int, ...]:
    """The heat of each level, such that each takes about the same share of the match points from the one below it.

    Neighbouring heats are measured against each other; their log odds are taken to add up. The policy's best action
    stands a step above the last level: no temperature leaves the expert, which is little stronger, a step of its own.
    """
    players = (RANDOM, *_HEATS, HEAT_OF_BEST)
    steps = [_log_odds(network, seed, boards, heat, below) for below, heat in pairwise(players)]
    strengths = list(accumulate(steps))
    wanted = [strengths[-1] * level / (LEVELS + 1) for level in range(1, LEVELS + 1)]
    heats = np.interp(wanted, np.maximum.accumulate(strengths[:-1]), np.log2(_HEATS))
    return tuple(round(2**heat) for heat in heats)


def _log_odds(network: Network, seed: int, boards: int, heat: int, below: int) -> float:
    """By how much a heat is stronger than another, from its share of the match points."""
    share = fmean(duel(State.new(network.variant), network, boards, seed, heat, below)[1])
    return log((share * boards + 1) / ((1 - share) * boards + 1))
