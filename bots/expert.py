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

PLAYOUTS = 2_000
"""Playouts a decision."""


class ExpertBot(Bot):
    """Determinized search whose playouts follow the learned policy."""

    max_matches = 256

    def __init__(self, playouts: int = PLAYOUTS, threads: int = 1) -> None:
        self._playouts = playouts
        self._threads = threads

    def choose(self, decision: Decision) -> Action:
        """The best action by the search; of equal ones the first."""
        legal = decision.legal
        if len(legal) == 1:
            return legal[0]
        codes = [action.code for action in legal]
        view = observation_from_wire(decision.message.observation, codes, decision.message.events)
        search = Search(view, load(decision.variant), decision.random.getrandbits(62))
        search.run(self._playouts, self._threads)
        return legal[codes.index(search.choice())]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--playouts", type=int, default=PLAYOUTS)
    parser.add_argument("--threads", type=int, default=1)
    given, rest = parser.parse_known_args(sys.argv[1:])
    run(ExpertBot(given.playouts, given.threads), rest)
