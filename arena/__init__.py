"""The arena: matches, leagues, storage and the server around the rules.

`arena.play("house:search", MyBot(), variant="koikoi", seed=7)` plays a match in this process and returns it.
"""

from importlib import import_module
from typing import Any

_PLACES = {"play": "arena.playing", "PlayedMatch": "arena.playing"}


def __getattr__(name: str) -> Any:
    """What is offered here is imported when it is first asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
