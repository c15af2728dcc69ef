"""Where a match stands in its league, as the viewer's page tells it."""

from collections.abc import Awaitable, Callable

import msgspec


class MatchWay(msgspec.Struct, frozen=True):
    """Where a league's match stands. Replays are named by their ids: `previous` and `next` are "" at the round's ends.

    `same_board` are the other games that were played with the same cards, by the letters of their names.
    """

    league: str
    variant: str
    round: int
    table: int
    board: int
    same_board: tuple[tuple[str, str], ...]
    previous: str
    next: str


WayOf = Callable[[str], Awaitable[MatchWay | None]]
"""Finds the way from a replay to its league; None for a match of no league."""
