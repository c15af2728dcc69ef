"""`--metrics` of the commands that run for long: a port for operators."""

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.listening import listening_socket

if TYPE_CHECKING:
    from arena.status.gauges import Load
    from arena.store import Store

MetricsAddress = Annotated[
    str | None,
    typer.Option(
        "--metrics",
        metavar="ADDRESS",
        help="Also serve /metrics, /healthz and /readyz for operators: HOST:PORT. Whoever reaches it can read them.",
    ),
]


@contextlib.asynccontextmanager
async def endpoint_beside(
    store: "Store", address: str | None, load: "Callable[[], Load]" = dict, unready: Callable[[], str] = str
) -> AsyncIterator[None]:
    """Serve the endpoint for operators at this address, if there is one. Raises WrongUseError."""
    if address is None:
        yield
        return
    from arena.status.endpoint import create_endpoint
    from arena.web.serving import serving

    with listening_socket(address, "metrics") as listening:
        async with serving(create_endpoint(store, load, unready), listening):
            host, port = listening.getsockname()[:2]
            typer.echo(f"metrics at http://{f'[{host}]' if ':' in host else host}:{port}/metrics", err=True)
            yield
