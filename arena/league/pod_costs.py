"""What each possible pod of a few bots costs, as one integer, and what no pods of them can cost less than."""

import math
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from math import comb

import numpy as np
import numpy.typing as npt

from arena.league.errors import PairingError
from arena.league.pairing import DOWN, UP, Contender

WINDOW = 30
"""How many bots are searched together at most."""

Ints = npt.NDArray[np.int64]
Group = tuple[int, ...]

_WEIGHT_BITS = 62
_BINOMIALS = np.array([[comb(index, size) for index in range(WINDOW)] for size in range(5)], dtype=np.int64)


class PodCosts:
    """The costs of all groups of up to `WINDOW` bots in order of score.

    A group is the indexes of a pod's bots in ascending order, or that of a bot that sits out. `sizes` are those of the
    groups to seat, `usual` that of the division's pods. The six terms of `arena.league.pods.Cost` are the digits of
    one integer, the scores of byes counted from the lowest, so that sums over groups compare as the terms do in order.
    """

    def __init__(self, bots: Sequence[Contender], sizes: Sequence[int], usual: int) -> None:
        self.sizes = tuple(sizes)
        self.scores = [bot.score for bot in bots]
        self.short = [bot.short**2 for bot in bots]
        self.usual = usual
        terms = {size: _terms(bots, size, usual) for size in sorted(set(sizes))}
        radices = [max(int(term[:, column].max()) for term in terms.values()) * len(sizes) + 1 for column in range(6)]
        if math.prod(radices).bit_length() > _WEIGHT_BITS:
            raise PairingError("the scores or meetings of these bots are too large for exact weights")
        units = [math.prod(radices[column + 1 :]) for column in range(6)]
        self.short_unit, self.spread_unit = units[1], units[4]
        self.of_size: dict[int, Ints] = {size: term @ np.array(units, dtype=np.int64) for size, term in terms.items()}
        self.least = sum(unit * term for unit, term in zip(units, self._least_terms(bots), strict=True))

    def total(self, groups: Sequence[Group]) -> int:
        """What the groups cost together."""
        return sum(int(self.of_size[len(group)][rank(np.array(group))]) for group in groups)

    def _least_terms(self, bots: Sequence[Contender]) -> tuple[int, ...]:
        """Less than these terms, in order, no groups cost: the byes that cost least, and the gaps between the rest."""
        ranked = sorted(bots, key=lambda bot: (bot.byes, bot.score))
        sitting, seated = ranked[: self.sizes.count(1)], ranked[self.sizes.count(1) :]
        pods = [size for size in self.sizes if size > 1]
        return (
            sum(bot.byes**2 for bot in sitting),
            sum(sorted(self.short)[: sum(size for size in pods if size != self.usual)]),
            0,
            sum(bot.score - min(self.scores) for bot in sitting),
            least_spread([bot.score for bot in seated], pods),
            0,
        )


def _terms(bots: Sequence[Contender], size: int, usual: int) -> Ints:
    """The six terms of every group of a size, by `rank`."""
    groups = subsets(len(bots), size)
    score, floated, byes, short = (
        np.array([getattr(bot, key) for bot in bots], dtype=np.int64)[groups]
        for key in ("score", "floated", "byes", "short")
    )
    nothing = np.zeros(len(groups), dtype=np.int64)
    if size == 1:
        column = [byes[:, 0] ** 2, nothing, nothing, score[:, 0] - score.min(), nothing, floated[:, 0] == DOWN]
        return np.stack(column, axis=1).astype(np.int64)
    met = np.array([[one.met.get(other.name, 0) for other in bots] for one in bots], dtype=np.int64)
    repeats = nothing.copy()
    for one, other in combinations(range(size), 2):
        repeats += met[groups[:, one], groups[:, other]] ** 2
    below = (score[:, :, None] > score[:, None, :]).sum(axis=2)
    above = (score[:, :, None] < score[:, None, :]).sum(axis=2)
    again = ((2 * below >= size) & (floated == DOWN)) | ((2 * above >= size) & (floated == UP))
    odd = nothing if size == usual else (short**2).sum(axis=1)
    spread = score.max(axis=1) - score.min(axis=1)
    return np.stack([nothing, odd, repeats, nothing, spread, again.sum(axis=1)], axis=1)


def least_spread(scores: Sequence[int], sizes: Sequence[int]) -> int:
    """The least sum of spreads that pods of these sizes can have.

    Some pod must reach across a gap between two scores, unless the bots above it fill whole pods.
    """
    whole = whole_pods(sizes)
    gaps = enumerate(pairwise(sorted(scores, reverse=True)), start=1)
    return sum(above - below for count, (above, below) in gaps if count not in whole)


def whole_pods(sizes: Sequence[int]) -> set[int]:
    """The numbers of bots that fill some of these pods."""
    whole = {0}
    for size in sizes:
        whole |= {count + size for count in whole}
    return whole


def rank(groups: npt.NDArray[np.integer]) -> Ints:
    """The place of groups (indexes ascending along the last axis) among all of their size."""
    found = np.zeros(groups.shape[:-1], dtype=np.int64)
    for column in range(groups.shape[-1]):
        found += _BINOMIALS[column + 1][groups[..., column]]
    return found


@cache
def subsets(bots: int, size: int) -> Ints:
    """All groups of a size, by `rank`."""
    found = np.array(list(combinations(range(bots), size)), dtype=np.int64).reshape(-1, size)
    return found[np.argsort(rank(found))]
