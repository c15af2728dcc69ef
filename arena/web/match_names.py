"""What the name of a league's match tells: its league, its round, its table."""

import re
from typing import NamedTuple

from core_ext import VARIANTS

_OF_LEAGUE = re.compile(
    r"(?P<league>.+)\.(?P<variant>[^.]+)\.r(?P<round>\d{1,9})\.(?P<name>t(?P<table>\d{1,9})\.b(?P<board>\d{1,9})\.[a-z])"
)
"""The name of a league's match, which is its replay's as well."""


class MatchPlace(NamedTuple):
    """Where a league's match stands; `name` is the one that it has within its round."""

    league: str
    variant: str
    round: int
    table: int
    board: int
    name: str


def place_of(match_id: str) -> MatchPlace | None:
    """Return where a match stands, None for one of no league."""
    parts = _OF_LEAGUE.fullmatch(match_id)
    if parts is None or parts["variant"] not in VARIANTS:
        return None
    number, table, board = (int(parts[group]) for group in ("round", "table", "board"))
    return MatchPlace(parts["league"], parts["variant"], number, table, board, parts["name"])
