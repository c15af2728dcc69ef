"""The site's skeleton: routes are given, and everything that all pages share is here."""

from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from arena.store.errors import StoreError
from arena.web.address import AddressMiddleware
from arena.web.cards.routes import card_routes
from arena.web.files import file_routes
from arena.web.headers import HeadersMiddleware
from arena.web.language import LANGUAGES, Language, message
from arena.web.language.choice import LanguageMiddleware, choice_routes, language_of
from arena.web.metered import MeteredMiddleware, paths
from arena.web.pages import page
from arena.web.work import BusyError

_SMALLEST_COMPRESSED = 500
_COMPRESSION = 5
"""A page is a few percent larger than with 9, in a third of the time."""
_COME_AGAIN = {"retry-after": "5"}
"""How long who is sent away because others wait is asked to stay away."""
_REASONS = {
    400: (message("Not understood"), message("The address or what was sent with it is wrong.")),
    403: (message("Refused"), message("The arena does not take this from here.")),
    404: (message("Not found"), message("There is nothing at this address.")),
    405: (message("Not allowed"), message("This address does not take requests of this kind.")),
    429: (message("Too many requests"), message("Try again later.")),
    500: (message("Something went wrong"), message("The arena failed to answer. The error is in its log.")),
    503: (message("Not available just now"), message("Try again in a moment.")),
}


def create_app(routes: Sequence[BaseRoute], languages: Sequence[Language] = LANGUAGES) -> ASGIApp:
    """The site with these pages in these languages, its static files and its error pages."""
    site = Starlette(
        routes=[*routes, *choice_routes(languages), *card_routes(), *file_routes()],
        middleware=[Middleware(GZipMiddleware, minimum_size=_SMALLEST_COMPRESSED, compresslevel=_COMPRESSION)],
        exception_handlers={
            HTTPException: _refused,
            StoreError: _saying(503, message("The arena's store does not answer. Try again in a moment.")),
            BusyError: _saying(503, message("The arena is too busy just now. Try again in a moment."), **_COME_AGAIN),
            500: _saying(500, _REASONS[500][1]),  # a fault of the site's own; the server logs it
        },
    )
    metered = MeteredMiddleware(site, paths(site.routes))
    in_languages = AddressMiddleware(LanguageMiddleware(metered, languages))
    return HeadersMiddleware(in_languages)  # outside of Starlette's own, so that the page of a fault has them too


async def _refused(request: Request, error: Exception) -> Response:
    """An HTTPException, as JSON where JSON was asked for."""
    assert isinstance(error, HTTPException)
    answer = _error(request, error.status_code, error.detail)
    answer.headers.update(error.headers or {})
    return answer


def _saying(status: int, detail: str, **headers: str) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, _: Exception) -> Response:
        answer = _error(request, status, detail)
        answer.headers.update(headers)
        return answer

    return answer


def _error(request: Request, status: int, detail: str) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": detail}, status)
    phrase = HTTPStatus(status).phrase
    title, text = _REASONS.get(status, (_REASONS[403][0], phrase))
    has_site = any(getattr(route, "path", "") == "/" for route in request.app.routes)
    shown, language = text if detail == phrase else detail, language_of(request)
    values = {"title": language.text(title), "detail": language.text(shown), "has_site": has_site}
    return page(request, "error.html", status=status, **values)
