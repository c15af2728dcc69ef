"""`arena migrate`."""

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import print_answer
from arena.cli.targets import StoreOptions
from arena.cli.values import AsJson

if TYPE_CHECKING:
    from arena.store import Store


def migrate(
    target: StoreOptions,
    to: Annotated[
        int | None, typer.Option("--to", metavar="N", min=1, help="Go back to schema N, for an older version.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Bring a store to the key schema of this version, or back.

    A node does the first by itself when it starts. No node may run while a store goes back.
    """
    from arena.store.keys import SCHEMA

    async def work(store: "Store") -> int:
        if to is None:
            await store.finish_migration()
        elif to != store.schema:
            await store.go_back(to)
            return to
        return store.schema

    schema = target.do(work, as_is=to is not None)
    text = f"the store has key schema {schema}"
    if to is None and schema != SCHEMA:
        text += f"; it gets {SCHEMA}, this version's, when the last older node has ended"
    print_answer(as_json, {"schema": schema, "newest": SCHEMA}, [text])
