"""One league, played undisturbed and disturbed: both have to come to the same."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from arena_command import league_file
from bots_in_tests import HOLDS, write_bot


class Unbroken(NamedTuple):
    """The finished league: its file, the data folder, and what `--json` told."""

    file: Path
    data: Path
    told: dict[str, Any]


def file_in(folder: Path, *, rounds: int = 4) -> Path:
    """The league's file: three bots, so a table and a bye in each round; one board in both orders.

    The bot by which rounds can be held (`held`) has the bye of round 2. One bot thinks in a process of its own.
    """
    bots = ("house:random", "house:level1", str(write_bot(folder, "holds", HOLDS)))
    more = "options = { months = 3 }\nper_decision_ms = 600000\n"
    return league_file(folder, bots, rounds=rounds, boards=1, more=more)


@contextmanager
def held(folder: Path, *rounds: int) -> Iterator[None]:
    """While the body runs, none of these rounds of the folder's league comes to its end, however long that is."""
    gates = [folder / f"hold.r{number}" for number in rounds]
    for gate in gates:
        gate.touch()
    try:
        yield
    finally:
        for gate in gates:
            gate.unlink()
