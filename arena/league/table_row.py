"""A row of a division's table, and its columns: what each is called, counts, means, and how it is written.

The rows on pages, in JSON and CSV, in the terminal's tables and on the wire all follow from the columns declared here.
A new column is one more field of `TableRow`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Flag, auto
from typing import Annotated, Any, get_type_hints

import msgspec
from msgspec import UNSET

from arena.league.estimates import (
    NONE,
    Interval,
    Say,
    margin_text,
    number_text,
    percent_text,
    rating_text,
    signed_text,
)
from arena.league.standings import Standing
from arena.league.tables import DivisionTable


class Shown(Flag):
    """Where people see a column; programs get all of them."""

    NOWHERE = 0
    TERMINAL = auto()
    """In the terminal's table of the standings."""
    RATINGS = auto()
    """In the terminal's table of the ratings."""
    PAGE = auto()
    """In the table of a league's page."""
    ADJUSTED = auto()
    """In the terminal's table of margins without the luck."""
    BOTH = TERMINAL | PAGE


@dataclass(frozen=True)
class Unit:
    """What a column is counted in, and how a value is written.

    `of_parts` is how many of what the league counts make one, by the table's `parts`; None where it counts the same.
    """

    name: str
    text: Callable[..., str] = str
    of_parts: Callable[[int], int] | None = None


NUMBER = Unit("")
FEW = Unit("", lambda number: str(number or ""))
PLACE = Unit("place", lambda place: NONE if place is None else f"{place:.2f}")
MATCH_POINTS = Unit("match points", number_text, lambda parts: parts)
GAME_POINTS = Unit("game points", number_text, lambda parts: 2 * parts)
OPPONENTS_POINTS = Unit("match points", number_text, lambda parts: parts**2)
POINTS = Unit("points of the game", number_text, lambda parts: parts)
POINTS_A_MATCH = Unit("points of the game", margin_text)
SIGNED_POINTS = Unit("points of the game", signed_text)
ELO = Unit("Elo", rating_text)
PROBABILITY = Unit("probability", percent_text)


@dataclass(frozen=True)
class Source:
    """Where a row comes from: a division's table, a bot's standing in it, and how many bots have each place."""

    table: DivisionTable
    standing: Standing
    places: Counter[int]

    @property
    def bot(self) -> str:
        """The bot's name."""
        return self.standing.name

    @property
    def shares_place(self) -> bool:
        """Whether the results do not tell the bot from another one."""
        return self.places[self.table.places.get(self.bot, 0)] > 1


def _always(_table: DivisionTable) -> bool:
    return True


@dataclass(frozen=True)
class Column:
    """A column of a division's table, declared on the field of `TableRow` that holds its values.

    `heading`, `meaning` and `text` are for people; the text is the unit's unless the column has its own, of the whole
    row. The column is shown in the tables that it `applies` to. `raw` is the value as the league counts it, by default
    the standing's field of the same name. `wire` is where the message `TableRow` has it: a field, or `tie_breaks.KEY`.
    """

    heading: str = ""
    meaning: str = ""
    unit: Unit = NUMBER
    shown: Shown = Shown.NOWHERE
    applies: Callable[[DivisionTable], bool] = _always
    raw: Callable[[Source], Any] | None = None
    text: Callable[["TableRow"], str] | None = None
    wire: str = ""
    name: str = ""
    """That of the field: the key in JSON, the heading in CSV."""
    is_estimate: bool = False
    """Whether the field holds an `Interval`."""

    def raw_value(self, source: Source) -> Any:
        """Return the value as the league counts it."""
        return getattr(source.standing, self.name) if self.raw is None else self.raw(source)

    def value(self, source: Source) -> Any:
        """Return the value in the column's unit."""
        value = self.raw_value(source)
        return value if self.unit.of_parts is None else value / self.unit.of_parts(source.table.parts)

    def cell(self, row: "TableRow", say: Say = str) -> str:
        """Return the column's text in a row; `say` tells the words of an estimate in another language."""
        if self.text is not None:
            return self.text(row)
        value = getattr(row, self.name)
        return self.unit.text(value, say) if self.is_estimate else self.unit.text(value)


def _has_two_seats(table: DivisionTable) -> bool:
    return table.seats == 2


def _has_more_seats(table: DivisionTable) -> bool:
    return table.seats > 2


def _has_byes(table: DivisionTable) -> bool:
    return any(standing.byes for standing in table.standings)


def _has_forfeits(table: DivisionTable) -> bool:
    return any(standing.forfeits for standing in table.standings)


def _is_rated(table: DivisionTable) -> bool:
    return table.is_rated


def _is_adjusted(table: DivisionTable) -> bool:
    return table.adjusted is not UNSET


def _adjusted_margin(source: "Source") -> Interval | None:
    adjusted = source.table.adjusted
    return None if adjusted is UNSET else Interval.of_margin(adjusted.margins.get(source.bot))


def _mean_luck(source: "Source") -> float | None:
    adjusted = source.table.adjusted
    return None if adjusted is UNSET else adjusted.luck.get(source.bot)


def _is_compared(table: DivisionTable) -> bool:
    return bool(table.best)


def _record(row: "TableRow") -> str:
    return f"{row.won}-{row.drawn}-{row.lost}"


def _place(row: "TableRow") -> str:
    return NONE if row.place is None else f"{row.place}{'=' if row.place_shared else ''}"


class TableRow(msgspec.Struct, frozen=True):
    """One bot's line of a division's table, with all that is known of the bot there."""

    rank: Annotated[int, Column("#", shown=Shown.BOTH, wire="rank")]
    bot: Annotated[str, Column("bot", shown=Shown.BOTH, raw=lambda source: source.bot, wire="bot")]
    match_points: Annotated[
        float, Column("MP", "match points, 2 a table won", MATCH_POINTS, Shown.BOTH, wire="match_points")
    ]
    game_points: Annotated[
        float, Column("GP", "game points, 1 a match won", GAME_POINTS, Shown.BOTH, wire="game_points")
    ]
    buchholz_cut_1: Annotated[
        float,
        Column(
            "BH-1",
            "Buchholz but for the weakest opponent",
            OPPONENTS_POINTS,
            Shown.TERMINAL,
            wire="tie_breaks.buchholz_cut_1",
        ),
    ]
    buchholz: Annotated[
        float,
        Column(
            "BH", "Buchholz, the opponents' match points", OPPONENTS_POINTS, Shown.TERMINAL, wire="tie_breaks.buchholz"
        ),
    ]
    sonneborn_berger: Annotated[
        float,
        Column("SB", "Sonneborn-Berger", OPPONENTS_POINTS, Shown.TERMINAL, wire="tie_breaks.sonneborn_berger"),
    ]
    direct_encounter: Annotated[
        int, Column("DE", "direct encounter", NUMBER, Shown.TERMINAL, wire="tie_breaks.direct_encounter")
    ]
    total_margin: Annotated[
        float, Column(unit=POINTS, raw=lambda source: source.standing.margin, wire="tie_breaks.margin")
    ]
    played: Annotated[int, Column("matches", "matches played", NUMBER, Shown.PAGE, _has_more_seats, wire="matches")]
    won: Annotated[int, Column("W-D-L", "matches won, drawn, lost", NUMBER, Shown.BOTH, _has_two_seats, text=_record)]
    drawn: Annotated[int, Column()]
    lost: Annotated[int, Column()]
    mean_place: Annotated[float | None, Column("place", "mean place in a match", PLACE, Shown.BOTH, _has_more_seats)]
    margin: Annotated[
        Interval | None,
        Column(
            "margin",
            "points a match, mean with 95 % error bars",
            POINTS_A_MATCH,
            Shown.BOTH | Shown.ADJUSTED,
            raw=lambda source: Interval.of_margin(source.table.margins.get(source.bot)),
            wire="margin",
        ),
    ]
    adjusted_margin: Annotated[
        Interval | None,
        Column(
            "adjusted",
            "the margin without the luck of the cards, with its own 95 % error bars",
            POINTS_A_MATCH,
            Shown.PAGE | Shown.ADJUSTED,
            _is_adjusted,
            raw=_adjusted_margin,
            wire="adjusted_margin",
        ),
    ]
    luck: Annotated[
        float | None,
        Column(
            "luck",
            "points a match that the cards brought",
            SIGNED_POINTS,
            Shown.PAGE | Shown.ADJUSTED,
            _is_adjusted,
            raw=_mean_luck,
            wire="luck",
        ),
    ]
    margin_rating: Annotated[
        Interval | None,
        Column(
            "m-rating",
            "margin rating, points a match above the field's mean whomever the bot met, with 95 % error bars",
            POINTS_A_MATCH,
            Shown.BOTH,
            raw=lambda source: Interval.of_margin(source.table.margin_ratings.get(source.bot)),
            wire="margin_rating",
        ),
    ]
    byes: Annotated[int, Column("B", "byes", FEW, Shown.BOTH, _has_byes, wire="byes")]
    forfeits: Annotated[int, Column("F", "matches forfeited", FEW, Shown.BOTH, _has_forfeits, wire="forfeits")]
    rating: Annotated[
        Interval | None,
        Column(
            "rating",
            "Elo with 95 % error bars, 1500 the mean; 100 more win 64 %, 200 more 76 %",
            ELO,
            Shown.RATINGS | Shown.PAGE,
            _is_rated,
            raw=lambda source: Interval.of_rating(source.table.ratings.get(source.bot)),
            wire="rating",
        ),
    ]
    best: Annotated[
        float | None,
        Column(
            "best",
            "how likely the bot is the strongest",
            PROBABILITY,
            Shown.BOTH,
            _is_compared,
            raw=lambda source: source.table.best.get(source.bot),
            wire="best",
        ),
    ]
    place: Annotated[
        int | None,
        Column(
            "tied",
            "1= is a place shared by bots that these results cannot tell apart",
            NUMBER,
            Shown.BOTH,
            _is_compared,
            raw=lambda source: source.table.places.get(source.bot),
            text=_place,
            wire="place",
        ),
    ]
    place_shared: Annotated[bool, Column(raw=lambda source: source.shares_place)]


def _declared() -> tuple[Column, ...]:
    """Return the columns that the fields of `TableRow` declare, in their order."""
    hints = get_type_hints(TableRow, include_extras=True)
    return tuple(
        replace(hints[name].__metadata__[0], name=name, is_estimate=hints[name].__origin__ == Interval | None)
        for name in TableRow.__struct_fields__
    )


COLUMNS = _declared()


def sources(table: DivisionTable) -> Iterator[Source]:
    """Yield where each row of a table comes from, the best first."""
    places = Counter(table.places.values())
    for standing in table.standings:
        yield Source(table, standing, places)


def rows_of(table: DivisionTable) -> tuple[TableRow, ...]:
    """Return the rows of a table, the best first."""
    return tuple(TableRow(**{column.name: column.value(source) for column in COLUMNS}) for source in sources(table))


def columns_of(table: DivisionTable, shown: Shown) -> tuple[Column, ...]:
    """Return the columns that people see of a table there, in their order."""
    return tuple(column for column in COLUMNS if column.shown & shown and column.applies(table))
