"""The best pods of a few bots, proved: every cover of the bots by groups that could cost less than a known one.

Covers grow from the highest score down: the next group is one that takes the highest bot that is still free. A set of
bots that is covered in two ways is kept in the cheaper one, and a set is dropped when its cost, with the least that
the rest can add, reaches the known one's. What the rest adds at least is told in two ways: by the gaps between its
scores that no whole pods end at, and by the prices of its bots (`pod_prices`); pods of another size than the usual take
at least the bots that cost them least.

So the result is the optimum, unless more pairs of a set and a group came up for one bot than `most_pairs`. Then the
sets with the least bounds were kept, and the result is only the best that was seen.
"""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from arena.league.pod_costs import WINDOW, Group, Ints, PodCosts, subsets, whole_pods
from arena.league.pod_prices import bot_prices

# How many pairs of a set and a group are looked at together: what bounds the memory.
_PAIRS = 1_000_000


class _Sets(NamedTuple):
    """Covered sets of bots, one in each row: the pods used (`code`), the cost, and the least that covers of all cost.

    `priced` is that least by the prices of the bots, `bound` the larger of it and that by the gaps between scores.

    The set grew by `group` from row `row` of the sets in which `bot` was the highest that is free; where `bot` is -1
    it is the bots that sit out.
    """

    covered: Ints
    code: Ints
    cost: Ints
    priced: Ints
    bound: Ints
    bot: Ints
    row: Ints
    group: Ints

    def take(self, rows: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "_Sets":
        return _Sets(*(column[rows] for column in self))


class _Groups(NamedTuple):
    """The groups that a cover may take, pods and bots that sit out, one in each row.

    `cost` is the group's own; `left` is what the prices of its bots leave of it, beyond the least that they leave of
    any group of its size.
    """

    size: Ints
    first: Ints
    covers: Ints
    cost: Ints
    left: Ints

    def take(self, rows: npt.NDArray[np.bool_]) -> "_Groups":
        return _Groups(*(column[rows] for column in self))


class _Weighed(NamedTuple):
    """The groups, what every cover costs apart from them, and what it costs apart from what is left of them."""

    groups: _Groups
    settled: int
    priced: int


def better_cover(costs: PodCosts, known: int, most_pairs: int, price_steps: int) -> list[Group] | None:
    """The groups that cost least if that is less than `known`; None if nothing less was found."""
    weighed = _weigh(costs, known, price_steps)
    return None if weighed is None else _Cover(costs, weighed, known, most_pairs).best()


def _weigh(costs: PodCosts, known: int, price_steps: int) -> _Weighed | None:
    """The groups that a cover cheaper than `known` may take; None where there are too few for any."""
    sizes = sorted(set(costs.sizes))
    times = [costs.sizes.count(size) for size in sizes]
    of_usual, of_other, settled = _short_costs(costs)
    rows, cost = [], []
    for size, least in zip(sizes, times, strict=True):
        bots = subsets(len(costs.scores), size)
        own = costs.of_size[size] + (of_usual if size in (1, costs.usual) else of_other)[bots].sum(axis=1)
        cheap = settled + own < known
        if cheap.sum() < least:
            return None
        rows.append(bots[cheap])
        cost.append(own[cheap])
    prices = bot_prices(rows, cost, times, known - settled, costs.spread_unit, price_steps)
    left = [own - prices[bots].sum(axis=1) for own, bots in zip(cost, rows, strict=True)]
    least_left = [int(one.min()) for one in left]
    priced = settled + int(prices.sum()) + sum(one * count for one, count in zip(least_left, times, strict=True))
    groups = _Groups(
        size=np.concatenate([np.full(len(bots), size) for bots, size in zip(rows, sizes, strict=True)]),
        first=np.concatenate([bots[:, 0] for bots in rows]),
        covers=np.concatenate([(1 << bots).sum(axis=1) for bots in rows]),
        cost=np.concatenate(cost),
        left=np.concatenate([one - least for one, least in zip(left, least_left, strict=True)]),
    )
    return _Weighed(groups.take(priced + groups.left < known), settled, priced)


class _Cover:
    def __init__(self, costs: PodCosts, weighed: _Weighed, known: int, most_pairs: int) -> None:
        self.bots = len(costs.scores)
        self.known = known
        self.most_pairs = most_pairs
        pods = [size for size in costs.sizes if size > 1]
        self.sizes = sorted(set(pods))
        self.counts = [pods.count(size) for size in self.sizes]
        self.radices = [math.prod(count + 1 for count in self.counts[:at]) for at in range(len(self.counts))]
        self.whole = self._whole()
        steps = enumerate(pairwise(costs.scores), start=1)
        self.gaps = [(above, (one - other) * costs.spread_unit) for above, (one, other) in steps if one != other]
        self.groups = weighed.groups.take(weighed.groups.size > 1)
        self.code = np.array(self.radices)[np.searchsorted(self.sizes, self.groups.size)]
        self.open: list[list[_Sets]] = [[] for _ in range(self.bots + 1)]
        self._sit_out(weighed, costs.sizes.count(1))

    def _sit_out(self, weighed: _Weighed, byes: int) -> None:
        """Open the sets of bots that may sit out."""
        singles = weighed.groups.take(weighed.groups.size == 1)
        choices = list(combinations(range(len(singles.first)), byes))
        chosen = np.array(choices, dtype=np.int64).reshape(len(choices), byes)
        nothing = np.zeros(len(choices), dtype=np.int64)
        self._keep(
            _Sets(
                covered=singles.covers[chosen].sum(axis=1),
                code=nothing,
                cost=weighed.settled + singles.cost[chosen].sum(axis=1),
                priced=weighed.priced + singles.left[chosen].sum(axis=1),
                bound=nothing,
                bot=nothing - 1,
                row=nothing,
                group=nothing,
            )
        )

    def _whole(self) -> npt.NDArray[np.bool_]:
        """Whether so many bots fill some of the pods that are not used yet, by code and number."""
        codes = math.prod(count + 1 for count in self.counts)
        whole = np.zeros((codes, self.bots + 1), dtype=np.bool_)
        for code in range(codes):
            left = [count - code // radix % (count + 1) for count, radix in zip(self.counts, self.radices, strict=True)]
            sizes = [size for size, times in zip(self.sizes, left, strict=True) for _ in range(times)]
            whole[code, list(whole_pods(sizes))] = True
        return whole

    def best(self) -> list[Group] | None:
        """The groups that cost least, if less than the known ones."""
        opened: list[_Sets | None] = []
        for bot in range(self.bots):
            groups = np.flatnonzero(self.groups.first == bot)
            sets = self._opened(bot, len(groups))
            opened.append(sets)
            if sets is not None:
                self._grow(bot, sets, groups)
        sets = self._opened(self.bots, 0)
        return None if sets is None else self._way(opened, sets)

    def _keep(self, sets: _Sets) -> None:
        """Keep the sets from which all may be covered for less than the known cost, by the highest bot that is free."""
        bound = sets.cost.copy()
        for above, cost in self.gaps:
            left = above - np.bitwise_count(sets.covered & ((1 << above) - 1)).astype(np.int64)
            bound += cost * ~self.whole[sets.code, left]
        bound = np.maximum(bound, sets.priced)
        sets = sets._replace(bound=bound).take(bound < self.known)
        free = np.bitwise_count(((sets.covered + 1) & ~sets.covered) - 1)
        for bot in np.unique(free).tolist():
            self.open[bot].append(sets.take(free == bot))

    def _opened(self, bot: int, groups: int) -> _Sets | None:
        """The sets in which this bot is the highest that is free, each at its least cost; `groups` may be added."""
        if not self.open[bot]:
            return None
        sets = _Sets(*(np.concatenate(columns) for columns in zip(*self.open[bot], strict=True)))
        key = sets.code << WINDOW | sets.covered
        order = np.lexsort((sets.cost, key))
        sets = sets.take(order[np.concatenate(([True], np.diff(key[order]) != 0))])
        most = max(1, self.most_pairs // max(1, groups))
        return sets.take(np.argsort(sets.bound, kind="stable")[:most]) if len(sets.cost) > most else sets

    def _grow(self, bot: int, sets: _Sets, groups: npt.NDArray[np.intp]) -> None:
        """Add each of the groups to each of the sets that it fits."""
        if not len(groups):
            return
        chunk = max(1, _PAIRS // len(groups))
        for start in range(0, len(sets.cost), chunk):
            part = sets.take(np.arange(start, min(start + chunk, len(sets.cost))))
            fits = (part.covered[:, None] & self.groups.covers[groups]) == 0
            fits &= part.priced[:, None] + self.groups.left[groups] < self.known
            for count, radix in zip(self.counts, self.radices, strict=True):
                used_up = part.code // radix % (count + 1) == count
                fits &= ~(used_up[:, None] & (self.code[groups] == radix))
            row, column = np.nonzero(fits)
            group = groups[column]
            self._keep(
                _Sets(
                    covered=part.covered[row] | self.groups.covers[group],
                    code=part.code[row] + self.code[group],
                    cost=part.cost[row] + self.groups.cost[group],
                    priced=part.priced[row] + self.groups.left[group],
                    bound=np.zeros_like(row),
                    bot=np.full_like(row, bot),
                    row=row + start,
                    group=group,
                )
            )

    def _way(self, opened: Sequence[_Sets | None], covers: _Sets) -> list[Group]:
        """The groups by which the cheapest cover grew, and the bots that sit out."""
        sets, row = covers, int(covers.cost.argmin())
        found: list[Group] = []
        while (bot := int(sets.bot[row])) >= 0:
            found.append(self._members(int(self.groups.covers[sets.group[row]])))
            before = opened[bot]
            assert before is not None, "a set grew from one that was open"
            sets, row = before, int(sets.row[row])
        return found + [(bot,) for bot in self._members(int(sets.covered[row]))]

    def _members(self, covered: int) -> Group:
        return tuple(bot for bot in range(self.bots) if covered >> bot & 1)


def _short_costs(costs: PodCosts) -> tuple[Ints, Ints, int]:
    """What a bot adds to a group of the usual size (or a bye), to one of another size, and what all covers share.

    The odd pods have a fixed number of seats, so what these cost may be told as what is lost against the bots that
    cost them least. A bot that costs less than the last of those loses it by sitting elsewhere; one that costs more
    loses the excess by sitting there, where its own cost, which the group's holds already, is taken out again.
    """
    short = np.array(costs.short, dtype=np.int64)
    seats = sum(size for size in costs.sizes if size not in (1, costs.usual))
    last = int(np.sort(short)[seats - 1]) if seats else 0
    elsewhere = np.maximum(last - short, 0) * costs.short_unit
    there = (np.maximum(short - last, 0) - short) * costs.short_unit
    return elsewhere, there, seats * last * costs.short_unit - int(elsewhere.sum())
