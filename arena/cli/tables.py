"""`arena tables`."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.values import AsJson

if TYPE_CHECKING:
    from core_ext import Yaku


def tables(
    variant: Annotated[str, typer.Argument(help="Which game, for example koikoi.")],
    as_json: AsJson = False,
) -> None:
    """Print a variant's yaku, its dealt hands with how many of all hands they are, and its options."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from core_ext import variant_info
    from core_ext.cards import cards_mask, cards_text
    from core_ext.enumerate import hand_counts
    from core_ext.options import allowed

    info = variant_info(variant)
    counts = hand_counts(variant) if info.dealt_hands else ()
    hands = dict(zip(info.dealt_hands, counts[1:], strict=False))
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
            "dealt_hands": [{"id": name, "hands": count} for name, count in hands.items()],
            "options": [{"name": option.name, "default": option.default} for option in info.options],
        }
        typer.echo(json.dumps(document, ensure_ascii=False))
        return
    console = Console()
    yaku = Table(
        "id", "name", "cards", "need", "points", "each more", title=f"{info.name} ({info.id})", box=box.SIMPLE_HEAD
    )
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
    if hands:
        dealt = Table("dealt hand", "hands", "one in", title=f"of {sum(counts):,} hands", box=box.SIMPLE_HEAD)
        for name, count in hands.items():
            dealt.add_row(name, f"{count:,}", f"{sum(counts) / count:,.1f}")
        console.print(dealt)
    options = Table("option", "default", "takes", "what it does", box=box.SIMPLE_HEAD)
    for option in info.options:
        options.add_row(option.name, json.dumps(option.default), allowed(option), option.doc)
    console.print(options)


def _need(row: "Yaku") -> str:
    """How many of a row's cards are needed, and what beside them."""
    from core_ext.cards import cards_mask, cards_text

    if row.must:
        return f"{row.need}, {cards_text(cards_mask(row.must))} among them"
    threes = " or of ".join(cards_text(cards_mask(three)) for three in row.threes)
    return f"{row.need}, and three of {threes}" if threes else str(row.need)
