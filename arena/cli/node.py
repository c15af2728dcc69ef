"""`arena node`."""

from typing import Annotated

import typer

from arena.cli.commands import command
from arena.cli.output import print_answer
from arena.cli.targets import StoreOptions
from arena.cli.values import AsJson

app = typer.Typer(name="node", no_args_is_help=True, help="Nodes that run.")


@command(app, "arena node drain host-1 --redis redis://127.0.0.1:6379/0")
def drain(
    target: StoreOptions,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The node's id as `arena status` shows it, or its beginning.")
    ],
    as_json: AsJson = False,
) -> None:
    """End a node from afar, as SIGTERM does.

    It takes no more matches, and gives those that it plays to the other nodes.
    """
    node = target.do(lambda store: store.node_states.drain(name))
    print_answer(as_json, {"node": node.id}, [f"node {node.id} ends within a few seconds"])
