"""`arena tables`."""

import json
from typing import Annotated

import typer

from arena.cli.values import AsJson


def tables(
    variant: Annotated[str, typer.Argument(help="Which game, for example koikoi.")],
    as_json: AsJson = False,
) -> None:
    """Print a variant's yaku and options."""
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from core_ext import variant_info
    from core_ext.cards import cards_mask, cards_text

    info = variant_info(variant)
    if as_json:
        document = {
            "variant": info.id,
            "rules_version": info.rules_version,
            "yaku": [
                {
                    "id": row.id,
                    "name": row.name,
                    "cards": cards_text(cards_mask(row.cards)),
                    "need": row.need,
                    "points": row.points,
                }
                for row in info.yaku
            ],
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
            str(row.need),
            str(row.points),
            str(row.per_extra or ""),
        )
    console.print(yaku)
    options = Table("option", "default", "what it does", box=box.SIMPLE_HEAD)
    for option in info.options:
        options.add_row(option.name, json.dumps(option.default), option.doc)
    console.print(options)
