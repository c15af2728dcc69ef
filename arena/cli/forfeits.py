"""What is said of a bot that forfeits."""

import re
from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from arena.launcher.processes import log_of
from arena.launcher.sources import HOUSE, HouseBot, PathBot, Source
from arena.match.model import End, MatchResult

_NUMBER = re.compile(r"\d+")


Kind = tuple[End, str]


def forfeit_kind(result: MatchResult) -> Kind:
    """What tells a forfeit from others of another kind: its text up to its details, without numbers."""
    return result.end, _NUMBER.sub("", result.text.partition(":")[0])


def what_it_wrote(logs: Path, group: str, name: str) -> str:
    """A line that says where a bot's output is, if there is any."""
    log = log_of(logs, group, name)
    return f"\nwhat it wrote: {log}" if log.exists() and log.stat().st_size else ""


def ask_again(replay: str, by_path: Mapping[int, str], flags: str = "") -> str:
    """A line with the command that plays a kept match again, with the bots of these seats as they are then."""
    seats = "".join(f" --seat {seat}={quote(bot)}" for seat, bot in by_path.items())
    return f"\nonce it is mended, ask it again: arena replay rerun {quote(replay)}{seats}{flags}"


def named_here(source: Source) -> str:
    """Return a bot as a person would name it in this folder."""
    if not isinstance(source, PathBot):
        return f"{HOUSE}{source.name}" if isinstance(source, HouseBot) else str(source)
    folder = Path.cwd()
    return f"./{source.path.relative_to(folder)}" if source.path.is_relative_to(folder) else str(source.path)
