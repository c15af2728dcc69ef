"""What is said of a bot that forfeits."""

import re
from pathlib import Path

from arena.launcher.processes import log_of
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
