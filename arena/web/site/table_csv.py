"""A division's table as CSV, for spreadsheets."""

import csv
import io
from collections.abc import Iterator, Sequence

from arena.league.estimates import Interval
from arena.league.table_row import COLUMNS, Column, TableRow

_ENDS = Interval.__struct_fields__


def table_csv(rows: Sequence[TableRow]) -> str:
    """Return the rows with every column; an estimate has one for its value and one for each end of its error bars."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heading for column in COLUMNS for heading in _headings(column))
    writer.writerows([cell for column in COLUMNS for cell in _cells(column, row)] for row in rows)
    return text.getvalue()


def _headings(column: Column) -> Iterator[str]:
    if column.is_estimate:
        yield from (f"{column.name}_{end}" for end in _ENDS)
    else:
        yield column.name


def _cells(column: Column, row: TableRow) -> Iterator[object]:
    value = getattr(row, column.name)
    if column.is_estimate:
        yield from ("" if value is None else getattr(value, end) for end in _ENDS)
    else:
        yield _harmless(value) if isinstance(value, str) else value


def _harmless(text: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in "=+-@" else text
