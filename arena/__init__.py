"""The arena: matches, leagues, storage and the server around the rules.

In one line each, in the caller's process: `arena.play("house:search", MyBot())` plays a match, `arena.match_test(MyBot,
"house:greedy")` tests whether one bot is better than another, `arena.league(MyBot, "house:greedy", "house:search")`
plays a league. What they return draws itself in a notebook.
"""

from importlib import import_module
from typing import Any

_PLACES = {
    "play": "arena.playing.match",
    "PlayedMatch": "arena.playing.match",
    "match_test": "arena.playing.trial",
    "MatchTest": "arena.playing.trial",
    "league": "arena.league",
    "PlayedLeague": "arena.playing.league",
}


def __getattr__(name: str) -> Any:
    """What is offered here is imported when it is first asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(_PLACES[name])
    return module if name == "league" else getattr(module, name)
