"""How a bot is named: `house:NAME`, a path, a registered name, or `NAME@VERSION` of a submitted one."""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

from arena.launcher.errors import BotSourceError
from bots import HOUSE_MODULES

HOUSE = "house:"
WASM = ".wasm"

_VERSION = re.compile(r"[0-9a-f]{8,64}", re.ASCII)
_PROGRAMS = ("bot.py", "bot.js", "bot")
"""What the program in a bot's folder is called, as `arena bot new` calls it."""


@dataclass(frozen=True)
class HouseBot:
    """A bot of the arena's own. It keeps nothing from one match to the next, so one process may play them all."""

    name: str

    def command(self) -> list[str]:
        """The command line that starts it."""
        return [sys.executable, "-m", HOUSE_MODULES[self.name]]


@dataclass(frozen=True)
class PathBot:
    """A program that the arena starts afresh for each match."""

    path: Path

    @property
    def only_caged(self) -> bool:
        """Whether it cannot be started outside of a cage: WebAssembly has no network to connect with."""
        return self.path.suffix == WASM

    def command(self) -> list[str]:
        """The command line that starts it: Python files by the arena's own Python, anything else as it is."""
        return [sys.executable, str(self.path)] if self.path.suffix == ".py" else [str(self.path)]


@dataclass(frozen=True)
class RegisteredBot:
    """A bot that connects by itself, with its token."""

    name: str


@dataclass(frozen=True)
class SubmittedBot:
    """A version of a submitted bot, which the arena starts in a cage, afresh for each match.

    `version` is its digest, or the beginning of it where that is still to be looked up.
    """

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


Source = HouseBot | PathBot | RegisteredBot | SubmittedBot


def house_bots(sources: Sequence[Source]) -> tuple[str, ...]:
    """The bots of a match as its replay names house bots: `NAME@ARENA_VERSION`, "" for any other bot."""
    return tuple(f"{one.name}@{arena_version()}" if isinstance(one, HouseBot) else "" for one in sources)


@cache
def arena_version() -> str:
    """The version of this arena, which its house bots share."""
    return metadata.version("hanafuda-arena")


def names_a_path(text: str) -> bool:
    """Whether a text is taken for a path, and not for a registered name."""
    return "/" in text or text.endswith((".py", WASM))


def program_hint(text: str, folder: Path) -> str:
    """What to add where a folder that holds a bot was named in place of its program; "" for any other folder."""
    programs = [name for name in _PROGRAMS if (folder / name).is_file()]
    return f": name its program, {text.rstrip('/')}/{programs[0]}" if programs else ""


def hears_nothing(text: str) -> bool:
    """Whether the bot that a text names is out of reach while it plays: a house bot, or one in a cage."""
    return text.startswith(HOUSE) or (not names_a_path(text) and "@" in text)


def parse_source(text: str, folder: Path | None = None) -> Source:
    """The bot that a text names; a relative path starts at `folder`, by default the current one.

    Raises BotSourceError: no such house bot, no such file, a file that cannot be started, no version.
    """
    if text.startswith(HOUSE):
        name = text.removeprefix(HOUSE)
        if name not in HOUSE_MODULES:
            raise BotSourceError(
                f"no house bot {text!r}; there are {', '.join(HOUSE + known for known in HOUSE_MODULES)}"
            )
        return HouseBot(name)
    if names_a_path(text):
        path = ((folder or Path.cwd()) / text).resolve()
        if path.is_dir():
            raise BotSourceError(f"{path} is a folder, not a bot{program_hint(text, path)}")
        if not path.is_file():
            raise BotSourceError(f"no bot at {path}")
        if path.suffix not in (".py", WASM) and not os.access(path, os.X_OK):
            raise BotSourceError(f"the bot at {path} is neither a Python file, nor WebAssembly, nor executable")
        return PathBot(path)
    name, at, version = text.partition("@")
    if not at:
        return RegisteredBot(text)
    if _VERSION.fullmatch(version) is None:
        raise BotSourceError(f"{text!r}: behind the @ stands a version, by at least 8 of its 64 hex digits")
    return SubmittedBot(name, version)
