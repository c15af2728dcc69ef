"""Baseline bots, each a program of its own on the SDK."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.sdk import Bot

HOUSE_MODULES = {"random": "bots.random_bot", "greedy": "bots.greedy", "search": "bots.search"}
"""The module of each house bot by its name; `python -m MODULE` runs it."""
_CLASSES = {"random": "RandomBot", "greedy": "GreedyBot", "search": "SearchBot"}


class UnknownHouseBotError(ValueError):
    """No house bot has this name."""


def is_house_name(name: str) -> bool:
    """Whether a house bot has this name, or one that differs by case alone."""
    return name.lower() in HOUSE_MODULES


def house(name: str) -> "Bot":
    """A new house bot by its bare name. Raises UnknownHouseBotError."""
    if name not in HOUSE_MODULES:
        raise UnknownHouseBotError(f"no house bot {name!r}; there are {', '.join(HOUSE_MODULES)}")
    made: Bot = getattr(import_module(HOUSE_MODULES[name]), _CLASSES[name])()
    return made
