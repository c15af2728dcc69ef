"""Numbers that a bot's author leaves open: declared in `bot.toml`, tuned by `arena bot tune`."""

import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import TypeVar

VARIABLE = "ARENA_PARAMETERS"
"""The environment variable with values for this start of the bot, a JSON object by name."""
_MANIFEST = "bot.toml"

Number = TypeVar("Number", int, float)

asked: dict[str, float] = {}
"""The parameters that were asked for in this process, with the values that it has by itself."""


def parameter(name: str, default: Number) -> Number:
    """Return the value of a parameter of the bot: as it is tuned, as its `bot.toml` says, or else the default.

    Ask where the program begins, `K = parameter("k", 1.0)`; a whole number is asked for with a whole default. Raises
    ValueError for a value that is no number, or no whole one where one is needed.
    """
    tuned = json.loads(os.environ.get(VARIABLE) or "{}")
    declared_value = declared().get(name, default)
    value = tuned.get(name, declared_value)
    if isinstance(declared_value, int | float):
        asked[name] = declared_value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"parameter {name} is {value!r}, and has to be a number")
    if isinstance(default, int):
        if value != int(value):
            raise ValueError(f"parameter {name} is {value!r}, and has to be a whole number")
        return int(value)
    return float(value)


@cache
def declared() -> dict[str, object]:
    """The defaults in the table `[parameters]` of the `bot.toml` beside the program."""
    program = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        text = (Path(program or ".").resolve().parent / _MANIFEST).read_text("utf-8-sig")
    except OSError:
        return {}  # a program alone, or in a place that it cannot read: it has its own defaults
    import tomllib

    table = tomllib.loads(text).get("parameters", {})
    return {name: about["default"] for name, about in table.items() if isinstance(about, dict) and "default" in about}
