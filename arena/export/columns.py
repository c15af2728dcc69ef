"""The tables that can be exported, and their columns."""

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple

from arena.export import rows
from arena.export.played import PlayedMatch


class Kind(Enum):
    """What is in a column. In CSV whatever is a list is JSON; what is not known is empty there, else null."""

    TEXT = "text"
    NUMBER = "number"
    TIME = "time"  # ISO 8601, UTC
    JSON = "json"  # a text
    TEXTS = "texts"
    NUMBERS = "numbers"
    LISTS = "lists"  # of numbers
    ZONES = "zones"  # objects: kind, seat, cards, count
    COUNTERS = "counters"  # objects: name, seat, value


class Table(NamedTuple):
    """What a row is, the kind of each column, and how the rows of a match are made."""

    row: str
    columns: dict[str, Kind]
    rows: Callable[[PlayedMatch], Iterator[rows.Row]]


_MATCH = {
    "match": Kind.TEXT,
    "league": Kind.TEXT,
    "round": Kind.NUMBER,
    "board": Kind.TEXT,
    "time": Kind.TIME,
    "variant": Kind.TEXT,
}

TABLES = {
    "matches": Table(
        "match",
        {
            **_MATCH,
            "rules_version": Kind.NUMBER,
            "options": Kind.JSON,
            "seed": Kind.TEXT,
            "bots": Kind.TEXTS,
            "versions": Kind.TEXTS,
            "decisions": Kind.NUMBER,
            "end": Kind.TEXT,
            "offender": Kind.NUMBER,
            "results": Kind.NUMBERS,
            "placing": Kind.NUMBERS,
            "hash": Kind.TEXT,
        },
        rows.match_rows,
    ),
    "decisions": Table(
        "decision",
        {
            **_MATCH,
            "number": Kind.NUMBER,
            "month": Kind.NUMBER,
            "attempt": Kind.NUMBER,
            "dealer": Kind.NUMBER,
            "seat": Kind.NUMBER,
            "bot": Kind.TEXT,
            "version": Kind.TEXT,
            "phase": Kind.TEXT,
            "zones": Kind.ZONES,
            "counters": Kind.COUNTERS,
            "legal": Kind.NUMBERS,
            "legal_texts": Kind.TEXTS,
            "action": Kind.NUMBER,
            "action_text": Kind.TEXT,
            "ms": Kind.NUMBER,
            "end": Kind.TEXT,
            "offender": Kind.NUMBER,
            "result": Kind.NUMBER,
            "place": Kind.NUMBER,
        },
        rows.decision_rows,
    ),
    "deals": Table(
        "deal",
        {
            **_MATCH,
            "month": Kind.NUMBER,
            "attempt": Kind.NUMBER,
            "dealer": Kind.NUMBER,
            "bots": Kind.TEXTS,
            "field": Kind.NUMBERS,
            "hands": Kind.LISTS,
            "ending": Kind.TEXT,
            "winner": Kind.NUMBER,
            "scores": Kind.NUMBERS,
            "balances": Kind.NUMBERS,
        },
        rows.deal_rows,
    ),
}
"""By what follows `arena export`."""
