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
from arena.packs.errors import SubmissionError
from arena.packs.manifest import MANIFEST, Manifest, read_manifest
from bots import HOUSE_PROGRAMS

HOUSE = "house:"
WASM = ".wasm"

_RUNTIMES = {".py": "python", WASM: "wasm"}
_VERSION = re.compile(r"[0-9a-f]{8,64}", re.ASCII)
_PROGRAMS = ("bot.py", "bot.js", "bot")
"""What the program in a folder without a manifest may be called."""


@dataclass(frozen=True)
class HouseBot:
    """A bot of the arena's own. It keeps nothing from one match to the next, so one process may play them all."""

    name: str

    def command(self) -> list[str]:
        """The command line that starts it, which imports nothing from the folder that it is started in."""
        return [sys.executable, "-P", "-m", *HOUSE_PROGRAMS[self.name].arguments()]


@dataclass(frozen=True)
class PathBot:
    """A program that the arena starts afresh for each match: a file, or a folder with its `manifest`."""

    path: Path
    manifest: Manifest | None = None

    @property
    def runtime(self) -> str:
        """The runtime of the cage that plays it."""
        return _RUNTIMES.get(self.path.suffix, "native") if self.manifest is None else self.manifest.runtime

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that it plays, by its manifest; none stands for all."""
        return () if self.manifest is None else self.manifest.variants

    def command(self) -> list[str]:
        """Return the command line that starts it: Python by the arena's own interpreter, anything else as it is."""
        if self.manifest is None:
            return [sys.executable, str(self.path)] if self.runtime == "python" else [str(self.path)]
        executable, *arguments = self.manifest.command
        return [sys.executable if self.runtime == "python" else str(self.path / executable), *arguments]

    @property
    def folder(self) -> Path | None:
        """The folder to start it in; None for that of the arena itself."""
        return None if self.manifest is None else self.path


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
    return tuple(f"{source.name}@{arena_version()}" if isinstance(source, HouseBot) else "" for source in sources)


def distinct(names: Sequence[str]) -> tuple[str, ...]:
    """The names; those that come more than once are numbered, `greedy-1`, `greedy-2`."""
    return tuple(
        name if names.count(name) == 1 else f"{name}-{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    )


@cache
def arena_version() -> str:
    """The version of this arena, which its house bots share."""
    return metadata.version("hanafuda-arena")


def names_a_path(text: str) -> bool:
    """Whether a text is taken for a path, and not for a registered name."""
    return "/" in text or text.endswith((".py", WASM))


def names_a_folder(text: str) -> bool:
    """Whether there is a folder of this name, which is not taken for a bot by path."""
    return not names_a_path(text) and Path(text).is_dir()


def folder_bot(folder: Path, text: str) -> PathBot:
    """The bot in a folder, which somebody named by `text`; BotSourceError where it has no manifest, or a bad one."""
    try:
        return PathBot(folder, read_manifest((folder / MANIFEST).read_bytes()))
    except FileNotFoundError:
        programs = [name for name in _PROGRAMS if (folder / name).is_file()]
        hint = f": name its program, {text.rstrip('/')}/{programs[0]}" if programs else ""
        raise BotSourceError(f"the folder {folder} has no {MANIFEST}{hint}") from None
    except OSError as error:
        raise BotSourceError(f"{folder / MANIFEST}: {error.strerror}") from error
    except SubmissionError as error:
        raise BotSourceError(f"{folder}: {error}") from error


def is_isolated(text: str) -> bool:
    """Whether nobody can reach the bot that a text names while it plays: a house bot, or one in a cage."""
    return text.startswith(HOUSE) or (not names_a_path(text) and "@" in text)


def parse_source(text: str, folder: Path | None = None) -> Source:
    """The bot that a text names; a relative path starts at `folder`, by default the current one.

    Raises BotSourceError: no such house bot, no such file, a file that cannot be started, a folder without a manifest,
    no version.
    """
    if text.startswith(HOUSE):
        name = text.removeprefix(HOUSE)
        if name not in HOUSE_PROGRAMS:
            raise BotSourceError(
                f"no house bot {text!r}; there are {', '.join(HOUSE + program for program in HOUSE_PROGRAMS)}"
            )
        return HouseBot(name)
    if names_a_path(text):
        # Not resolve(), which in Python 3.11 raises RuntimeError for a link that leads to itself.
        path = Path(os.path.realpath((folder or Path.cwd()) / text))
        if path.is_dir():
            return folder_bot(path, text)
        if not path.is_file():
            raise BotSourceError(f"no bot at {path}")
        if path.suffix not in (".py", WASM) and not os.access(path, os.X_OK):
            raise BotSourceError(f"the bot at {path} is neither a Python file, nor WebAssembly, nor executable")
        return PathBot(path)
    name, separator, version = text.partition("@")
    if not separator:
        return RegisteredBot(text)
    if _VERSION.fullmatch(version) is None:
        raise BotSourceError(f"{text!r}: what follows the @ is a version, at least 8 of its 64 hex digits")
    return SubmittedBot(name, version)
