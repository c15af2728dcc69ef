"""The cards over HTTP: the deck, and each card alone."""

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web.cards.sprite import card_svg, deck
from arena.web.pages import CachedBody, tagged

_SVG = "image/svg+xml"
_CACHE_CONTROL = "max-age=86400"  # every page has cards, and they hardly ever change


def card_routes() -> list[Route]:
    """`/cards.svg` with every card, `/cards-marked.svg`, and `/cards/1L.svg` and so on."""
    return [
        Route("/cards.svg", _deck(is_marked=False)),
        Route("/cards-marked.svg", _deck(is_marked=True)),
        Route("/cards/{name}.svg", _card),
    ]


def _deck(*, is_marked: bool) -> Callable[[Request], Awaitable[Response]]:
    body = CachedBody.of(deck(is_marked=is_marked).encode(), _SVG)

    async def answer(request: Request) -> Response:
        return _for_a_day(body.answer(request))

    return answer


async def _card(request: Request) -> Response:
    try:
        drawn = card_svg(request.path_params["name"])
    except KeyError as error:
        raise HTTPException(404, "There is no such card.") from error
    return _for_a_day(tagged(request, drawn.encode(), _SVG))


def _for_a_day(answer: Response) -> Response:
    answer.headers["cache-control"] = _CACHE_CONTROL
    return answer
