"""How much stronger one house bot is than another: `python -m benchmarks.bots search greedy --boards 100`.

Every board is played twice with the seats changed, so that both bots meet the same cards. The unit of the statistics is
the board: 95 % intervals are 1.96 standard errors over the boards.
"""

import argparse
import math
import statistics
import time
from collections.abc import Sequence
from typing import NamedTuple

from arena.simulate import simulate
from bots import HOUSE_MODULES, house
from core_ext import variant_info

VARIANT = "koikoi"


class Duel(NamedTuple):
    """What came of the boards; `margin` is by deal, `score` the share of the match points, `error` half an interval."""

    boards: int
    deals: int
    margin: float
    margin_error: float
    score: float
    score_error: float
    seconds: float


def duel(better: str, worse: str, boards: int, seed: str) -> Duel:
    """Play the boards. `deals` counts the mirrored deals: each was played twice, once from each side."""
    bots = [house(better), house(worse)]
    months = next(option.default for option in variant_info(VARIANT).options if option.name == "months")
    assert isinstance(months, int)
    margins, scores = [], []
    began = time.perf_counter()
    for board in range(boards):
        there = simulate(VARIANT, 1, f"{seed}/{board}", bots).totals
        back = simulate(VARIANT, 1, f"{seed}/{board}", bots[::-1]).totals
        won = (there[0] - there[1], back[1] - back[0])
        margins.append(sum(won) / (2 * months))
        scores.append(sum((margin > 0) + (margin == 0) / 2 for margin in won) / 2)
    seconds = time.perf_counter() - began
    return Duel(
        boards,
        boards * months,
        statistics.fmean(margins),
        _half_interval(margins),
        statistics.fmean(scores),
        _half_interval(scores),
        seconds,
    )


def _half_interval(values: Sequence[float]) -> float:
    return 1.96 * statistics.stdev(values) / math.sqrt(len(values))


def main() -> None:
    """Print one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("better", choices=sorted(HOUSE_MODULES))
    parser.add_argument("worse", choices=sorted(HOUSE_MODULES))
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--seed", default="house")
    given = parser.parse_args()
    found = duel(given.better, given.worse, given.boards, given.seed)
    print(
        f"{given.better} - {given.worse}: {found.margin:+.2f} ± {found.margin_error:.2f} points a deal, "
        f"{100 * found.score:.1f} ± {100 * found.score_error:.1f} % of the match points, "
        f"{found.deals} mirrored deals on {found.boards} boards, {found.seconds:.0f} s"
    )


if __name__ == "__main__":
    main()
