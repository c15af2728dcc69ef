"""How much stronger one house bot is than another: `python -m benchmarks.bots search greedy --boards 100`.

Every board is played once for each seat, the first bot in it and the other in all others, so that it meets all cards.
The unit of the statistics is the board: 95 % intervals are 1.96 standard errors over the boards.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.bench import half_interval
from arena.sdk import Bot
from arena.simulate import simulate
from bots import HOUSE_MODULES, house
from bots.expert import ExpertBot
from bots.search import SearchBot
from core_ext import VARIANTS, variant_info

_SEARCHING: dict[str, Callable[[int], Bot]] = {"search": SearchBot, "expert": ExpertBot}


class Duel(NamedTuple):
    """What came of the boards; `margin` is by deal, `score` the share of the match points, `error` half an interval."""

    boards: int
    deals: int
    margin: float
    margin_error: float
    score: float
    score_error: float
    seconds: float


def duel(better: Bot, worse: Bot, boards: int, seed: str, variant: str) -> Duel:
    """Play the boards, the better bot in every seat once. `deals` counts each deal once, however often it is played."""
    info = variant_info(variant)
    seats = info.seats[2]
    months = next((option.default for option in info.options if option.name == "months"), 12)
    assert isinstance(months, int)
    margins, scores = [], []
    began = time.perf_counter()
    for board in range(boards):
        won, share = 0.0, 0.0
        for seat in range(seats):
            bots = [better if place == seat else worse for place in range(seats)]
            played = simulate(variant, 1, f"{seed}/{board}", bots)
            won += played.margins[seat]
            share += _share(played.totals, seat)
        margins.append(won / (seats * months))
        scores.append(share / seats)
    seconds = time.perf_counter() - began
    return Duel(
        boards,
        boards * months,
        statistics.fmean(margins),
        half_interval(margins),
        statistics.fmean(scores),
        half_interval(scores),
        seconds,
    )


def _share(results: Sequence[int], seat: int) -> float:
    """The seat's share of the match points by its place, ties averaged: 1 for the best of all, 0 for the last."""
    others = [result for place, result in enumerate(results) if place != seat]
    beaten = sum((results[seat] > result) + (results[seat] == result) / 2 for result in others)
    return beaten / len(others)


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("better", choices=sorted(HOUSE_MODULES))
    parser.add_argument("worse", choices=sorted(HOUSE_MODULES))
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--seed", default="house")
    parser.add_argument("--variant", choices=VARIANTS, default=VARIANTS[0])
    parser.add_argument("--playouts", type=int, help="of search and expert at each decision; by default their own")
    given = parser.parse_args()
    better, worse = (
        _SEARCHING[name](given.playouts) if name in _SEARCHING and given.playouts else house(name)
        for name in (given.better, given.worse)
    )
    found = duel(better, worse, given.boards, given.seed, given.variant)
    print(
        f"{given.better} - {given.worse}: {found.margin:+.2f} ± {found.margin_error:.2f} points a deal, "
        f"{100 * found.score:.1f} ± {100 * found.score_error:.1f} % of the match points, "
        f"{found.deals} deals on {found.boards} boards, {found.seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
