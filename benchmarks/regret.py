"""What the expert's search gives away by chance: `python -m benchmarks.regret koikoi --positions 80`.

Positions of matches between searches that now and then play at random are searched with the playouts and the weight of
the policy's opinion that the expert has, and once more with many playouts of every action. Regret is by how much the
choice is behind the best action of the second search, in points of the deal's margin: it is 0 of a search without end,
and says nothing of what playouts by the policy are worth. The policy alone stands beside it.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator

from arena.bench import half_interval
from arena.strength.expert import Search
from arena.strength.network import Network
from arena.strength.weights import load
from bots.expert import CUT_WEIGHT, HEAT, PLAYOUTS, PRIOR_WEIGHT
from core_ext import VARIANTS, Observation, State, variant_info

_TAKEN = 0.08
"""The share of the decisions that are looked at."""
_AT_RANDOM = 0.1
"""The share of the decisions of the matches that are made at random."""


def positions(variant: str, seats: int, network: Network) -> Iterator[Observation]:
    """Decisions that leave a choice, without end."""
    dice = random.Random(5)
    while True:
        state = State.new(variant, None, dice.randbytes(32), seats)
        while not state.is_over:
            legal = state.legal_actions()
            if len(legal) == 1:
                state.apply(legal[0])
                continue
            view = state.observation(state.current_player)
            search = Search(view, network, dice.getrandbits(60), prior_weight=1.0)
            search.run(len(legal))
            if dice.random() < _TAKEN:
                yield view
            state.apply(dice.choice(legal) if dice.random() < _AT_RANDOM else search.choice())


def main() -> None:
    """Print a line for the search and one for the policy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--seats", type=int, help="by default as many as the variant has")
    parser.add_argument("--positions", type=int, default=80)
    parser.add_argument("--playouts", type=int, help="by default those of the expert")
    parser.add_argument("--most", type=int, default=12_000, help="playouts of the search that is compared with")
    args = parser.parse_args()
    network = load(args.variant)
    playouts = args.playouts or PLAYOUTS[args.variant]
    seats = args.seats or variant_info(args.variant).seats[2]
    regrets: dict[str, list[float]] = {"search": [], "policy": []}
    spent = 0.0
    for number, view in zip(range(args.positions), positions(args.variant, seats, network), strict=False):
        closely = Search(view, network, 2 * number, heat=HEAT.get(args.variant, 256))
        closely.run(args.most, cut=False)
        worth = {action.code: action.margin for action in closely.values()}
        began = time.process_time()
        search = Search(
            view,
            network,
            2 * number + 1,
            heat=HEAT.get(args.variant, 256),
            prior_weight=PRIOR_WEIGHT[args.variant],
            cut_weight=CUT_WEIGHT.get(args.variant, 0.0),
        )
        search.run(playouts)
        spent += time.process_time() - began
        policy = Search(view, network, 2 * number + 1, prior_weight=1e9, most_worlds=0)
        policy.run(len(view.legal))
        for name, chosen in (("search", search), ("policy", policy)):
            regrets[name].append(max(worth.values()) - worth[chosen.choice()])
    for name, regret in regrets.items():
        took = f", {1000 * spent / len(regret):.1f} ms a decision" if name == "search" else ""
        print(f"{args.variant} {name}: {statistics.fmean(regret):.3f} ± {half_interval(regret):.3f} points{took}")


if __name__ == "__main__":
    main()
