"""The cards over HTTP: the sheet, and each card alone."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web.cards.sprite import card_svg, sprite
from arena.web.pages import tagged

_SVG = "image/svg+xml"


def card_routes() -> list[Route]:
    """`/cards.svg` with every card as a symbol, and `/cards/1L.svg` and so on."""
    return [Route("/cards.svg", _sprite), Route("/cards/{name}.svg", _card)]


async def _sprite(request: Request) -> Response:
    return tagged(request, sprite().encode(), _SVG)


async def _card(request: Request) -> Response:
    try:
        drawn = card_svg(request.path_params["name"])
    except KeyError as error:
        raise HTTPException(404, "There is no such card.") from error
    answer = tagged(request, drawn.encode(), _SVG)
    answer.headers["cache-control"] = "max-age=86400"  # a page has dozens, and they hardly ever change
    return answer
