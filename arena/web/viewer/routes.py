"""The viewer's addresses: its page, the page for other sites' frames, their steps, and what a match gives besides."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.replays import ReplayRecord, transcript
from arena.web.address import address_of
from arena.web.forms import form_of
from arena.web.language.choice import address, language_of
from arena.web.pages import CachedBody, render, whole_number
from arena.web.previews.moment import moment
from arena.web.previews.previews import Previews
from arena.web.queries import with_query
from arena.web.viewer.analysis.analyses import Analyses, TooManyAnalysesError
from arena.web.viewer.analysis.shown import Analysis, analysis_of, as_document
from arena.web.viewer.picture import picture
from arena.web.viewer.scene import OPEN, SPECTATOR, Document, last_step, scene
from arena.web.viewer.score_curve import score_curve
from arena.web.viewer.sources import Documents, ReplaySource, Shown, UnreadableReplayError
from arena.web.viewer.steps import CHUNK, steps_markup
from arena.web.viewer.way import MatchWay, WayOf
from arena.web.visitors import visitor
from arena.web.work import Turns

_Read = TypeVar("_Read")
_EMBEDDED = "/embed/replays"
_BASES = ("/replays", _EMBEDDED)
_MAX_ID_LENGTH = 300
_COME_AGAIN = {"retry-after": "60"}
_PLACE = ("at", "seat")
_QUERY = (*_PLACE, "marks", "month")
_VIEWERS = {"all": OPEN, "public": SPECTATOR}
"""What `seat` may be beside a number."""


class ReplayFacts(NamedTuple):
    """What is known of a replay besides the match.

    That is its bytes (raises UnreadableReplayError), when it was played, and whether the site has pages of its bots.
    """

    raw: Callable[[str], Awaitable[bytes]]
    time: Callable[[str], Awaitable[str]]
    has_bots: Callable[[str], Awaitable[bool]]


def replay_routes(
    source: ReplaySource,
    way_of: WayOf | None = None,
    facts: ReplayFacts | None = None,
    analyses: Analyses | None = None,
    previews: Previews | None = None,
) -> list[Route]:
    """Return the routes `/replays/ID`, `/embed/replays/ID`, their steps, and below `/replays/ID` what can be loaded.

    That is a picture, the transcript, where there are `facts` the replay itself, and where there are `previews` the
    picture for who shares a step; `/api/v1/replays/ID` is the document. `/replays/ID/analysis` asks for an analysis,
    `/api/v1/replays/ID/analysis` says how it stands; without `analyses` these are kept in memory.

    With `way_of` they are part of a site, to which the viewer's page links: `way_of` finds the way from a replay to its
    league there.
    """
    documents = Documents(source)
    analyses = analyses or Analyses()
    turns = Turns()
    has_site = way_of is not None

    def route(path: str, make: Callable[[Request, Shown], CachedBody]) -> Route:
        async def endpoint(request: Request) -> Response:
            shown = await _shown_replay(documents, request)
            made = await turns.do(lambda: run_in_threadpool(make, request, shown), visitor(request))
            return made.answer(request)

        return Route(path, with_query(endpoint, _QUERY))

    async def analysed(request: Request, make: Callable[[Request, Shown, Analysis], CachedBody]) -> Response:
        shown = await _shown_replay(documents, request)
        findings = await analyses.findings(shown.key, shown.document["variant"])
        stands = analyses.stands(shown.key)

        def made() -> CachedBody:
            return make(request, shown, analysis_of(shown.document, findings, stands))

        return (await turns.do(lambda: run_in_threadpool(made), visitor(request))).answer(request)

    def analysed_route(path: str, make: Callable[[Request, Shown, Analysis], CachedBody]) -> Route:
        return Route(path, with_query(lambda request: analysed(request, make), _QUERY))

    async def page(request: Request) -> Response:
        replay = request.path_params["replay"]
        await _shown_replay(documents, request)  # what is not there has no way, and no time
        way = await way_of(replay) if way_of is not None else None
        time = await facts.time(replay) if facts is not None else ""
        has_bots = facts is not None and await facts.has_bots(replay)
        make = partial(
            _page,
            base="/replays",
            has_site=has_site,
            way=way,
            time=time,
            has_file=facts is not None,
            has_bots=has_bots,
        )
        return await analysed(request, make)

    async def analyse(request: Request) -> Response:
        replay = request.path_params["replay"]
        shown = await _shown_replay(documents, request)
        await form_of(request)
        if await analyses.findings(shown.key, shown.document["variant"]) is None:
            try:
                analyses.ask(shown.key, await _read(source, replay), visitor(request))
            except TooManyAnalysesError as error:
                raise HTTPException(429, str(error), _COME_AGAIN) from error
        place = _Place.of(request, shown.document)
        return RedirectResponse(
            place.link(address(request, f"/replays/{quote(replay, safe='')}"), last_step(shown.document)), 303
        )

    async def transcript_json(request: Request) -> Response:
        record = await _read(source, request.path_params["replay"])
        made = await turns.do(lambda: run_in_threadpool(lambda: _transcript(record)), visitor(request))
        return made.answer(request)

    async def file(request: Request) -> Response:
        assert facts is not None
        return Response(await _read(facts.raw, request.path_params["replay"]), media_type="application/octet-stream")

    async def preview(request: Request) -> Response:
        assert previews is not None
        replay = request.path_params["replay"]
        shown = await _shown_replay(documents, request)
        place, language = _Place.of(request, shown.document), language_of(request)
        made = await previews.get(
            (language, replay, place.step, place.viewer),
            lambda: moment(shown.document, scene(shown.document, place.step, place.viewer), language),
            visitor(request),
        )
        return made.answer(request)

    steps = partial(_steps, has_site=has_site)
    pictures = [] if previews is None else [Route("/replays/{replay:path}/preview.png", with_query(preview, _PLACE))]
    files = [] if facts is None else [Route("/replays/{replay:path}/match.hreplay", with_query(file))]
    return [
        route("/replays/{replay:path}/picture.svg", _picture),
        Route("/replays/{replay:path}/transcript.json", with_query(transcript_json)),
        *files,
        *pictures,
        *(analysed_route(f"{base}/{{replay:path}}/steps", partial(steps, base=base)) for base in _BASES),
        Route("/replays/{replay:path}/analysis", with_query(analyse, _QUERY), methods=["POST"]),
        analysed_route("/api/v1/replays/{replay:path}/analysis", _analysis),
        Route("/replays/{replay:path}", with_query(page, _QUERY)),
        analysed_route(f"{_EMBEDDED}/{{replay:path}}", partial(_page, base=_EMBEDDED, has_site=has_site)),
        route("/api/v1/replays/{replay:path}", lambda _, shown: shown.json),
    ]


async def _shown_replay(documents: Documents, request: Request) -> Shown:
    get = partial(documents.get, language=language_of(request), asked_by=visitor(request))
    return await _read(get, request.path_params["replay"])


async def _read(source: Callable[[str], Awaitable[_Read]], replay: str) -> _Read:
    """Return what a source has of a replay. HTTPException 404."""
    if len(replay) > _MAX_ID_LENGTH:
        raise HTTPException(404, "There is no such replay.")
    try:
        return await source(replay)
    except UnreadableReplayError as error:
        raise HTTPException(404, error.args[0]) from error


class _Place(NamedTuple):
    """What an address names: a step as a viewer sees it, with marks on the cards or without."""

    step: int
    viewer: int
    has_marks: bool

    @classmethod
    def of(cls, request: Request, document: Document) -> "_Place":
        """Read the address; what makes no sense there is the first step and all hands open."""
        query = request.query_params
        seat = query.get("seat", "all")
        viewer = _VIEWERS.get(seat, int(seat) if seat in map(str, range(len(document["names"]))) else OPEN)
        step = min(whole_number(query.get("at", ""), _end_of(document, query.get("month", ""))), last_step(document))
        return cls(step, viewer, query.get("marks") == "1")

    def link(self, path: str, last: int) -> str:
        """Return the address of this place of a match whose last step that is."""
        query: dict[str, Any] = {"at": min(max(self.step, 0), last)}
        if self.viewer != OPEN:
            query["seat"] = next((word for word, number in _VIEWERS.items() if number == self.viewer), self.viewer)
        if self.has_marks:
            query["marks"] = 1
        return f"{path}?{urlencode(query)}"


def _end_of(document: Document, month: str) -> int:
    """Return the step at which a month ends, 0 where the address names none."""
    deals = [number for number, deal in enumerate(document["deals"]) if deal["month"] == whole_number(month)]
    return max(
        (index for index, step in enumerate(document["steps"]) if deals and step["deal"] == deals[-1]), default=0
    )


def _shared(request: Request, document: Document, place: _Place, *, base: str, has_site: bool) -> dict[str, Any]:
    """Return what a page and the steps that are fetched later say alike."""
    replay = quote(request.path_params["replay"], safe="")
    is_embedded = base == _EMBEDDED
    last = last_step(document)

    def link(step: int = place.step, seat: int = place.viewer, *, marks: bool = place.has_marks, path: str = "") -> str:
        return _Place(step, seat, marks).link(path or address(request, f"{base}/{replay}"), last)

    return {"replay": replay, "link": link, "last": last, "is_embedded": is_embedded, "has_site": has_site}


def _transcript(record: ReplayRecord) -> CachedBody:
    return CachedBody.of(msgspec.json.encode(transcript(record)), "application/json")


def _analysis(_: Request, shown: Shown, analysis: Analysis) -> CachedBody:
    return CachedBody.of(msgspec.json.encode(as_document(analysis, shown.document)), "application/json")


def _page(
    request: Request,
    shown: Shown,
    analysis: Analysis,
    *,
    base: str,
    has_site: bool,
    way: MatchWay | None = None,
    time: str = "",
    has_file: bool = False,
    has_bots: bool = False,
) -> CachedBody:
    document = shown.document
    place = _Place.of(request, document)
    deals = [step["deal"] for step in document["steps"]]
    body = render(
        request,
        "viewer.html",
        doc=document,
        scene=scene(document, place.step, place.viewer, analysis.marks),
        analysis=analysis,
        marks=place.has_marks,
        starts=[deals.index(deal) for deal in range(len(document["deals"]))],
        index=msgspec.json.encode(
            [[step["deal"], step["asked"], step["decision"]] for step in document["steps"]]
        ).decode(),
        swing=max((abs(score) for deal in document["deals"] for score in deal["scores"] or ()), default=1) or 1,
        origin=address_of(request),
        chunk=CHUNK,
        way=way,
        time=time,
        has_file=has_file,
        has_bots=has_bots,
        scores=score_curve(document),
        shared=place.step if "at" in request.query_params else last_step(document),
        **_shared(request, document, place, base=base, has_site=has_site),
    )
    return CachedBody.of(body)


def _steps(request: Request, shown: Shown, analysis: Analysis, *, base: str, has_site: bool) -> CachedBody:
    document = shown.document
    place = _Place.of(request, document)
    shared = _shared(request, document, place, base=base, has_site=has_site)
    first = CHUNK * (place.step // CHUNK)
    numbers = range(first, min(first + CHUNK, shared["last"] + 1))
    state = {"first": first}
    return CachedBody.of(
        steps_markup(request, "viewer", document, numbers, place.viewer, state, analysis.marks, **shared)
    )


def _picture(request: Request, shown: Shown) -> CachedBody:
    place = _Place.of(request, shown.document)
    step_scene = scene(shown.document, place.step, place.viewer)
    drawn = picture(shown.document, step_scene, language=language_of(request))
    return CachedBody.of(drawn.encode(), "image/svg+xml")
