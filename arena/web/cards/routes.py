"""The cards over HTTP: the deck with its stylesheet, and each card alone."""

from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web.cards.sprite import card_svg, deck, deck_css
from arena.web.pages import tagged

_SVG = "image/svg+xml"
_KEPT = "max-age=86400"  # every page has cards, and they hardly ever change


def card_routes() -> list[Route]:
    """`/cards.svg` with every card, `/cards-marked.svg`, `/cards.css`, and `/cards/1L.svg` and so on."""
    return [
        Route("/cards.svg", partial(_fixed, body=deck().encode(), media_type=_SVG)),
        Route("/cards-marked.svg", partial(_fixed, body=deck(is_marked=True).encode(), media_type=_SVG)),
        Route("/cards.css", partial(_fixed, body=deck_css().encode(), media_type="text/css; charset=utf-8")),
        Route("/cards/{name}.svg", _card),
    ]


async def _fixed(request: Request, body: bytes, media_type: str) -> Response:
    answer = tagged(request, body, media_type)
    answer.headers["cache-control"] = _KEPT
    return answer


async def _card(request: Request) -> Response:
    try:
        drawn = card_svg(request.path_params["name"])
    except KeyError as error:
        raise HTTPException(404, "There is no such card.") from error
    return await _fixed(request, drawn.encode(), _SVG)
