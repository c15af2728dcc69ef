"""Opponents of every strength: the learned policy of the variant at a temperature, without search.

A level draws its action by the policy's softmax; the hotter, the nearer to chance.
"""

import argparse
import sys

from arena.sdk import run
from arena.strength.weights import header
from bots.policy import PolicyBot

LEVELS = 6


class LevelBot(PolicyBot):
    """The policy at the temperature of a level, from 1 to 6."""

    def __init__(self, level: int = LEVELS) -> None:
        if not 1 <= level <= LEVELS:
            raise ValueError(f"there is no level {level}; levels are 1 to {LEVELS}")
        self.level = level

    def heat(self, variant: str) -> int:
        """256 / temperature of the level."""
        return header(variant).heats[self.level - 1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--level", type=int, default=LEVELS, choices=range(1, LEVELS + 1))
    args, remaining = parser.parse_known_args(sys.argv[1:])
    run(LevelBot(args.level), remaining)
