"""The order in which a reader has asked for a table's rows."""

from collections.abc import Sequence
from typing import Any

from arena.league.estimates import Interval
from arena.league.table_row import COLUMNS, Column, TableRow

_BY_NAME = {column.name: column for column in COLUMNS}
_ASCENDING = frozenset({"rank", "bot", "mean_place", "place", "byes", "forfeits", "lost"})
"""Columns of which the least value comes first; of others the greatest."""


def is_order(order: str) -> bool:
    """Return whether rows can stand so: by a column of this name, with a hyphen before it the other way round."""
    return order.removeprefix("-") in _BY_NAME


def sorted_rows(rows: Sequence[TableRow], order: str) -> Sequence[TableRow]:
    """Return the rows by a column, or with a hyphen before its name the other way round; those without a value last."""
    name = order.removeprefix("-")
    is_reversed = (name not in _ASCENDING) != order.startswith("-")
    valued = [row for row in rows if _value(row, name) is not None]
    others = [row for row in rows if _value(row, name) is None]
    return [*sorted(valued, key=lambda row: _value(row, name), reverse=is_reversed), *others]


def next_order(column: Column, order: str) -> str:
    """Return the order that a press on the column's heading asks for: the column's own, then its reverse."""
    return f"-{column.name}" if order == column.name else column.name


def direction(column: Column, order: str) -> str:
    """Return how the rows stand by a column, as `aria-sort` has it, "" where they stand by another one."""
    if order.removeprefix("-") != column.name:
        return ""
    return "ascending" if (column.name in _ASCENDING) != order.startswith("-") else "descending"


def _value(row: TableRow, name: str) -> Any:
    value = getattr(row, name)
    if isinstance(value, Interval):
        return value.value if value.is_known else None
    return value
