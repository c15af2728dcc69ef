"""`arena serve`."""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.values import DEFAULT_DATA, Data, RedisUrl

if TYPE_CHECKING:
    from arena.server.serve import Listen

DEFAULT_ADDRESS = "127.0.0.1:7777"


def serve(
    data: Data = DEFAULT_DATA,
    redis: RedisUrl = None,
    listen: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDR", help=f"HOST:PORT or unix:PATH, repeatable; by default {DEFAULT_ADDRESS}."),
    ] = None,
    tls_cert: Annotated[Path | None, typer.Option(help="The server's certificate (PEM).")] = None,
    tls_key: Annotated[Path | None, typer.Option(help="Its key (PEM).")] = None,
    insecure: Annotated[bool, typer.Option("--insecure", help="Listen beyond loopback without encryption.")] = False,
) -> None:
    """Run a node until it is told to stop: the server that bots connect to, and a worker on the store's jobs.

    SIGTERM and Ctrl-C say goodbye to the bots, give back what is being played and end with exit status 0.
    """
    from arena.cli.aio import run
    from arena.server.serve import Listen, check_address

    where = Listen(tuple(listen or [DEFAULT_ADDRESS]), tls_cert, tls_key, insecure)
    for address in where.addresses:
        check_address(address, where)  # before a store is made for nothing
    run(_serve(data, redis, where))


async def _serve(data: Path, redis: str | None, listen: "Listen") -> None:
    import asyncio

    from arena.store import Store
    from arena.worker.node import running_node

    async with await Store.open(data, redis=redis) as store, running_node(store, data, listen) as node:
        for address in node.addresses:
            typer.echo(f"listening on {address}")
        with contextlib.suppress(asyncio.CancelledError):  # that is how it is told to stop
            await asyncio.get_running_loop().create_future()
