"""A ladder's table in the terminal."""

from collections.abc import Callable, Sequence
from typing import Literal

from rich import box
from rich.console import Console
from rich.table import Table

from arena.cli.fitting import Fitting
from arena.cli.output import harmless
from arena.league.estimates import NONE, rating_text
from arena.organizer.ladder_table import LadderRow, LadderView

_VERSION = 8
"""So many digits of a version are shown."""
_NAME, _OWNER = 16, 8
"""So wide are names at most, so that all columns are there on 80."""


_COLUMNS: dict[str, tuple[bool, Callable[[LadderRow], str]]] = {
    "version": (False, lambda row: row.version[:_VERSION] or NONE),
    "owner": (False, lambda row: row.owner or NONE),
    "rating": (True, lambda row: rating_text(row.interval)),
    "boards": (True, lambda row: str(row.boards)),
    "W-D-L": (True, lambda row: f"{row.won}-{row.drawn}-{row.lost}"),
    "last played (UTC)": (
        False,
        lambda row: f"{row.last_played[:10]} {row.last_played[11:16]}" if row.last_played else NONE,
    ),
}
"""The columns behind the name: whether they are numbers, and what they say."""
_FIRST_LEFT_OUT = ("last played (UTC)", "owner", "version", "W-D-L")


def print_ladder(console: Console, view: LadderView) -> None:
    """Print how a ladder stands."""
    console.print(
        f"Ladder {view.name}: {view.variant}, {view.state}. "
        f"Season {view.season}, round {view.round} of {view.rounds}, {view.matches} matches.",
        highlight=False,
        soft_wrap=True,
    )
    console.print(_table(view))
    console.print(
        "rating: Elo with 95 % error bars, 100 more win 64 %. boards: in all seasons. W-D-L: matches of this season.",
        highlight=False,
        soft_wrap=True,
    )
    if not view.rows:
        console.print(
            f"Nobody is on it: arena ladder enter {view.name} BOT", highlight=False, soft_wrap=True, markup=False
        )
    elif view.state == "waiting":
        console.print(
            "Its season begins at a node, arena serve, with bots enough for a table.", highlight=False, soft_wrap=True
        )
    if view.commitment:
        console.print(
            f"The season is league {view.league}. SHA-256 of its secret: {view.commitment}",
            highlight=False,
            soft_wrap=True,
        )


def _table(view: LadderView) -> Fitting:
    def draw(left_out: Sequence[str]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("#", justify="right", no_wrap=True)
        table.add_column("bot", no_wrap=True, overflow="ellipsis", max_width=_NAME)
        drawn = [heading for heading in _COLUMNS if heading not in left_out]
        for heading in drawn:
            wide = _OWNER if heading == "owner" else None
            justify: Literal["right", "left"] = "right" if _COLUMNS[heading][0] else "left"
            table.add_column(heading, justify=justify, no_wrap=True, overflow="ellipsis", max_width=wide)
        for row in view.rows:
            table.add_row(str(row.rank), harmless(row.bot), *(_COLUMNS[heading][1](row) for heading in drawn))
        return table

    return Fitting(draw, _FIRST_LEFT_OUT, [])
