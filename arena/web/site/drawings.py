"""Drawings made on the server: error bars, a rating over time, the colours of a cross table."""

from collections.abc import Iterable, Sequence

import msgspec

from arena.league.estimates import Interval
from arena.league.table_row import Column, TableRow
from arena.organizer.ladder_table import LadderRow
from arena.web.report.cross import Cell, cross_cells
from arena.web.report.plots import ticks
from arena.web.site.bot_list import ListedBot
from arena.web.site.bots import RatingPoint
from arena.web.site.documents import TableDocument

WIDTH = 120.0
_EDGE = 4.0


class Bar(msgspec.Struct, frozen=True):
    """An estimate's error bar on the common scale of its column, in units of the drawing; `zero` is where 0 lies.

    A bar of which one end is unknown reaches to that edge of the drawing, and has no middle.
    """

    middle: float | None
    low: float
    high: float
    zero: float | None


_WITHOUT_LUCK = "adjusted_margin"
_LESS_THAN_WITHOUT_LUCK = ("margin", "margin_rating")


class Bars(msgspec.Struct, frozen=True):
    """The error bars of a column, None for an estimate without, and the axis on which all of them lie.

    The axis has so many places with their labels.
    """

    bars: list[Bar | None]
    axis: list[tuple[float, str]]


def estimates(columns: Iterable[Column], rows: Sequence[TableRow]) -> dict[str, Bars]:
    """Return the error bars of each column of estimates that is drawn, by its name.

    Where margins are shown without the luck too, these alone are drawn, as four drawings do not fit into a window.
    """
    names = [column.name for column in columns if column.is_estimate]
    if _WITHOUT_LUCK in names:
        names = [name for name in names if name not in _LESS_THAN_WITHOUT_LUCK]
    return {name: bars([getattr(row, name) for row in rows]) for name in names}


def rating_bars_of(bots: Sequence[ListedBot], variants: Iterable[str]) -> dict[str, Bars]:
    """Return the error bars of bots' ratings in each of these variants."""

    def rating(bot: ListedBot, variant: str) -> Interval | None:
        return bot.ratings[variant].rating if variant in bot.ratings else None

    return {variant: bars([rating(bot, variant) for bot in bots]) for variant in variants}


def rating_bars(rows: Sequence[LadderRow]) -> Bars:
    """Return the error bars of the ratings on a ladder."""
    return bars([row.interval for row in rows])


def bars(column: Sequence[Interval | None]) -> Bars:
    """Return the error bars of a column, all on one scale."""
    ends = _ends(interval for interval in column if interval is not None)
    if not ends:
        return Bars([None] * len(column), [])
    lowest, highest = min(ends), max(ends)
    unit = (WIDTH - 2 * _EDGE) / ((highest - lowest) or 1)

    def x(value: float) -> float:
        return round(_EDGE + (value - lowest) * unit, 1)

    zero = x(0) if lowest <= 0 <= highest else None

    def bar(interval: Interval) -> Bar:
        is_whole = interval.low is not None and interval.high is not None
        return Bar(
            middle=x(interval.value) if is_whole else None,
            low=0 if interval.low is None else x(interval.low),
            high=WIDTH if interval.high is None else x(interval.high),
            zero=zero,
        )

    drawn = [bar(interval) if interval is not None and interval.is_known else None for interval in column]
    return Bars(drawn, [(x(value), f"{value:g}") for value in ticks(lowest, highest, 3)])


def _ends(intervals: Iterable[Interval]) -> list[float]:
    """Return every value that has to have its place."""
    return [end for interval in intervals for end in (interval.low, interval.high) if end is not None]


class Curve(msgspec.Struct, frozen=True):
    """A rating over time: a line, the band around it, and its points, in a drawing of 600 by 160."""

    line: str
    band: str
    points: tuple[tuple[float, float, RatingPoint], ...]
    ticks: tuple[tuple[float, str], ...]
    versions: tuple[tuple[float, str], ...]
    """Where a version plays first, and its name in short."""


def curve(ratings: Sequence[RatingPoint]) -> Curve | None:
    """Return the ratings of one variant that have error bars, one point for each league, in the order of their times.

    None where there are fewer than two.
    """
    left, right, top, bottom = 48.0, 590.0, 10.0, 130.0
    points = [rating for rating in ratings if rating.rating.low is not None and rating.rating.high is not None]
    if len(points) < 2:
        return None
    ends = _ends(point.rating for point in points)
    lowest, highest = min(ends), max(ends)
    if highest - lowest < 1:
        lowest, highest = lowest - 1, highest + 1

    def y(value: float) -> float:
        return round(bottom - (value - lowest) / (highest - lowest) * (bottom - top), 1)

    places = [round(left + (right - left) * (index + 0.5) / len(points), 1) for index in range(len(points))]
    drawn = [(x, y(point.rating.value), point) for x, point in zip(places, points, strict=True)]
    lows, highs = ends[::2], ends[1::2]
    band = [*zip(places, highs, strict=True), *reversed([*zip(places, lows, strict=True)])]
    before = ["", *(point.version for point in points)]
    return Curve(
        line=" ".join(f"{x},{point_y}" for x, point_y, _ in drawn),
        band=" ".join(f"{x},{y(end)}" for x, end in band),
        points=tuple(drawn),
        ticks=tuple((y(value), f"{value:.0f}") for value in (lowest, (lowest + highest) / 2, highest)),
        versions=tuple(
            (x, point.version[:7])
            for (x, _, point), last in zip(drawn, before, strict=False)
            if point.version not in ("", last)
        ),
    )


def cross_table(table: TableDocument) -> list[tuple[str, list[Cell | None]]]:
    """What each bot of the table's first scored against each other one of them, by rank."""
    met = {bot for meeting in table.meetings for bot in (meeting.bot, meeting.opponent)}
    return cross_cells([row.bot for row in table.rows if row.bot in met][:40], table.meetings)
