"""Whether equal views give equal tensors, byte for byte: `python -m benchmarks.leaks [POSITIONS]`.

Matches are played at random. At every position each seat's tensors of the true deal are compared with those of deals in
which whatever the seat may not know is drawn anew. By default 20,000 positions of each variant, shared out between its
numbers of seats. It ends with an error at the first position that tells two such deals apart.
"""

import random
import sys

from arena.envs import encoding
from core_ext import State, variant_info
from core_ext.variants.registry import VARIANTS

POSITIONS = 20_000
_WORLDS = 2
"""Deals beside the true one."""


class LeakError(Exception):
    """The tensors of a seat depend on what it may not know; the text says where."""


def check(variant: str, seats: int, positions: int, seed: str = "leaks") -> int:
    """Compare so many positions; return the number of comparisons. Raises LeakError."""
    names = encoding(variant, seats)
    rng = random.Random(seed)
    checked = compared = number = 0
    while checked < positions:
        number += 1
        state = State.new(variant, {}, f"{seed}/{number}", seats)
        while checked < positions:
            checked += 1
            for seat in range(seats):
                seen = names.observe(state, seat)
                for _ in range(_WORLDS):
                    world = rng.getrandbits(62)
                    view = names.observe(state.determinize(seat, world), seat)
                    if any(seen[key].tobytes() != view[key].tobytes() for key in seen):
                        where = f"match {seed}/{number} after {len(state.actions())} actions"
                        leak = f"seat {seat} can tell the true deal from that of {world}"
                        raise LeakError(f"{variant} with {seats} seats, {where}: {leak}")
                    compared += 1
            if state.is_over:
                break
            state.apply(rng.choice(state.legal_actions()))
    return compared


def main(positions: int = POSITIONS) -> None:
    """Check every variant, and print what was compared."""
    for variant in VARIANTS:
        least, highest, _ = variant_info(variant).seats
        for seats in range(least, highest + 1):
            share = -(-positions // (highest - least + 1))
            compared = check(variant, seats, share)
            print(f"{variant} with {seats} seats: {share} positions, {compared} comparisons, all equal", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
