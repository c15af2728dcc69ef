"""Who beat whom: the cells of a cross table."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

SHADES = 8


class Meeting(Protocol):
    """All that one bot scored against another, in match points, of which a table has two."""

    @property
    def bot(self) -> str:
        """Whose points they are."""

    @property
    def opponent(self) -> str:
        """Against whom."""

    @property
    def tables(self) -> int:
        """At how many tables they met."""

    @property
    def match_points(self) -> float:
        """What the bot won there."""


class Cell(msgspec.Struct, frozen=True):
    """A cell of the cross table: match points of those played for; `shade` from 0 (all lost) to `SHADES` (all won)."""

    text: str
    shade: int


def cross_cells(names: Sequence[str], meetings: Iterable[Meeting]) -> list[tuple[str, list[Cell | None]]]:
    """Return what each of these bots scored against each other one of them; None where they did not meet."""
    met = {(meeting.bot, meeting.opponent): meeting for meeting in meetings if meeting.tables}
    return [(name, [_cell(met.get((name, opponent))) for opponent in names]) for name in names]


def _cell(meeting: Meeting | None) -> Cell | None:
    if meeting is None:
        return None
    available = 2 * meeting.tables
    return Cell(f"{meeting.match_points:g}/{available}", round(SHADES * meeting.match_points / available))
