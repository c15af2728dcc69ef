"""The rungs of the house bots against each other: shares of the match points, with their 95 % intervals.

Levels and the policy play each other in C; the other bots play as they do at a node, on fewer boards. Every board is
played once for each seat, the first bot in that seat and the second in all others.
"""

from itertools import combinations
from statistics import fmean

from arena.bench import Result, half_interval, say
from arena.simulate import simulate
from arena.strength.ladder import RANDOM
from arena.strength.playouts import duel
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import header, load
from bots import LADDER, house
from core_ext import VARIANTS, State, variant_info

BOARDS = 400
"""Boards of two levels, or a level and random."""
SEARCHED = 12
"""Boards of a bot that searches."""
BOTS = (*LADDER[:-1], "greedy", "search", "policy", "expert")


def measure() -> list[Result]:
    """Every bot against every one that stands before it in `BOTS`, in every variant."""
    results = []
    for variant in VARIANTS:
        say(f"the ladder of {variant}")
        for below, above in combinations(BOTS, 2):
            results += pair(variant, above, below)
    return results


def pair(variant: str, above: str, below: str, boards: int | None = None) -> list[Result]:
    """One bot against another, on as many boards as `measure` plays unless a number is given."""
    name = f"ladder.{variant}.{above}.{below}"
    margins, shares = _played(variant, above, below, boards)
    return [
        Result(name, 100 * fmean(shares), "% of the match points"),
        Result(f"{name}.error", 100 * half_interval(shares), "% of the match points"),
        Result(f"{name}.margin", fmean(margins), "a match"),
        Result(f"{name}.margin.error", half_interval(margins), "a match"),
    ]


def _played(variant: str, above: str, below: str, boards: int | None) -> tuple[list[float], list[float]]:
    """By board, the margin of the first bot and its share of the match points."""
    heats = dict(zip(LADDER, (RANDOM, *header(variant).heats), strict=False)) | {"policy": HEAT_OF_BEST}
    if above in heats and below in heats:
        return duel(State.new(variant), load(variant), boards or BOARDS, 1, heats[above], heats[below])
    searches = {"search", "expert"} & {above, below}
    boards = boards or (SEARCHED if searches else 4 * SEARCHED)
    seats = variant_info(variant).seats[2]
    margins, shares = [], []
    for board in range(boards):
        margin = share = 0.0
        for seat in range(seats):
            names = [above if place == seat else below for place in range(seats)]
            played = simulate(variant, 1, f"ladder/{board}", [house(name) for name in names])
            margin += played.margins[seat]
            share += _share(played.totals, seat)
        margins.append(margin / seats)
        shares.append(share / seats)
    return margins, shares


def _share(results: tuple[int, ...], seat: int) -> float:
    others = [result for place, result in enumerate(results) if place != seat]
    beaten = sum((results[seat] > result) + (results[seat] == result) / 2 for result in others)
    return beaten / len(others)
