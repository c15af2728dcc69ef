"""A ladder's table in the terminal."""

from rich import box
from rich.console import Console
from rich.table import Table

from arena.cli.output import harmless
from arena.league.estimates import NONE, rating_text
from arena.organizer.ladder_table import LadderView

_VERSION = 8
"""So many digits of a version are shown."""
_NAME, _OWNER = 16, 8
"""So wide are names at most, so that all columns are there on 80."""


def print_ladder(console: Console, view: LadderView) -> None:
    """Print how a ladder stands."""
    console.print(
        f"Ladder {view.name}: {view.variant}, {view.state}. "
        f"Season {view.season}, round {view.round} of {view.rounds}, {view.matches} matches.",
        highlight=False,
        soft_wrap=True,
    )
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True, overflow="ellipsis", max_width=_NAME)
    table.add_column("version", no_wrap=True)
    table.add_column("owner", no_wrap=True, overflow="ellipsis", max_width=_OWNER)
    table.add_column("rating", justify="right", no_wrap=True)
    table.add_column("boards", justify="right", no_wrap=True)
    table.add_column("W-D-L", justify="right", no_wrap=True)
    table.add_column("last played (UTC)", no_wrap=True)
    for row in view.rows:
        table.add_row(
            str(row.rank),
            harmless(row.bot),
            row.version[:_VERSION] or NONE,
            row.owner or NONE,
            rating_text(row.interval),
            str(row.boards),
            f"{row.won}-{row.drawn}-{row.lost}",
            f"{row.last_played[:10]} {row.last_played[11:16]}" if row.last_played else NONE,
        )
    console.print(table)
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
        console.print("Its season begins at a node, arena serve, with bots enough for a table.", highlight=False)
    if view.commitment:
        console.print(
            f"The season is league {view.league}. SHA-256 of its secret: {view.commitment}",
            highlight=False,
            soft_wrap=True,
        )
