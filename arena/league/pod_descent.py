"""Good pods of a few bots, quickly: any three pods are seated anew in every way, until none can gain."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random

import numpy as np

from arena.league.budget import Budget
from arena.league.pod_costs import Group, Ints, PodCosts, rank, subsets

_SHAKEN = 4  # pods at a time
_UNITS_OF_A_MOVE = 6_000
"""What finding a move takes whatever it looks at, in the units of `Budget`: ways to seat a pod anew that are priced."""


def descend(costs: PodCosts, groups: Sequence[Group], shakes: int, random: Random, budget: Budget) -> list[Group]:
    """Return the best groups found from these on, of the same sizes in the same order.

    The best are shaken and descend again, until that has gained nothing `shakes` times in a row, or the budget is
    spent.
    """
    best = _descended(costs, groups, budget)
    vain = 0
    while vain < shakes and budget.remaining > 0:
        tried = _descended(costs, shaken(best, random), budget)
        vain += 1
        if costs.total(tried) < costs.total(best):
            best, vain = tried, 0
    return best


def shaken(groups: Sequence[Group], random: Random) -> list[Group]:
    """The groups with the bots of a few of them dealt anew."""
    improved = list(groups)
    chosen = random.sample(range(len(improved)), min(_SHAKEN, len(improved)))
    bots = [bot for place in chosen for bot in improved[place]]
    random.shuffle(bots)
    for place in chosen:
        improved[place] = tuple(sorted(bots.pop() for _ in improved[place]))
    return improved


def _descended(costs: PodCosts, groups: Sequence[Group], budget: Budget) -> list[Group]:
    """Seat anew those three groups that gain most (of fewer than three, all), until none gain."""
    shuffled = list(groups)
    moves = _moves(costs.sizes)
    units = sum(_UNITS_OF_A_MOVE + len(rows) * len(_splits(sizes)) * len(sizes) for sizes, rows in moves)
    while True:
        if not budget.spend(units):
            return shuffled
        best = min((_best_move(costs, shuffled, sizes, rows) for sizes, rows in moves), key=lambda move: move[0])
        change, places, seated = best
        if change == 0:
            return shuffled
        for place, group in zip(places, seated, strict=True):
            shuffled[place] = group


def _best_move(
    costs: PodCosts, groups: Sequence[Group], sizes: tuple[int, ...], rows: Ints
) -> tuple[int, Sequence[int], Sequence[Group]]:
    """Of the rows of places with groups of these sizes: the most that seating a row anew changes, the row, and how.

    The change is a number below 0, or 0 where nothing gains.
    """
    bots = np.sort(np.array([[bot for place in row for bot in groups[place]] for row in rows.tolist()]), axis=1)
    choices = [subsets(sum(sizes), size) for size in sizes]
    splits = _splits(sizes)
    totals = np.zeros((len(rows), len(splits)), dtype=np.int64)
    now = np.zeros(len(rows), dtype=np.int64)
    for column, (size, choice) in enumerate(zip(sizes, choices, strict=True)):
        totals += costs.of_size[size][rank(bots[:, choice])][:, splits[:, column]]
        now += costs.of_size[size][rank(np.array([groups[row[column]] for row in rows.tolist()]))]
    totals -= now[:, None]
    number, split = divmod(int(totals.argmin()), len(splits))
    seated = [tuple(bots[number, choice[place]].tolist()) for choice, place in zip(choices, splits[split], strict=True)]
    return int(totals[number, split]), rows[number].tolist(), seated


@cache
def _splits(sizes: tuple[int, ...]) -> Ints:
    """Return all splits of bots into groups of these ascending sizes, as the groups' ranks among all subsets."""
    partial: list[tuple[tuple[Group, ...], Group]] = [((), tuple(range(sum(sizes))))]
    for position, size in enumerate(sizes):
        # Groups of one size stand in the order of their first bots, so that no split comes twice.
        in_order = position > 0 and sizes[position - 1] == size
        partial = [
            ((*groups, group), tuple(bot for bot in free if bot not in group))
            for groups, free in partial
            for group in combinations(free, size)
            if not (in_order and group < groups[-1])
        ]
    return np.stack([rank(np.array([groups[column] for groups, _ in partial])) for column in range(len(sizes))], axis=1)


@cache
def _moves(sizes: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], Ints], ...]:
    """The places of any three groups, by their sizes in ascending order; of all groups, where there are fewer."""
    rows: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for places in combinations(sorted(range(len(sizes)), key=lambda place: sizes[place]), min(3, len(sizes))):
        rows.setdefault(tuple(sizes[place] for place in places), []).append(places)
    return tuple((key, np.array(row)) for key, row in rows.items())
