"""Searches with the learned policy of the variant: plays every promising action on, on deals that fit what it sees.

It reads nothing but its observation. The budget counts playouts, never time, so play is reproducible from
`decision.random`; threads change the time alone.
"""

import argparse
import sys

from arena.sdk import Action, Bot, Decision, run
from arena.strength.expert import Search
from arena.strength.weights import load
from arena.wire import observation_from_wire
from core_ext import Observation

PLAYOUTS = {"koikoi": 4_000, "koikoi45": 3_000, "kyogi": 4_000, "hachihachi": 3_000, "sangohana": 3_000}
"""Playouts a decision, by variant: about as many as take 10 ms on one core."""
BY_CHANCE = {"koikoi": 0.5, "koikoi45": 0.8, "kyogi": 0.5}
"""How much the chance to win the match counts beside the margin of the deal, where it counts at all."""
PRIOR_WEIGHT = {"koikoi": 5.0, "koikoi45": 15.0, "kyogi": 5.0, "hachihachi": 1.0, "sangohana": 1.0}
"""How much a logit of the policy counts, in playouts times units of utility: few playouts alone are noise."""
CUT_WEIGHT = {"koikoi": 5.0}
"""How much it counts where actions are taken out of question, if it does: in koi-koi that wins more matches."""

HEAT = {"koikoi": 512}
"""256 / temperature of the policy that plays on, where it is not 256."""


class ExpertBot(Bot):
    """Determinized search whose playouts follow the learned policy."""

    max_matches = 256

    def __init__(self, playouts: int | None = None, threads: int = 1) -> None:
        self._playouts = playouts
        self._threads = threads

    def choose(self, decision: Decision) -> Action:
        """The best action by the search; of equal ones the first."""
        legal = decision.legal
        if len(legal) == 1:
            return legal[0]
        codes = [action.code for action in legal]
        view = observation_from_wire(decision.message.observation, codes, decision.message.events)
        variant = decision.variant
        search = search_of(view, decision.random.getrandbits(62))
        search.run(self._playouts or PLAYOUTS[variant], self._threads)
        return legal[codes.index(search.choice())]


def search_of(view: Observation, seed: int) -> Search:
    """The search of a decision, as this bot does it."""
    variant = view.variant
    return Search(
        view,
        load(variant),
        seed,
        heat=HEAT.get(variant, 256),
        by_chance=BY_CHANCE.get(variant, 0.0),
        prior_weight=PRIOR_WEIGHT[variant],
        cut_weight=CUT_WEIGHT.get(variant, 0.0),
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--playouts", type=int, help="by default as many as its variant has")
    parser.add_argument("--threads", type=int, default=1)
    args, remaining = parser.parse_known_args(sys.argv[1:])
    run(ExpertBot(args.playouts, args.threads), remaining)
