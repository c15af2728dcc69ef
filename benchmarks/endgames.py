"""How well sampling values the ends of deals, where every world can be counted: `python -m benchmarks.endgames`.

Positions of matches by the policy in which few worlds are left are valued twice: exactly, and by sampling as an
analysis does. A line a variant says how often the sampler's 95 % bars hold the exact value, of the values that differ
from world to world, and how often its best action is the best, of the decisions won by more than `LEAD` points.
"""

import argparse
import random
import time
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from arena.analysis.values import PLAYOUTS
from arena.strength.expert import Search
from arena.strength.playouts import choose
from arena.strength.weights import load
from core_ext import VARIANTS, Observation, State

LEAD = 0.2
"""Points by which the best action of a decision is ahead of the next, for the choice to matter."""


class Endgames(NamedTuple):
    """What was found: of `values` bars, `inside` hold; of `decisions` that matter, `agreed` were decided alike."""

    positions: int
    values: int
    inside: int
    decisions: int
    agreed: int
    seconds: float
    """Of the exact searches, the mean."""


def measure(variant: str, positions: int, playouts: int = PLAYOUTS) -> Endgames:
    """Value so many positions; as many playouts for each action are sampled."""
    network = load(variant)
    dice = random.Random(variant)
    values = inside = decisions = agreed = 0
    seconds = 0.0
    for view in islice(_endings(variant), positions):
        began = time.process_time()
        exact = Search(view, network, 1)
        exact.run(0)
        seconds += time.process_time() - began
        sampled = Search(view, network, dice.getrandbits(62), most_worlds=0)
        sampled.run(playouts * len(view.legal), cut=False)
        pairs = list(zip(exact.values(), sampled.values(), strict=True))
        errors = [(abs(true.margin - seen.margin), seen.margin_error) for true, seen in pairs]
        values += sum(error > 0 for _, error in errors)
        inside += sum(distance <= 1.96 * error for distance, error in errors if error > 0)
        best, second = sorted((true.margin for true, _ in pairs), reverse=True)[:2]
        if best - second > LEAD:
            decisions += 1
            agreed += max(pairs, key=lambda pair: pair[0].margin) == max(pairs, key=lambda pair: pair[1].margin)
    return Endgames(positions, values, inside, decisions, agreed, seconds / positions)


def _endings(variant: str) -> Iterator[Observation]:
    """What a seat with a choice saw where every world can be counted, in match after match."""
    network = load(variant)
    dice = random.Random(0)
    number = 0
    while True:
        state = State.new(variant, seed=f"endgames/{number}")
        number += 1
        while not state.is_over:
            if len(state.legal_actions()) > 1:
                view = state.observation(state.current_player)
                if Search(view, network, 0).counts_worlds:
                    yield view
            state.apply(choose(state, network, dice.getrandbits(62)))


def main() -> None:
    """Print a line for each variant."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1_000)
    parser.add_argument("--variant", choices=VARIANTS[:-1], action="append", help="all matching games by default")
    args = parser.parse_args()
    for variant in args.variant or VARIANTS[:-1]:
        measured = measure(variant, args.positions)
        print(
            f"{variant}: of {measured.values} bars {100 * measured.inside / measured.values:.1f} % hold, "
            f"of {measured.decisions} decisions {100 * measured.agreed / measured.decisions:.1f} % agree, "
            f"{1000 * measured.seconds:.1f} ms for an exact search, {measured.positions} positions",
            flush=True,
        )


if __name__ == "__main__":
    main()
