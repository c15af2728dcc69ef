"""How many boards a difference takes to be seen: `python -m benchmarks.boards_needed [BOARDS]`.

Two bots play mirrored boards of every variant for two seats: greedy against random, which play differently, and greedy
against one that is greedy but for one decision in `ONE_IN`, which play nearly alike. From the variance of the boards,
it tells after how many boards, of two matches each, the 95 % error bars of a bot's share of the matches are 1 % and 5 %
on either side; and how many matches on boards of their own are worth a mirrored one.
"""

import argparse
from collections.abc import Iterator
from statistics import NormalDist, fmean, variance

from arena.sdk import Action, Bot, Decision
from arena.simulate import simulate
from bots import house
from bots.greedy import GreedyBot

VARIANTS = ("koikoi", "koikoi45", "kyogi")
ONE_IN = 20
_Z = NormalDist().inv_cdf(0.975)


class NearlyGreedyBot(GreedyBot):
    """Greedy, but for one decision in `ONE_IN`, which it makes by chance."""

    def choose(self, decision: Decision) -> Action:
        """Return an action by chance now and then, else the greedy one."""
        if not decision.random.randrange(ONE_IN):
            return decision.random.choice(decision.legal)
        return super().choose(decision)


def scores_of(variant: str, bots: tuple[Bot, Bot], boards: int) -> list[tuple[float, float]]:
    """Return the first bot's share, 1 a win and a half a draw, of either match of each board."""
    rows = []
    for board in range(boards):
        first = simulate(variant, 1, f"boards needed/{board}", bots).margins[0]
        second = simulate(variant, 1, f"boards needed/{board}", bots[::-1]).margins[1]
        rows.append((_share(first), _share(second)))
    return rows


def _share(margin: float) -> float:
    return (1 + (margin > 0) - (margin < 0)) / 2


def needed(scores: list[tuple[float, float]], reach: float) -> int:
    """Return the boards after which the error bars of the share reach so far on either side."""
    return round(variance(map(fmean, scores)) * (_Z / reach) ** 2)


def lines(boards: int) -> Iterator[str]:
    """Yield the table, a line at a time."""
    yield "| variant | bots | share of the matches | boards for 1 % | boards for 5 % | worth of a mirrored match |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for variant in VARIANTS:
        for name, opponent in (("greedy, random", house("random")), ("greedy, nearly greedy", NearlyGreedyBot())):
            scores = scores_of(variant, (house("greedy"), opponent), boards)
            share = fmean(map(fmean, scores))
            single = (variance([first for first, _ in scores]) + variance([second for _, second in scores])) / 2
            of_board = variance(map(fmean, scores))
            worth = f"{single / (2 * of_board):.1f}" if of_board else ""
            numbers = f"{needed(scores, 0.01)} | {needed(scores, 0.05)}"
            yield f"| {variant} | {name} | {100 * share:.0f} % | {numbers} | {worth} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", type=int, nargs="?", default=400, help="boards of each pair of bots (default 400)")
    for line in lines(parser.parse_args().boards):
        print(line, flush=True)


if __name__ == "__main__":
    main()
