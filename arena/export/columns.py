"""The tables that can be exported, and their columns."""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from arena.export import rows
from arena.export.played import PlayedMatch


class Kind(Enum):
    """What is in a column. In CSV whatever is a list is JSON; what is not known is empty there, else null."""

    TEXT = "text"
    NUMBER = "number"  # of 64 bits
    SMALL = "small"  # a number from 0 to 65,535
    SEAT = "seat"  # -1: nobody
    TIME = "time"  # ISO 8601, UTC
    JSON = "json"  # a text
    TEXTS = "texts"
    NUMBERS = "numbers"
    CARDS = "cards"
    HANDS = "hands"  # lists of cards
    CODES = "codes"  # of actions
    ZONES = "zones"  # objects: kind, seat, cards, count
    COUNTERS = "counters"  # objects: name, seat, value


LISTS = frozenset({Kind.TEXTS, Kind.NUMBERS, Kind.CARDS, Kind.HANDS, Kind.CODES, Kind.ZONES, Kind.COUNTERS})


class Column(NamedTuple):
    """A column's kind, and what it says."""

    kind: Kind
    about: str


class Table(NamedTuple):
    """What a row is, its columns, and how the rows of a match are made."""

    name: str
    row: str
    columns: Mapping[str, Column]
    rows: Callable[[PlayedMatch], Iterator[rows.Row]]


_MATCH = {
    "match": Column(Kind.TEXT, "the match's id, which is its replay's"),
    "league": Column(Kind.TEXT, "empty outside a league"),
    "round": Column(Kind.NUMBER, "empty outside a league"),
    "board": Column(Kind.TEXT, "matches of one board have the same cards; empty outside a league"),
    "time": Column(Kind.TIME, "when the league, or the single match, was made; of a file, when it was written"),
    "variant": Column(Kind.TEXT, "the game"),
}
_END = {
    "end": Column(Kind.TEXT, "how the match ended"),
    "offender": Column(Kind.SEAT, "the seat that forfeited, -1 for none"),
}

_TABLES = (
    Table(
        "matches",
        "match",
        {
            **_MATCH,
            "rules_version": Column(Kind.SMALL, "of the variant's rules"),
            "options": Column(Kind.JSON, "what differs from the variant's defaults"),
            "seed": Column(Kind.TEXT, "32 bytes in hexadecimal: all cards follow from it"),
            "bots": Column(Kind.TEXTS, "by seat"),
            "owners": Column(Kind.TEXTS, 'of the bots, by seat, "" for none; not known of a replay in a file'),
            "versions": Column(Kind.TEXTS, 'by seat: a digest, or NAME@ARENA_VERSION of a house bot; "" for none'),
            "decisions": Column(Kind.NUMBER, "how many there were"),
            **_END,
            "results": Column(Kind.NUMBERS, "by seat, in the variant's unit"),
            "placing": Column(Kind.NUMBERS, "the places by seat, from 1; equal places are shared"),
            "hash": Column(Kind.TEXT, "over all positions of the match"),
        },
        rows.match_rows,
    ),
    Table(
        "decisions",
        "decision",
        {
            **_MATCH,
            "number": Column(Kind.NUMBER, "in the match, from 1"),
            "month": Column(Kind.SMALL, "from 1"),
            "attempt": Column(Kind.SMALL, "which deal of its month, from 0"),
            "dealer": Column(Kind.SEAT, "the seat that deals"),
            "seat": Column(Kind.SEAT, "the seat that decides"),
            "bot": Column(Kind.TEXT, "whose seat it is"),
            "version": Column(Kind.TEXT, "its version, as in matches"),
            "phase": Column(Kind.TEXT, "what is decided"),
            "zones": Column(Kind.ZONES, "where cards lie, as far as the seat knows"),
            "counters": Column(Kind.COUNTERS, "the numbers that the seat knows; of seat -1: the table's"),
            "legal": Column(Kind.CODES, "the codes of the legal actions, ascending"),
            "legal_texts": Column(Kind.TEXTS, "the same as texts"),
            "action": Column(Kind.SMALL, "the code of what was chosen"),
            "action_text": Column(Kind.TEXT, "the same as a text"),
            "ms": Column(Kind.NUMBER, "how long it took; kept by `arena match play` alone"),
            **_END,
            "result": Column(Kind.NUMBER, "what the seat had at the end of the match"),
            "place": Column(Kind.SMALL, "its place there, from 1"),
        },
        rows.decision_rows,
    ),
    Table(
        "deals",
        "deal",
        {
            **_MATCH,
            "month": Column(Kind.SMALL, "from 1"),
            "attempt": Column(Kind.SMALL, "which deal of its month, from 0"),
            "dealer": Column(Kind.SEAT, "the seat that deals"),
            "bots": Column(Kind.TEXTS, "by seat"),
            "field": Column(Kind.CARDS, "the open cards dealt"),
            "hands": Column(Kind.HANDS, "the hands dealt, by seat"),
            "ending": Column(Kind.TEXT, "how the deal ended"),
            "winner": Column(Kind.SEAT, "-1: nobody"),
            "scores": Column(Kind.NUMBERS, "what it changed in the balances, by seat"),
            "balances": Column(Kind.NUMBERS, "after the deal, by seat"),
        },
        rows.deal_rows,
    ),
)

TABLES: Mapping[str, Table] = {table.name: table for table in _TABLES}
"""By what follows `arena export`."""
