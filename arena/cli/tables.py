"""`arena tables`."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.documents import print_document
from arena.cli.values import AsJson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from core_ext import Yaku


def tables(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="The game, for example koikoi.")],
    years: Annotated[
        int, typer.Option(metavar="N", min=0, max=1_000_000, help="Also deal N years of hachihachi, and count.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Print a variant's yaku, its options and its odds."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from core_ext import variant_info
    from core_ext.cards import cards_mask, cards_text
    from core_ext.odds import odds
    from core_ext.options import allowed

    info = variant_info(variant)
    counted = odds(variant, years)
    if as_json:
        document = {
            "variant": info.id,
            "rules_version": info.rules_version,
            "yaku": [
                {
                    "id": row.id,
                    "name": row.name,
                    "cards": cards_text(cards_mask(row.cards)),
                    "must": cards_text(cards_mask(row.must)),
                    "need": row.need,
                    "points": row.points,
                    "per_extra": row.per_extra,
                    "threes": [cards_text(cards_mask(three)) for three in row.threes],
                }
                for row in info.yaku
            ],
            "options": [{"name": option.name, "default": option.default} for option in info.options],
            **counted,
        }
        print_document(document)
        return
    console = Console()
    yaku = Table(title=f"{info.name} ({info.id})", box=box.SIMPLE_HEAD)
    for head in ("id", "name"):
        yaku.add_column(head, no_wrap=True)
    for head in ("cards", "need"):
        yaku.add_column(head)
    for head in ("points", "each more"):
        yaku.add_column(head, justify="right")
    for row in info.yaku:
        yaku.add_row(
            row.id,
            row.name,
            cards_text(cards_mask(row.cards)),
            _need(row),
            str(row.points),
            str(row.per_extra or ""),
        )
    console.print(yaku)
    options = Table(box=box.SIMPLE_HEAD)
    options.add_column("option", no_wrap=True)
    for head in ("default", "takes", "what it does"):
        options.add_column(head)
    for option in info.options:
        options.add_row(option.name, json.dumps(option.default), allowed(option), option.doc)
    console.print(options)
    if counted["dealt_hands"]:
        console.print(_dealt_hands(counted))
    for name, numbers in counted.items():
        if isinstance(numbers, dict):
            console.print(_numbers(name, numbers))


def _dealt_hands(counted: "dict[str, Any]") -> "Table":
    """Every dealt hand, and one in how many it is."""
    from rich import box
    from rich.table import Table

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


def _numbers(title: str, numbers: "dict[str, Any]") -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in _flat(numbers):
        table.add_row(name, _number(value))
    return table


def _number(value: float) -> str:
    """Six digits, or all of them before the point."""
    return f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.6g}"


def _flat(numbers: "dict[str, Any]", path: str = "") -> "Iterator[tuple[str, float]]":
    """The numbers of nested names, each with its path."""
    for name, value in numbers.items():
        here = f"{path} {name.replace('_', ' ')}".strip()
        if isinstance(value, dict):
            yield from _flat(value, here)
        else:
            yield here, value


def _need(row: "Yaku") -> str:
    """How many of a row's cards are needed, and what beside them."""
    from core_ext.cards import cards_mask, cards_text

    if row.must:
        return f"{row.need}, {cards_text(cards_mask(row.must))} among them"
    threes = " or of ".join(cards_text(cards_mask(three)) for three in row.threes)
    return f"{row.need}, and three of {threes}" if threes else str(row.need)
