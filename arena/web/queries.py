"""The parts of an address that say what a page shows. Whatever else stands in one leads to the same page."""

from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

Endpoint = Callable[[Request], Awaitable[Response]]
_MAX_VALUE = 1_000
"""The characters of a value; no cursor and no name is longer."""


def with_query(endpoint: Endpoint, names: Sequence[str] = ()) -> Endpoint:
    """The endpoint for addresses whose query has only these names, each once and with a value.

    Others are sent to such an address: those of a form that was left empty in part, too.
    """

    async def answer(request: Request) -> Response:
        asked = request.query_params.multi_items()
        query = {name: value for name, value in asked if name in names and 0 < len(value) <= _MAX_VALUE}
        if len(query) < len(asked):
            # One slash alone: two would lead to another site.
            path = "/" + quote(request.scope["path"].lstrip("/"))
            return RedirectResponse(path + (f"?{urlencode(query)}" if query else ""), 307)
        return await endpoint(request)

    return answer
