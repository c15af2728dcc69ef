"""Pods: tables of three or four bots (or two), of which every seat is played.

The objective, each term at its minimum given the terms before it (`Cost`), after the number of byes, then of pods of
another size than the division's first, which the size of the field alone decides (`layout`):

1. earlier byes of the bots that get a bye, squared and summed: no second bye while a bot has had none;
2. earlier short pods, the same for pods of another size than the first;
3. repeat meetings: over the pairs inside the pods, how often they have met, squared;
4. the scores of the bots that get a bye;
5. the sum of the pods' spreads: the highest score of a pod less its lowest;
6. repeated floats: bots that float in the direction in which they floated the round before;
7. the seeded lot, which orders the bots of a score before the search and steers it: among pairings that cost the same
   it decides which one is found.

A bot floats down when more than half of the others of its pod have a lower score, or when it has a bye, and up when
more than half have a higher one.

A small field looks ahead to the rounds that are left (`pod_plan`): term 3 counts their repeats too.

The search. The field is cut into pods in order of score, which for pods of one size gives the least spread possible.
Bots of one score are exchanged while that removes a repeat or a repeated float. Pods where some remain are reseated
together with their neighbours, `WINDOW` bots at a time (`pod_descent`). A field no larger than a window is reseated as
a whole. The search is local: `tests/league/pod_optimum.py` measures how often it misses the optimum, and by how much.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from random import Random

from arena.league.budget import Budget
from arena.league.errors import PairingError
from arena.league.lots import Lots
from arena.league.pairing import Contender
from arena.league.pod_costs import WINDOW, Cost, PodCosts, group_cost
from arena.league.pod_descent import descend
from arena.league.pod_plan import LARGEST_FIELD, MAX_ROUNDS, planned
from arena.league.values import Seating

# How many bots of its score are tried for an exchange with a bot.
_EXCHANGES = 64
# The search ends after so many perturbations in a row without a gain: of a small field, and of a part of a large one.
_SHAKES, _SHAKES_OF_A_PART = 40, 10
_UNITS, _UNITS_OF_A_PART, _UNITS_OF_A_PLAN = 20_000_000, 5_000_000, 25_000_000
"""What a search may take, in ways to seat a pod anew that are priced: of a field, of a part of it, and of a plan."""


def layout(bots: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the sizes of the pods of a field, from the usual one and any other; what they leave over are byes.

    As few byes as can be, then as few pods of the other size.
    """
    usual, odd_size = (*sizes, 0)[:2]
    # More pods of the other size than `usual` could give way to usual ones, with the same bots.
    counts = range(min(usual, bots // odd_size) + 1) if odd_size else (0,)
    times = min(counts, key=lambda times: ((bots - odd_size * times) % usual, times))
    return (usual,) * ((bots - odd_size * times) // usual) + (odd_size,) * times


def pods(contenders: Iterable[Contender], sizes: Sequence[int], lots: Lots, rounds_left: int = 0) -> Seating:
    """Seat a round; the same field and lots give the same pods in whatever order the field is given.

    `sizes` are the usual size of a pod and, if there is, another. `rounds_left` are those after this one: a small
    field is seated for as few repeats in all of them as the search finds. PairingError when a name stands in the field
    twice, or a size is not of two to four seats.
    """
    if not 1 <= len(set(sizes)) == len(sizes) <= 2 or not all(2 <= size <= 4 for size in sizes):
        raise PairingError(f"pods have two to four seats, of one or two sizes, not {tuple(sizes)}")
    field = sorted(contenders, key=lambda bot: (-bot.score, lots.of(bot.name)))
    if len({bot.name for bot in field}) != len(field):
        raise PairingError("a bot is in the field twice")
    if not field:
        return Seating(())
    groups = _Groups(field, sizes[0], _cut(field, sizes))
    if len(field) <= WINDOW:
        groups.search(range(len(groups.members)), _SHAKES, lots, _UNITS)
        if rounds_left and len(field) <= LARGEST_FIELD:
            groups.plan(min(rounds_left, MAX_ROUNDS), lots)
    else:
        groups.exchange()
        groups.search_unsettled(lots)
    ordered = sorted(sorted(group) for group in groups.members)
    return Seating(
        tuple(tuple(field[rank].name for rank in group) for group in ordered if len(group) > 1),
        tuple(field[group[0]].name for group in ordered if len(group) == 1),
    )


def _cut(field: Sequence[Contender], sizes: Sequence[int]) -> list[list[int]]:
    """Return the ranks of the field cut into groups: byes for the lowest of the bots that had the fewest, and pods.

    Pods are cut in order of score, those of other sizes where they cost least. Where that would put a bot into a second
    such pod before its turn, they are made of the bots that were in the fewest.
    """
    pod_sizes = layout(len(field), sizes)
    order = sorted(range(len(field)), key=lambda rank: (field[rank].byes, -rank))
    sitting = set(order[: len(field) - sum(pod_sizes)])
    seated = [rank for rank in range(len(field)) if rank not in sitting]
    fewest = sorted(seated, key=lambda rank: (field[rank].short, -rank))
    odd = [size for size in pod_sizes if size != sizes[0]]
    short = sorted(fewest[: sum(odd)])
    pods = (
        _in_order([field[rank] for rank in seated], sizes, pod_sizes) if odd else _chunks(range(len(seated)), pod_sizes)
    )
    groups = [[seated[place] for place in pod] for pod in pods]
    least = sum(field[rank].short ** 2 for rank in short)
    if odd and sum(field[rank].short ** 2 for pod in groups if len(pod) != sizes[0] for rank in pod) > least:
        taken = set(short)
        usual = [rank for rank in seated if rank not in taken]
        groups = [[short[place] for place in pod] for pod in _chunks(range(len(short)), odd)]
        groups += [usual[start : start + sizes[0]] for start in range(0, len(usual), sizes[0])]
    return [[rank] for rank in sitting] + groups


def _chunks(ranks: range, sizes: Iterable[int]) -> list[range]:
    """The ranks cut in order into chunks of these sizes."""
    chunks = []
    for size in sizes:
        chunks.append(ranks[:size])
        ranks = ranks[size:]
    return chunks


def _in_order(bots: Sequence[Contender], sizes: Sequence[int], order: Sequence[int]) -> list[range]:
    """Return the bots cut in order into pods of the sizes found, at the least cost of such a cut, meetings apart."""
    wanted = len(order) - order.count(sizes[0])
    # By how many of the first bots are seated and how many pods of the other size they fill: the cost, and the last.
    best: list[dict[int, tuple[int, int, int]]] = [{0: (0, 0, 0)}]
    for end in range(1, len(bots) + 1):
        cuts: dict[int, tuple[int, int, int]] = {}
        for size in (size for size in sizes if size <= end):
            is_odd = size != sizes[0]
            spread = bots[end - size].score - bots[end - 1].score
            short = sum(bot.short**2 for bot in bots[end - size : end]) if is_odd else 0
            for used, (odd, spreads, _) in best[end - size].items():
                cost = (odd + short, spreads + spread, size)
                if used + is_odd <= wanted:
                    cuts[used + is_odd] = min(cost, cuts.get(used + is_odd, cost))
        best.append(cuts)
    pods = []
    end = len(bots)
    while end:
        size = best[end][wanted][2]
        pods.append(range(end - size, end))
        wanted -= size != sizes[0]
        end -= size
    return pods


@dataclass
class _Groups:
    """The pods and byes under search, as ranks in the field; a bye is a group of one."""

    field: Sequence[Contender]
    usual: int
    members: list[list[int]]

    def cost_of(self, group: Iterable[int]) -> Cost:
        return group_cost([self.field[rank] for rank in group], self.usual)

    def unsettled(self) -> list[int]:
        """The groups with a repeat or a repeated float."""
        return [place for place, group in enumerate(self.members) if self._is_unsettled(group)]

    def _is_unsettled(self, group: Sequence[int]) -> bool:
        bots = [self.field[rank] for rank in group]
        # A quick test that settles most groups: has any bot floated, or have any two met?
        if not any(bot.floated for bot in bots) and all(
            opponent.name not in bot.met for bot, opponent in combinations(bots, 2)
        ):
            return False
        cost = group_cost(bots, self.usual)
        return cost.repeats > 0 or cost.repeated_floats > 0

    def exchange(self) -> None:
        """Exchange bots of unsettled groups for others of the same score, wherever both groups together gain."""
        place_of = {rank: place for place, group in enumerate(self.members) for rank in group}
        of_score = [range(0)] * len(self.field)
        for _, ranks in groupby(range(len(self.field)), key=lambda rank: self.field[rank].score):
            same = list(ranks)
            of_score[same[0] : same[-1] + 1] = [range(same[0], same[-1] + 1)] * len(same)
        for place in self.unsettled():
            for rank in list(self.members[place]):
                self._exchange(rank, _around(rank, of_score[rank]), place_of)

    def _exchange(self, rank: int, candidates: Iterable[int], place_of: dict[int, int]) -> None:
        group = self.members[place_of[rank]]
        cost = self.cost_of(group)
        if not (cost.repeats or cost.repeated_floats):
            return
        for candidate in candidates:
            other_group = self.members[place_of[candidate]]
            if other_group is group:
                continue
            new_group = [candidate if member == rank else member for member in group]
            new_other = [rank if member == candidate else member for member in other_group]
            before = Cost.total((cost, self.cost_of(other_group)))
            if Cost.total((self.cost_of(new_group), self.cost_of(new_other))) < before:
                group[:], other_group[:] = new_group, new_other
                place_of[rank], place_of[candidate] = place_of[candidate], place_of[rank]
                return

    def plan(self, rounds_left: int, lots: Lots) -> None:
        """Seat the round anew, planned together with the rounds that are left."""
        pods = [tuple(sorted(group)) for group in self.members]
        random = Random(lots.of("plan"))
        self.members = [
            list(pod) for pod in planned(self.field, pods, self.usual, rounds_left, random, Budget(_UNITS_OF_A_PLAN))
        ]

    def search_unsettled(self, lots: Lots) -> None:
        """Search the windows around the groups that are unsettled, those with a repeated float once at most."""
        self.members.sort(key=min)
        searched = 0
        for place in self.unsettled():
            cost = self.cost_of(self.members[place])
            if cost.repeats or (cost.repeated_floats and place >= searched):
                window = self._window(place)
                self.search(window, _SHAKES_OF_A_PART, lots, _UNITS_OF_A_PART)
                searched = window.stop

    def search(self, window: range, shakes: int, lots: Lots, units: int) -> None:
        """Seat the bots of a window of groups anew, with so much work."""
        bots = sorted(rank for place in window for rank in self.members[place])
        index = {rank: number for number, rank in enumerate(bots)}
        groups = [tuple(sorted(index[rank] for rank in self.members[place])) for place in window]
        costs = PodCosts([self.field[rank] for rank in bots], [len(group) for group in groups], self.usual)
        groups_found = descend(costs, groups, shakes, Random(lots.of(str(bots[0]))), Budget(units))
        self.members[window.start : window.stop] = [
            [bots[number] for number in group] for group in sorted(groups_found)
        ]

    def _window(self, place: int) -> range:
        """Groups around this one with `WINDOW` bots at most."""
        low = high = place
        bots = len(self.members[place])
        while True:
            grown = False
            for side in (low - 1, high + 1):
                if 0 <= side < len(self.members) and bots + len(self.members[side]) <= WINDOW:
                    bots += len(self.members[side])
                    low, high = min(low, side), max(high, side)
                    grown = True
            if not grown:
                return range(low, high + 1)


def _around(rank: int, ranks: range) -> Iterable[int]:
    """Yield the nearest of the ranks, outwards on both sides."""
    for distance in range(1, _EXCHANGES // 2 + 1):
        for neighbour in (rank + distance, rank - distance):
            if neighbour in ranks:
                yield neighbour
