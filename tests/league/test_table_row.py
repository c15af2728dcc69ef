"""The columns of a table: declared once, the same on the wire, in JSON, in CSV, on pages and in the terminal."""

import csv
import io
import random

import msgspec
import pytest
from league_events import play_league
from rich.console import Console

from arena.cli.league_view import ratings, standings
from arena.league.estimates import Interval, margin_text, rating_text
from arena.league.reader import parse_league
from arena.league.table_row import COLUMNS, Shown, columns_of, rows_of
from arena.league.tables import DivisionTable, LeagueTable, league_table
from arena.league.values import Entrant
from arena.services.leagues import division_message
from arena.web.site.table_csv import table_csv
from hanafuda.arena.v1 import league_pb2

PUBLISHED = {
    *("rank", "bot", "match_points", "game_points", "played", "won", "drawn", "lost", "byes", "forfeits"),
    *("margin", "margin_rating", "rating", "best", "place"),
}
"""Keys that programs read; more may come."""
NAMES = ["ant", "bee", "cat", "dog", "elk"]


@pytest.fixture(scope="module", params=["koikoi", "sangohana"])
def table(request: pytest.FixtureRequest) -> DivisionTable:
    return played(request.param).divisions[0]


def played(variant: str) -> LeagueTable:
    """A league with byes and forfeits."""
    text = f'name = "rows"\nvariant = "{variant}"\nrounds = 4\nboards = 4\nentries = {NAMES}\n'
    spec = parse_league(text, "rows.toml")
    entrants = [Entrant(name) for name in NAMES]
    strength = {name: 9 * place for place, name in enumerate(NAMES)}
    rounds = play_league(spec, spec.division(), entrants, strength, random.Random(3), forfeits=0.05)
    return league_table(spec, {variant: (entrants, rounds)})


def test_published_keys_stay_and_every_column_that_people_see_has_a_meaning() -> None:
    assert {column.name for column in COLUMNS} >= PUBLISHED
    for column in COLUMNS:
        assert not column.shown or column.heading
        assert column.name in ("rank", "bot") or not column.heading or column.meaning
    for shown in (Shown.TERMINAL, Shown.RATINGS, Shown.PAGE):
        headings = [column.heading for column in COLUMNS if shown in column.shown]
        assert len(headings) == len(set(headings))


def test_csv_has_every_value_of_json(table: DivisionTable) -> None:
    rows = rows_of(table)
    told = list(csv.DictReader(io.StringIO(table_csv(rows))))
    for row, line in zip(msgspec.to_builtins(rows), told, strict=True):
        flat = dict(row)
        for name in ("margin", "adjusted_margin", "margin_rating", "rating"):
            interval = flat.pop(name) or dict.fromkeys(("value", "low", "high"))
            flat |= {f"{name}_{end}": value for end, value in interval.items()}
        assert line == {key: "" if value is None else str(value) for key, value in flat.items()}


def test_a_name_that_a_spreadsheet_would_run_is_made_harmless_in_csv(table: DivisionTable) -> None:
    row = msgspec.structs.replace(rows_of(table)[0], bot="=1+1")
    assert "'=1+1" in table_csv([row])


def test_the_wire_has_the_same_values_counted_in_parts(table: DivisionTable) -> None:
    message = division_message(table, {})
    for row, sent in zip(rows_of(table), message.rows, strict=True):
        assert (sent.rank, sent.bot, sent.byes, sent.forfeits) == (row.rank, row.bot, row.byes, row.forfeits)
        assert sent.match_points == row.match_points * table.parts
        assert sent.game_points == row.game_points * 2 * table.parts
        assert dict(sent.tie_breaks) == {
            "buchholz_cut_1": round(row.buchholz_cut_1 * table.parts**2),
            "buchholz": round(row.buchholz * table.parts**2),
            "sonneborn_berger": round(row.sonneborn_berger * table.parts**2),
            "direct_encounter": row.direct_encounter,
            "margin": round(row.total_margin * table.parts),
        }
        assert row.margin == Interval(sent.margin.value, sent.margin.low, sent.margin.high)
        assert row.margin_rating == Interval(sent.margin_rating.value, sent.margin_rating.low, sent.margin_rating.high)
        assert row.rating == Interval(sent.rating.value, sent.rating.low, sent.rating.high)
        assert (sent.matches, sent.best, sent.place) == (row.played, row.best, row.place)


def test_a_bot_without_a_match_has_no_estimates_on_the_wire() -> None:
    spec = parse_league(f'name = "rows"\nvariant = "koikoi"\nrounds = 4\nboards = 4\nentries = {NAMES}\n', "rows.toml")
    [table] = league_table(spec, {"koikoi": ([Entrant(name) for name in NAMES], [])}).divisions
    for row, sent in zip(rows_of(table), division_message(table, {}).rows, strict=True):
        assert (row.margin, row.margin_rating, row.rating, row.best, row.place, row.mean_place) == (None,) * 6
        assert not any(sent.HasField(field) for field in ("margin", "margin_rating", "rating", "best", "place"))


def test_the_terminal_writes_each_cell_as_a_page_does(table: DivisionTable) -> None:
    console = Console(width=200)
    with console.capture() as capture:
        console.print(standings("rows", table))
        console.print(ratings("rows", LeagueTable((table,), (), table.ratings), [table]))
    told = capture.get()
    for row in rows_of(table):
        cells = [column.cell(row) for column in columns_of(table, Shown.TERMINAL)]
        assert " ".join(filter(None, cells)) in [" ".join(line.split()) for line in told.splitlines()]
        assert f"{row.bot} {rating_text(row.rating)}" in [" ".join(line.split()) for line in told.splitlines()]


def test_a_column_stands_only_in_tables_that_have_something_to_say_in_it() -> None:
    two, more = (played(variant).divisions[0] for variant in ("koikoi", "sangohana"))
    headings = [{column.heading for column in columns_of(table, Shown.PAGE)} for table in (two, more)]
    assert "W-D-L" in headings[0] - headings[1]
    assert "place" in headings[1] - headings[0]


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(1580.4, 1504.2, 1656.6), "1580 ± 76"),
        (Interval(1580, 1504, 1700), "1580 +120 −76"),
        (Interval(2100, 1900, None), "more than 1900"),
        (Interval(700, None, 912.4), "less than 912"),
        (Interval(1500, None, None), "not yet"),
        (None, "–"),
    ],
)
def test_a_rating_is_written_with_what_is_known_of_its_error_bars(interval: Interval | None, text: str) -> None:
    assert rating_text(interval) == text


def test_a_mean_margin_is_written_with_its_sign() -> None:
    assert margin_text(Interval(3.44, 1.1, 5.78)) == "+3.4 ± 2.3"
    assert margin_text(Interval(-0.04, None, None)) == "not yet"


def test_what_a_column_has_on_the_wire_is_a_field_of_the_message() -> None:
    fields = league_pb2.TableRow.DESCRIPTOR.fields_by_name
    for column in COLUMNS:
        assert not column.wire or column.wire.partition(".")[0] in fields
