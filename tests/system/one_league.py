"""One league, played undisturbed and disturbed: both have to come to the same."""

from pathlib import Path
from typing import Any, NamedTuple

from arena_command import league_file

BOTS = ("house:random", "house:greedy", "house:greedy")


class Unbroken(NamedTuple):
    """The finished league: its file, the data folder, and what `--json` told."""

    file: Path
    data: Path
    told: dict[str, Any]


def file_in(folder: Path, *, rounds: int = 3) -> Path:
    """The league's file: three bots, so a table and a bye in each round; three boards, each in both orders."""
    return league_file(folder, BOTS, rounds=rounds, boards=3, more="options = { months = 4 }\n")
