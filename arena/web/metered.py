"""How long readers wait for pages."""

from collections.abc import Sequence
from time import perf_counter

from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena.metrics import meters


class MeteredMiddleware:
    """Measures from a request to the beginning of its answer, by route and status: some answers last for hours."""

    def __init__(self, app: ASGIApp, routes: dict[object, str]) -> None:
        """`routes` are the paths of the routes by their endpoints."""
        self._app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = perf_counter()

        async def measured(message: Message) -> None:
            if message["type"] == "http.response.start":
                # A path that strangers chose is no label: there is no end of those.
                route = self._routes.get(scope.get("endpoint"), "none")
                meters.pages.observe(perf_counter() - began, route, str(message["status"]))
            await send(message)

        await self._app(scope, receive, measured)


def paths(routes: Sequence[object]) -> dict[object, str]:
    """The paths of routes by their endpoints."""
    return {route.endpoint: route.path for route in routes if isinstance(route, Route)}
