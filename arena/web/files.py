"""The files that all pages share: the stylesheet, the scripts and the icon, read once."""

from mimetypes import guess_type
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web.cards import deck_css
from arena.web.pages import CachedBody

_WEB = Path(__file__).parent
_STYLES = ("tokens", "base", "site", "viewer", "game", "media")


def file_routes() -> list[Route]:
    """Return the routes `/style.css`, and `/static/…` for what lies in the folder `static`."""
    styles = [(_WEB / "styles" / f"{name}.css").read_text() for name in _STYLES]
    # One stylesheet for all pages: a browser fetches one file sooner than five.
    files = {"/style.css": CachedBody.of("\n".join([*styles, deck_css()]).encode(), "text/css; charset=utf-8")}
    for path in (_WEB / "static").rglob("*.*"):
        media_type = f"{guess_type(path)[0]}; charset=utf-8"
        files[f"/{path.relative_to(_WEB).as_posix()}"] = CachedBody.of(path.read_bytes(), media_type)

    async def answer(request: Request) -> Response:
        if request.url.path not in files:
            raise HTTPException(404)
        return files[request.url.path].answer(request)

    return [Route("/style.css", answer), Route("/static/{file:path}", answer)]
