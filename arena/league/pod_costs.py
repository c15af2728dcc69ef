"""What each possible pod of a few bots costs, as one integer."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.league.pairing import DOWN, LEVEL, UP, Contender, place_values

WINDOW = 30
"""How many bots are searched together at most."""

Ints = npt.NDArray[np.int64]
Group = tuple[int, ...]

_WEIGHT_BITS = 62
_UNITS_OF_A_SIZE, _UNITS_OF_A_GROUP = 20_000, 80
_BINOMIALS = np.array([[comb(index, size) for index in range(WINDOW)] for size in range(5)], dtype=np.int64)


class Cost(NamedTuple):
    """What pods cost; the lesser tuple is the better pairing (the lot apart)."""

    earlier_byes: int = 0
    earlier_short: int = 0
    repeats: int = 0
    bye_scores: int = 0
    spread: int = 0
    repeated_floats: int = 0

    @classmethod
    def total(cls, costs: Iterable["Cost"]) -> "Cost":
        """The cost of all together."""
        return cls(*map(sum, zip(*costs, strict=True)))


def group_cost(bots: Sequence[Contender], usual: int) -> Cost:
    """What a pod costs, or a bye, which is a group of one."""
    if len(bots) == 1:
        return Cost(bots[0].byes ** 2, 0, 0, bots[0].score, 0, bots[0].floated == DOWN)
    scores = [bot.score for bot in bots]
    return Cost(
        0,
        0 if len(bots) == usual else sum(bot.short**2 for bot in bots),
        sum(bot.met.get(opponent.name, 0) ** 2 for bot, opponent in combinations(bots, 2)),
        0,
        max(scores) - min(scores),
        sum(bot.floated != LEVEL and bot.floated == floated(bot.score, scores) for bot in bots),
    )


def floated(score: int, scores: Sequence[int]) -> int:
    """Which way a bot of this score floats in a pod of these scores, its own among them."""
    others = len(scores) - 1
    if 2 * sum(compared < score for compared in scores) > others:
        return DOWN
    return UP if 2 * sum(compared > score for compared in scores) > others else LEVEL


class PodCosts:
    """The costs of all groups of up to `WINDOW` bots in order of score.

    A group is the indexes of a pod's bots in ascending order, or that of a bot that sits out. `sizes` are those of the
    groups to seat, `usual` that of the division's pods. The six terms of `Cost` are the digits of one integer, the
    scores of byes counted from the lowest, so that sums over groups compare as the terms do in order.
    """

    def __init__(self, bots: Sequence[Contender], sizes: Sequence[int], usual: int) -> None:
        self.sizes = tuple(sizes)
        terms = {size: _terms(bots, size, usual) for size in sorted(set(sizes))}
        highest = [max(int(term[:, column].max()) for term in terms.values()) for column in range(6)]
        values = np.array(place_values(highest, len(sizes), _WEIGHT_BITS), dtype=np.int64)
        self.of_size: dict[int, Ints] = {size: term @ values for size, term in terms.items()}

    @staticmethod
    def units(bots: int, sizes: Sequence[int]) -> int:
        """What the costs of these groups take to count, in the units of a search's budget."""
        return sum(_UNITS_OF_A_SIZE + _UNITS_OF_A_GROUP * comb(bots, size) for size in set(sizes))

    def total(self, groups: Sequence[Group]) -> int:
        """What the groups cost together."""
        return sum(int(self.of_size[len(group)][rank(np.array(group))]) for group in groups)


def _terms(bots: Sequence[Contender], size: int, usual: int) -> Ints:
    """Return the six terms of every group of a size, by `rank`."""
    groups = subsets(len(bots), size)
    score, floated, byes, short = (
        np.array([getattr(bot, key) for bot in bots], dtype=np.int64)[groups]
        for key in ("score", "floated", "byes", "short")
    )
    nothing = np.zeros(len(groups), dtype=np.int64)
    if size == 1:
        column = [byes[:, 0] ** 2, nothing, nothing, score[:, 0] - score.min(), nothing, floated[:, 0] == DOWN]
        return np.stack(column, axis=1).astype(np.int64)
    met = np.array([[bot.met.get(opponent.name, 0) for opponent in bots] for bot in bots], dtype=np.int64)
    repeats = nothing.copy()
    for first, second in combinations(range(size), 2):
        repeats += met[groups[:, first], groups[:, second]] ** 2
    below = (score[:, :, None] > score[:, None, :]).sum(axis=2)
    above = (score[:, :, None] < score[:, None, :]).sum(axis=2)
    again = ((2 * below >= size) & (floated == DOWN)) | ((2 * above >= size) & (floated == UP))
    odd = nothing if size == usual else (short**2).sum(axis=1)
    spread = score.max(axis=1) - score.min(axis=1)
    return np.stack([nothing, odd, repeats, nothing, spread, again.sum(axis=1)], axis=1)


def rank(groups: npt.NDArray[np.integer]) -> Ints:
    """The place of groups (indexes ascending along the last axis) among all of their size."""
    ranks = np.zeros(groups.shape[:-1], dtype=np.int64)
    for column in range(groups.shape[-1]):
        ranks += _BINOMIALS[column + 1][groups[..., column]]
    return ranks


@cache
def subsets(bots: int, size: int) -> Ints:
    """All groups of a size, by `rank`."""
    groups = np.array(list(combinations(range(bots), size)), dtype=np.int64).reshape(-1, size)
    return groups[np.argsort(rank(groups))]
