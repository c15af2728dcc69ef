"""A league in one page: its tables, plots, who beat whom, and matches worth seeing, to be sent and shown anywhere."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from arena.league.estimates import RATINGS_NOT_YET, Interval
from arena.league.plurals import pluralize
from arena.league.results import score_match
from arena.league.table_row import Shown, TableRow, columns_of, rows_of
from arena.league.tables import DivisionTable, LeagueTable
from arena.league.values import parts
from arena.replays import ReplayRecord
from arena.web.environment import environment_in
from arena.web.language import ENGLISH, Language, message
from arena.web.report.cross import Cell, cross_cells
from arena.web.report.plots import NARROW, WIDE, Format, Row, intervals, lines
from arena.web.report.tables import grid, paragraph
from arena.web.viewer.alone import fragment as match_fragment

MAX_ROWS = 500
MAX_DRAWN = 40
"""Bots of a plot of intervals and of a cross table."""
MAX_LINES = 12
_WON = message("Matches won, round by round; a draw is half a win"), message("won")
_POINTS = message("Game points by round"), message("points")
_ELO, _MARGIN = message("Elo, 95 %"), message("points a match, 95 %")
"""What is plotted, and the units."""
_STYLES = ("tokens.css", "base.css", "site.css")


STATUS, BOTS, PLAYED = message("status"), message("bots"), message("played")
COMMITMENT, SECRET = message("SHA-256 of the secret"), message("secret")
"""What a report's facts are called."""


class Match(NamedTuple):
    """A match of a league: its id, round, bots and results by seat, and the seat that forfeited it, -1 for none."""

    id: str
    variant: str
    round: int
    bots: Sequence[str]
    results: Sequence[int]
    offender: int = -1


class BestMatch(NamedTuple):
    """A match worth seeing, and why."""

    why: str
    match: Match


class LeagueReport(NamedTuple):
    """What a report is made of; `facts` are names and texts, `best` matches worth seeing with their records."""

    name: str
    facts: Sequence[tuple[str, str]]
    tables: LeagueTable
    matches: Sequence[Match]
    best: Sequence[tuple[BestMatch, ReplayRecord]]


def best_matches(tables: LeagueTable, matches: Sequence[Match]) -> list[BestMatch]:
    """Choose what is worth seeing of each division: the leaders' closest match, the largest win, the highest result."""
    chosen: list[BestMatch] = []
    for table in tables.divisions:
        played = [match for match in matches if match.variant == table.variant and match.offender < 0]
        leaders = {standing.name for standing in table.standings[:2]}
        between = [match for match in played if leaders <= set(match.bots)]
        for why, candidates, worth in (
            (message("The two leaders' closest match"), between, lambda match: -_lead(match.results)),
            (message("The largest win"), played, lambda match: _lead(match.results)),
            (message("The highest result"), played, lambda match: max(match.results)),
        ):
            taken = {best.match.id for best in chosen}
            choice = max((match for match in candidates if match.id not in taken), key=worth, default=None)
            if choice is not None:
                chosen.append(BestMatch(why, choice))
    return chosen


def page(report: LeagueReport, language: Language = ENGLISH) -> str:
    """Return the report as a file of HTML."""
    shown = {table.variant: rows_of(table)[:MAX_ROWS] for table in report.tables.divisions}
    text: str = (
        environment_in(language)
        .get_template("report.html")
        .render(
            report=report,
            style="\n".join(_style(name) for name in _STYLES),
            rows=shown,
            columns={table.variant: columns_of(table, Shown.PAGE) for table in report.tables.divisions},
            plots={
                table.variant: _plots(table, shown[table.variant], report.matches, language)
                for table in report.tables.divisions
            },
            cross={table.variant: _cross(table) for table in report.tables.divisions},
            best={
                table.variant: [
                    (best, match_fragment(record, language=language))
                    for best, record in report.best
                    if best.match.variant == table.variant
                ]
                for table in report.tables.divisions
            },
            not_yet=RATINGS_NOT_YET,
            max_rows=MAX_ROWS,
        )
    )
    return text


def fragment(name: str, table: DivisionTable) -> str:
    """Return a division's table and ratings as HTML that stands in a notebook."""
    columns = columns_of(table, Shown.PAGE)
    rows = rows_of(table)[:MAX_ROWS]
    head = paragraph(f"{name}, {table.variant}, after {pluralize(table.rounds, 'round')}")
    legend = paragraph(" · ".join(f"{column.heading}: {column.meaning}" for column in columns if column.meaning))
    cross = [
        [f"{rank} {bot}", *("" if cell is None else cell.text for cell in cells)]
        for rank, (bot, cells) in enumerate(_cross(table), start=1)
    ]
    drawn = "".join(svg for _, svg in _estimates(table, rows, ENGLISH))
    table_text = grid([column.heading for column in columns], [[c.cell(row) for c in columns] for row in rows], 2)
    return f"{head}{table_text}{legend}{drawn}{grid(['', *map(str, range(1, len(cross) + 1))], cross)}"


def _lead(results: Sequence[int]) -> int:
    best, second, *_ = sorted(results, reverse=True)
    return best - second


def _plots(
    table: DivisionTable, rows: Sequence[TableRow], matches: Sequence[Match], language: Language
) -> list[tuple[str, str]]:
    """Return a division's plots with their titles, each for a page and for a phone."""
    drawings = [
        (title, f"{_of('wide', wide)}{_of('narrow', narrow)}")
        for (title, wide), (_, narrow) in zip(
            _estimates(table, rows, language), _estimates(table, rows, language, NARROW), strict=True
        )
    ]
    series = _won(table, [match for match in matches if match.variant == table.variant])
    if series:
        title, unit = _WON if table.seats == 2 else _POINTS
        steps = language.gettext("rounds")
        wide, narrow = (lines(series, steps, language.text(unit), form=form) for form in (WIDE, NARROW))
        drawings.append((language.text(title), f"{_of('wide', wide)}{_of('narrow', narrow)}"))
    return drawings


def _of(kind: str, plot: str) -> str:
    return f'<div class="{kind}">{plot}</div>'


def _estimates(
    table: DivisionTable, rows: Sequence[TableRow], language: Language, form: Format = WIDE
) -> list[tuple[str, str]]:
    rated = _with_intervals({row.bot: row.rating for row in rows})
    margins = _with_intervals({row.bot: row.margin_rating for row in rows})
    drawings = []
    if rated and table.is_rated:
        drawings.append((language.gettext("Ratings"), intervals(rated, language.text(_ELO), 1500, form)))
    if margins:
        unit = language.text(_MARGIN)
        drawings.append((language.gettext("Margin ratings"), intervals(margins, unit, 0, form)))
    return drawings


def _with_intervals(estimates: dict[str, Interval | None]) -> list[Row]:
    """Return the rows of those estimates that have an interval, the highest on top."""
    rows = [Row(bot, of.value, of.low, of.high) for bot, of in estimates.items() if of is not None and of.is_known]
    return sorted(rows, key=lambda row: -row.value)[:MAX_DRAWN]


def _won(table: DivisionTable, matches: Sequence[Match]) -> list[tuple[str, list[float]]]:
    """Return the first bots of a table, each with what it had won of its matches after each round."""
    of_round: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for match in matches:
        score = score_match(match.results, match.offender if match.offender >= 0 else None)
        for bot, half in zip(match.bots, score.half_points, strict=True):
            of_round[bot][match.round] += half / (2 * parts(len(match.bots)))
    series = []
    for standing in table.standings[:MAX_LINES]:
        total, values = 0.0, [0.0]
        for number in range(1, table.rounds + 1):
            total += of_round[standing.name][number]
            values.append(total)
        series.append((standing.name, values))
    return series if matches else []


def _cross(table: DivisionTable) -> list[tuple[str, list[Cell | None]]]:
    """Return what each of the first bots scored against each other one."""
    return cross_cells([standing.name for standing in table.standings[:MAX_DRAWN]], table.head_to_head)


@cache
def _style(name: str) -> str:
    return (files("arena.web") / "styles" / name).read_text("utf-8")
