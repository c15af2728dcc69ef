"""Leagues as pure functions over plain values: files, boards, pairing, standings, statistics.

The package can be called: `arena.league(MyBot, "house:greedy")` is `arena.playing.league.league`, which plays a league.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _League(ModuleType):
    """A package that plays a league where it is called by its name."""

    def __call__(self, *bots: Any, **settings: Any) -> Any:
        """Play a league in this process, as `arena.playing.league.league` does."""
        return import_module("arena.playing.league").league(*bots, **settings)


sys.modules[__name__].__class__ = _League
