"""The port for operators: `/metrics` for Prometheus, `/healthz` and `/readyz` for whoever restarts and routes."""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from arena.metrics.exposition import CONTENT_TYPE, Exposition
from arena.status.gauges import STORE_S, Load, gauges
from arena.store import Store

Unready = Callable[[], str]
"""Why the process is to get no new work, or an empty text."""


def create_endpoint(store: Store, load: Callable[[], Load], unready: Unready = str) -> ASGIApp:
    """The endpoint of a process.

    `/healthz` answers while the event loop runs. `/readyz` is 503 while the store does not answer within 2 s, or the
    process is `unready` for a reason of its own.
    """
    exposition = Exposition()

    async def metrics(_: Request) -> Response:
        return Response(exposition.text(await gauges(store, load)), media_type=CONTENT_TYPE)

    async def alive(_: Request) -> Response:
        return PlainTextResponse("ok\n")

    async def ready(_: Request) -> Response:
        why = unready() or ("" if await store.answers(STORE_S) else "the store does not answer")
        return PlainTextResponse(f"{why or 'ok'}\n", 503 if why else 200)

    return Starlette(routes=[Route("/metrics", metrics), Route("/healthz", alive), Route("/readyz", ready)])
