"""`arena tables`."""

from typing import Annotated

import typer

from arena.cli.output import print_document
from arena.cli.values import AsJson


def tables(
    variant: Annotated[str, typer.Argument(metavar="VARIANT", help="The game, for example koikoi.")],
    years: Annotated[
        int, typer.Option(metavar="N", min=0, max=1_000_000, help="Also deal N years of hachihachi, and count.")
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """Print a variant's yaku, its options and its odds."""
    from arena.cli.tables_view import print_tables, tables_document
    from core_ext import variant_info
    from core_ext.odds import odds

    info, counted = variant_info(variant), odds(variant, years)
    if as_json:
        print_document(tables_document(info, counted))
    else:
        print_tables(info, counted)
