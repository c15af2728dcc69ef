"""The house bots, each a program of its own on the SDK."""

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from arena.sdk import Bot


class HouseProgram(NamedTuple):
    """How a house bot is made: by its class, or as a program, `python -m MODULE ARGUMENTS`."""

    module: str
    class_name: str
    level: int | None = None
    quick: bool = False
    """Whether it answers in about a millisecond: a node need not leave that to another process."""

    def arguments(self) -> list[str]:
        """What follows `python -m`."""
        return [self.module, *(() if self.level is None else ("--level", str(self.level)))]


HOUSE_PROGRAMS = {
    "random": HouseProgram("bots.random_bot", "RandomBot", quick=True),
    "greedy": HouseProgram("bots.greedy", "GreedyBot", quick=True),
    "search": HouseProgram("bots.search", "SearchBot"),
    **{f"level{level}": HouseProgram("bots.levels", "LevelBot", level) for level in range(1, 7)},
    "policy": HouseProgram("bots.policy", "PolicyBot", quick=True),
    "expert": HouseProgram("bots.expert", "ExpertBot"),
}
"""The house bots by name."""
HOUSE_MODULES = {name: program.module for name, program in HOUSE_PROGRAMS.items()}
"""The module of each house bot by its name; `python -m MODULE` runs it."""
LADDER = ("random", *(name for name in HOUSE_PROGRAMS if name.startswith("level")), "expert")
"""The rungs from the weakest to the strongest."""


class UnknownHouseBotError(ValueError):
    """No house bot has this name."""


def is_house_name(name: str) -> bool:
    """Whether a house bot has this name, or one that differs by case alone."""
    return name.lower() in HOUSE_PROGRAMS


def house(name: str) -> "Bot":
    """A new house bot by its bare name. Raises UnknownHouseBotError."""
    if name not in HOUSE_PROGRAMS:
        raise UnknownHouseBotError(f"no house bot {name!r}; there are {', '.join(HOUSE_PROGRAMS)}")
    program = HOUSE_PROGRAMS[name]
    make = getattr(import_module(program.module), program.class_name)
    bot: Bot = make() if program.level is None else make(program.level)
    return bot
