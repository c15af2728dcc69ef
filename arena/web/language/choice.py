"""Which language a page is in: its address says it. Only the first page goes by what the reader prefers."""

import re
from collections.abc import Sequence
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.web.language.languages import ENGLISH, LANGUAGES, Language

CHOICE = "/language"
_COOKIE = "language"
_COOKIE_S = 365 * 24 * 3600
_IN_SCOPE = "arena.language"
_ALL_IN_SCOPE = "arena.languages"
_HOME = "/"
_SHARED = frozenset(
    {
        "api",
        "cards",
        "cards-marked.svg",
        "cards.svg",
        "data",
        "language",
        "robots.txt",
        "sitemap.xml",
        "static",
        "style.css",
    }
)
"""The first parts of addresses at which all languages have the same: they have one address alone."""
_DOWNLOAD = re.compile(r"/replays/.+/(transcript\.json|match\.hreplay)|/leagues/[^/]+/[^/]+\.csv")
"""Of the addresses below others, those that all languages share."""
_MAX_PREFERENCE_LENGTH = 200
_MAX_PREFERRED = 20
_PLACE = re.compile(r"/[^\\\x00-\x20\x7f]{0,2000}")


def language_of(request: Request) -> Language:
    """Return the language that the request's address asks for."""
    language: Language = request.scope.get(_IN_SCOPE, ENGLISH)
    return language


def address(request: Request, path: str) -> str:
    """Return the address of a page in the request's language."""
    return f"{language_of(request).prefix}{path}"


def alternates(request: Request) -> list[tuple[Language, str, str]]:
    """Return every language with the address of the page in it, and the address that keeps the choice of it."""
    path = request.scope["path"].removeprefix(language_of(request).prefix)
    # With one slash alone: two of them would begin the name of another site.
    place = "/" + quote(path.lstrip("/")) + (f"?{request.url.query}" if request.url.query else "")
    return [
        (language, f"{language.prefix}{place}", f"{CHOICE}?code={language.code}&to={quote(place, safe='/')}")
        for language in request.scope.get(_ALL_IN_SCOPE, LANGUAGES)
    ]


class LanguageMiddleware:
    """Tells pages their language, by the first part of the address; `/` leads to that which the reader prefers."""

    def __init__(self, app: ASGIApp, languages: Sequence[Language] = LANGUAGES) -> None:
        self._app = app
        self._languages = languages
        self._by_prefix = {language.prefix: language for language in languages}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        prefix, page_path = _split(path)
        language = self._by_prefix.get(prefix, ENGLISH)
        scope = {**scope, _IN_SCOPE: language, _ALL_IN_SCOPE: self._languages}
        app = self._app
        if language.prefix and not page_path:
            app = RedirectResponse(f"{language.prefix}/", 307)
        elif path == _HOME and scope["method"] in ("GET", "HEAD") and (home := self._preferred(scope)).prefix:
            app = RedirectResponse(f"{home.prefix}/", 307)
        elif language.prefix and not _is_shared(page_path):  # what all share is not found here
            scope["root_path"] = language.prefix
        await app(scope, receive, send)

    def _preferred(self, scope: Scope) -> Language:
        """Return what the reader has chosen, else what their browser prefers."""
        request = Request(scope)
        chosen = next((language for language in self._languages if language.code == request.cookies.get(_COOKIE)), None)
        return chosen or preferred(request.headers.get("accept-language", ""), self._languages)


def _is_shared(path: str) -> bool:
    """Return whether all languages have the same at an address."""
    return path[1:].partition("/")[0] in _SHARED or _DOWNLOAD.fullmatch(path) is not None


def varies(path: str) -> str:
    """Return the headers of a request by which the answer at an address differs."""
    return "accept-encoding, accept-language, cookie" if path == _HOME else "accept-encoding"


def _split(path: str) -> tuple[str, str]:
    """Return the first part of a path with its slash, and what follows it."""
    first, slash, remainder = path[1:].partition("/")
    return f"/{first}", slash + remainder


def preferred(header: str, languages: Sequence[Language] = LANGUAGES) -> Language:
    """Return the language that an `Accept-Language` likes best, of equally liked ones the first; else English."""
    codes = {language.code: language for language in languages}
    best, best_weight = ENGLISH, 0.0
    for part in header[:_MAX_PREFERENCE_LENGTH].split(",")[:_MAX_PREFERRED]:
        tag, _, quality = part.partition(";")
        language = codes.get(tag.strip().lower().partition("-")[0])
        weight = _weight(quality)
        if language is not None and weight > best_weight:
            best, best_weight = language, weight
    return best


def _weight(quality: str) -> float:
    if not quality.strip():
        return 1.0
    match = re.fullmatch(r"\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*", quality)
    return min(float(match[1]), 1.0) if match else 0.0


def choice_routes(languages: Sequence[Language] = LANGUAGES) -> list[Route]:
    """Return the route `/language?code=ja&to=/leagues`: it keeps the choice and leads to the page in that language."""

    async def choose(request: Request) -> Response:
        query = request.query_params
        language = next((candidate for candidate in languages if candidate.code == query.get("code")), None)
        place = query.get("to", _HOME)
        if language is None or not _PLACE.fullmatch(place):
            raise HTTPException(400, "There is no such language, or no such page.")
        prefix, _ = _split(place.partition("?")[0])
        if any(candidate.prefix == prefix for candidate in languages):
            place = place.removeprefix(prefix) or _HOME
        # One slash alone: two would lead to another site.
        answer = RedirectResponse(f"{language.prefix}/{place.lstrip('/')}", 303)
        answer.set_cookie(_COOKIE, language.code, max_age=_COOKIE_S, httponly=True, samesite="lax")
        return answer

    return [Route(CHOICE, choose)]
