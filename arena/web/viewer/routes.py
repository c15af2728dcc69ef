"""The viewer's addresses: its page, the page for other sites' frames, a picture of a step, and the document."""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.web.pages import KeptBody, render, whole_number
from arena.web.queries import with_query
from arena.web.viewer.picture import picture
from arena.web.viewer.scene import OPEN, SPECTATOR, scene
from arena.web.viewer.sources import Documents, ReplaySource, Shown, UnreadableReplayError
from arena.web.visitors import visitor
from arena.web.work import Turns

_LONGEST_ID = 300
_VIEWERS = {"all": OPEN, "public": SPECTATOR}
"""What `seat` may be beside a number."""


def replay_routes(source: ReplaySource, *, has_site: bool = False) -> list[Route]:
    """`/replays/ID`, `/embed/replays/ID`, `/replays/ID/picture.svg` and `/api/v1/replays/ID`.

    With `has_site` they are part of a site, to which the viewer's page links.
    """
    documents = Documents(source)
    turns = Turns()

    def route(path: str, make: Callable[[Request, Shown], KeptBody]) -> Route:
        async def endpoint(request: Request) -> Response:
            shown = await _found(documents, request.path_params["replay"])
            made = await turns.do(lambda: run_in_threadpool(make, request, shown), visitor(request))
            return made.answer(request)

        return Route(path, with_query(endpoint, ("at", "seat", "marks")))

    return [
        route("/replays/{replay:path}/picture.svg", _picture),
        route("/replays/{replay:path}", partial(_viewer, is_embedded=False, has_site=has_site)),
        route("/embed/replays/{replay:path}", partial(_viewer, is_embedded=True, has_site=has_site)),
        route("/api/v1/replays/{replay:path}", lambda _, shown: shown.json),
    ]


async def _found(documents: Documents, replay: str) -> Shown:
    if len(replay) > _LONGEST_ID:
        raise HTTPException(404, "There is no such replay.")
    try:
        return await documents.get(replay)
    except UnreadableReplayError as error:
        raise HTTPException(404, str(error)) from error


def _viewer(request: Request, shown: Shown, *, is_embedded: bool, has_site: bool) -> KeptBody:
    document = shown.document
    at, viewer = _place(request, document)
    marks = request.query_params.get("marks") == "1"
    replay = quote(request.path_params["replay"], safe="")
    base = f"/embed/replays/{replay}" if is_embedded else f"/replays/{replay}"

    def link(step: int = at, seat: int = viewer, *, with_marks: bool = marks, path: str = base) -> str:
        query: dict[str, Any] = {"at": min(max(step, 0), len(document["steps"]) - 1)}
        if seat != OPEN:
            query["seat"] = next((word for word, number in _VIEWERS.items() if number == seat), seat)
        if with_marks:
            query["marks"] = 1
        return f"{path}?{urlencode(query)}"

    deals = [step["deal"] for step in document["steps"]]
    ends = {step["deal"]: at for at, step in enumerate(document["steps"]) if not step["decision"]}
    body = render(
        request,
        "viewer.html",
        doc=document,
        json=shown.json.body.replace(b"<", rb"\u003c").decode(),
        scene=scene(document, at, viewer),
        replay=replay,
        link=link,
        marks=marks,
        is_embedded=is_embedded,
        has_site=has_site,
        starts=[deals.index(deal) for deal in range(len(document["deals"]))],
        end=ends.get(deals[at]),
        last=len(document["steps"]) - 1,
        swing=max((abs(score) for deal in document["deals"] for score in deal["scores"] or ()), default=1) or 1,
        origin=str(request.base_url).rstrip("/"),
    )
    return KeptBody.of(body)


def _picture(request: Request, shown: Shown) -> KeptBody:
    at, viewer = _place(request, shown.document)
    return KeptBody.of(picture(shown.document, scene(shown.document, at, viewer)).encode(), "image/svg+xml")


def _place(request: Request, document: Any) -> tuple[int, int]:
    """Step and viewer of the address; what makes no sense there is the first step and all hands open."""
    at, seat = request.query_params.get("at", ""), request.query_params.get("seat", "all")
    step = whole_number(at, 0)
    viewer = _VIEWERS.get(seat, int(seat) if seat in map(str, range(len(document["names"]))) else OPEN)
    return min(step, len(document["steps"]) - 1), viewer
