"""The rungs between a random player and the expert: one policy at falling temperatures."""

from statistics import fmean

from arena.strength.network import Network
from arena.strength.playouts import HEAT_OF_BEST, duel
from core_ext import State

LEVELS = 6
"""How many levels there are between `house:random` and `house:expert`; the last takes the policy's best action."""
RANDOM = -1
"""The heat that stands for random play in a duel."""
_LOWEST, _HIGHEST = 2.0, 14.0
_BOARDS = 400


def calibrated(network: Network, seed: int, boards: int = _BOARDS) -> tuple[int, ...]:
    """The heat of each level, such that each takes about the same share of the match points from the one below it."""
    low, high = 0.5, 0.85
    for _ in range(7):
        share = (low + high) / 2
        heats = _climb(network, seed, boards, share)
        if len(heats) < LEVELS - 1:  # the steps are so high that the top was reached too early
            high = share
        elif _share(network, seed, boards, HEAT_OF_BEST, heats[-1]) > share:
            low = share
        else:
            high = share
    heats = _climb(network, seed, boards, low)
    heats += [heats[-1]] * (LEVELS - 1 - len(heats))
    return (*heats, HEAT_OF_BEST)


def _climb(network: Network, seed: int, boards: int, share: float) -> list[int]:
    """Heats from the lowest on, each of which takes this share from the one before; fewer where the top is reached."""
    heats: list[int] = []
    below = RANDOM
    at = _LOWEST
    for _ in range(LEVELS - 1):
        low, high = at, _HIGHEST
        if _share(network, seed, boards, round(2**high), below) < share:
            break
        for _ in range(6):
            middle = (low + high) / 2
            if _share(network, seed, boards, round(2**middle), below) < share:
                low = middle
            else:
                high = middle
        at = high
        below = round(2**at)
        heats.append(below)
    return heats


def _share(network: Network, seed: int, boards: int, heat: int, below: int) -> float:
    """The share of the match points that a heat takes from another."""
    return fmean(duel(State.new(network.variant), network, boards, seed, heat, below)[1])
