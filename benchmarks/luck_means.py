"""Whether margins with and without the luck have the same mean: `python -m benchmarks.luck_means koikoi`.

The policy's best action plays a level of the ladder, in every seat in turn, each match on cards of its own. Luck is
measured by few playouts: that makes it noisier, and its mean is 0 with few as with many.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from arena.analysis.luck import SHARES, luck_by_seat, margin_of
from arena.bench import half_interval
from arena.strength.luck import match_luck
from arena.strength.network import Network
from arena.strength.playouts import choose
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import header, load
from core_ext import VARIANTS, State, variant_info

CARD_PAIRS = 1
DEAL_PLAYOUTS = 20


def played(network: Network, state: State, heats: Sequence[int], seed: int) -> State:
    """Play a match to its end, each seat by the policy at its heat."""
    dice = np.random.Generator(np.random.PCG64(seed))
    while not state.is_over:
        state.apply(choose(state, network, int(dice.integers(1 << 63)), heats[state.current_player]))
    return state


def main() -> None:
    """Print the means by match, and their difference, which is the mean of the luck."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--seats", type=int, help="by default as many as the variant has")
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--level", type=int, default=3, help="of the ladder, whom the policy plays")
    args = parser.parse_args()
    seats = args.seats or variant_info(args.variant).seats[2]
    network, heat = load(args.variant), header(args.variant).heats[args.level - 1]
    margins, lucks = [], []
    for number in range(args.matches):
        seat, seed = number % seats, f"means/{number}"
        heats = [HEAT_OF_BEST if place == seat else heat for place in range(seats)]
        state = played(network, State.new(args.variant, None, seed, seats), heats, number)
        begun = State.new(args.variant, None, seed, seats)
        shares = SHARES[args.variant]
        events = match_luck(begun, state.actions(), network, number, shares, CARD_PAIRS, DEAL_PLAYOUTS)
        margins.append(margin_of(state.returns(), seat))
        lucks.append(luck_by_seat(args.variant, seats, events)[seat])
    adjusted = np.subtract(margins, lucks)
    print(
        f"{args.variant}, policy against level {args.level}, {args.matches} matches: "
        f"with the luck {np.mean(margins):+.2f} ± {half_interval(margins):.2f}, "
        f"without {np.mean(adjusted):+.2f} ± {half_interval(adjusted.tolist()):.2f}, "
        f"difference {np.mean(lucks):+.2f} ± {half_interval(lucks):.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
