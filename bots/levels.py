"""Opponents of every strength: the learned policy of the variant at a temperature, without search.

A level draws its action by the policy's softmax; the hotter, the nearer to chance. Level 6 takes the best action.
"""

import argparse
import sys

from arena.sdk import Action, Bot, Decision, run
from arena.strength.playouts import choose
from arena.strength.weights import header, load
from arena.wire import observation_from_wire
from core_ext import State

LEVELS = 6


class LevelBot(Bot):
    """The policy at the temperature of a level, from 1 to 6."""

    max_matches = 256

    def __init__(self, level: int = LEVELS) -> None:
        if not 1 <= level <= LEVELS:
            raise ValueError(f"there is no level {level}; levels are 1 to {LEVELS}")
        self.level = level

    def choose(self, decision: Decision) -> Action:
        """An action by the policy, from the observation alone."""
        legal = decision.legal
        if len(legal) == 1:
            return legal[0]
        codes = [action.code for action in legal]
        view = observation_from_wire(decision.message.observation, codes, decision.message.events)
        heat = header(decision.variant).heats[self.level - 1]
        code = choose(State.from_observation(view, 0), load(decision.variant), decision.random.getrandbits(62), heat)
        return legal[codes.index(code)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--level", type=int, default=LEVELS, choices=range(1, LEVELS + 1))
    given, rest = parser.parse_known_args(sys.argv[1:])
    run(LevelBot(given.level), rest)
