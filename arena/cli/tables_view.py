"""A variant's yaku, options and odds: as tables in the terminal, and as a document."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.cli.pager import paged
from core_ext import VariantInfo, Yaku
from core_ext.cards import cards_mask, cards_text
from core_ext.options import allowed


def tables_document(info: VariantInfo, counted: dict[str, Any]) -> dict[str, Any]:
    """What a document says of a variant; `counted` are its odds."""
    return {
        "variant": info.id,
        "rules_version": info.rules_version,
        "yaku": [
            {
                "id": row.id,
                "name": row.name,
                "cards": _cards(row.cards),
                "must": _cards(row.must),
                "need": row.need,
                "points": row.points,
                "per_extra": row.per_extra,
                "threes": list(map(_cards, row.threes)),
            }
            for row in info.yaku
        ],
        "options": [{"name": option.name, "default": option.default} for option in info.options],
        "sets": [
            {"name": options.name, "doc": options.doc, "options": dict(options.values)} for options in info.option_sets
        ],
        **counted,
    }


def print_tables(info: VariantInfo, counted: dict[str, Any]) -> None:
    """The tables of a variant; `counted` are its odds."""
    console = Console()
    yaku = Table(title=f"{info.name} ({info.id})", box=box.SIMPLE_HEAD)
    for head in ("id", "name"):
        yaku.add_column(head, no_wrap=True)
    for head in ("cards", "need"):
        yaku.add_column(head)
    for head in ("points", "each more"):
        yaku.add_column(head, justify="right")
    off = {option.name for option in info.options if option.default is False}
    for row in info.yaku:
        need = f"{_need(row)}, with the option" if row.id in off else _need(row)
        yaku.add_row(row.id, row.name, _cards(row.cards), need, str(row.points), str(row.per_extra or ""))
    options = Table(box=box.SIMPLE_HEAD)
    options.add_column("option", no_wrap=True)
    for head in ("default", "takes", "what it does"):
        options.add_column(head, overflow="fold")  # else a line that ends in a wide character may be cut off
    for option in info.options:
        options.add_row(option.name, json.dumps(option.default), allowed(option), option.doc)
    with paged(console):
        console.print(yaku)
        console.print(options)
        for options_set in info.option_sets:
            values = ", ".join(f"{name}={json.dumps(value)}" for name, value in options_set.values)
            console.print(Text(f"--option set={options_set.name}: {options_set.doc}: {values}\n"))
        if counted["dealt_hands"]:
            console.print(_dealt_hands(counted))
        for name, numbers in counted.items():
            if isinstance(numbers, dict):
                console.print(_numbers(name, numbers))


def _dealt_hands(counted: dict[str, Any]) -> Table:
    """Every dealt hand, and one in how many it is."""
    rows, total = counted["dealt_hands"], counted["all_hands"]
    names = [key for key in rows[0] if key != "hands"]
    table = Table(*names, title=f"of {total:,} hands", box=box.SIMPLE_HEAD)
    for head in ("hands", "%", "one in"):
        table.add_column(head, justify="right")
    for row in rows:
        hands = row["hands"]
        ids = [row[name] or "" for name in names]
        table.add_row(*ids, f"{hands:,}", f"{100 * hands / total:.6f}", _number(total / hands))
    return table


def _numbers(title: str, numbers: dict[str, Any]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in _flat(numbers):
        table.add_row(name, _number(value))
    return table


def _number(value: float) -> str:
    """Six digits, or all of them before the point."""
    return f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}"


def _flat(numbers: dict[str, Any], path: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of nested names, each with its path."""
    for name, value in numbers.items():
        full_name = f"{path} {name.replace('_', ' ')}".strip()
        if isinstance(value, dict):
            yield from _flat(value, full_name)
        else:
            yield full_name, value


def _need(row: Yaku) -> str:
    """How many of a row's cards are needed, and what beside them."""
    if row.must:
        return f"{row.need}, {_cards(row.must)} among them"
    threes = " or of ".join(map(_cards, row.threes))
    return f"{row.need}, and three of {threes}" if threes else str(row.need)


def _cards(ids: Sequence[int]) -> str:
    return cards_text(cards_mask(ids))
