"""Matches while they are played here: a list, and each step by step. docs/fairness.md says who may watch what."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.match.live import LiveMatch
from arena.replays import ReplayRecord, from_match, under_way
from arena.web.address import address_of
from arena.web.event_stream import EventStream
from arena.web.language import Language
from arena.web.language.choice import address, language_of
from arena.web.pages import CachedBody, page, render, whole_number
from arena.web.queries import with_query
from arena.web.site.board_events import MAX_SPECTATORS, BoardEvents, Drawn, Place
from arena.web.site.cached import JSON, CachedAnswers, Make, as_json, as_page
from arena.web.site.watchable import Watchable
from arena.web.viewer.document import document
from arena.web.viewer.scene import OPEN, last_step, scene
from arena.web.viewer.sources import ReplaySource, UnreadableReplayError
from arena.web.viewer.steps import steps_markup
from arena.web.visitors import visitor
from arena.web.work import Turns
from core_ext import SPECTATOR, State
from core_ext.cards import card_text

PATIENCE_S = 10.0
"""How long a request waits for something new."""
ANSWERED_A_SECOND = 400
"""So many of those who wait for the same move are answered in a second: other pages have their turn between them."""
_MAX_TURN_S = 5.0
"""Nobody waits longer for their turn, however many there are."""
FORMAT = "hanafuda-live/1"
MAX_LISTED = 200
MAX_DRAWN = 24
"""So many of the matches of a list are drawn as small tables."""
_FIELD = 8
_MAX_PLACES_KEPT = 64
"""Of each match; whoever has seen one of these versions can follow the events."""
MAX_SINCE = 100
"""No match has more deals; of one that had, those beyond are shown as well."""


class MatchStanding(msgspec.Struct, frozen=True):
    """How a match stands that cannot be watched just now: `text` says it; `beside` are matches on the same board."""

    variant: str
    names: tuple[str, ...]
    text: str
    league: str = ""
    beside: tuple[str, ...] = ()


Standing = Callable[[str], Awaitable[MatchStanding | None]]


class BoardDocument(msgspec.Struct, frozen=True):
    """A match that is played now. `whole` says whether every hand can be seen, or only what is public.

    `decisions` counts those that can be seen: of a match that is not `whole`, the moments at which something public
    happened.

    `balances` are by seat, as they stood before the deal of the `month` that is played. `field` are the cards that lie
    on the table, in `sangohana` those that were discarded, the last first; `taken` by seat those in its pile, where
    there are piles.
    """

    match: str
    variant: str
    names: tuple[str, ...]
    decisions: int
    whole: bool
    month: int
    balances: tuple[int, ...]
    field: tuple[str, ...] = ()
    taken: tuple[tuple[str, ...], ...] = ()


def board_document(live: LiveMatch) -> BoardDocument:
    """The match as it stands."""
    spec = live.spec
    state = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    state.apply_choices(live.shown)
    zones = {(zone.kind, zone.seat): tuple(map(card_text, zone.cards)) for zone in state.spectate().zones}
    return BoardDocument(
        spec.match_id,
        spec.variant,
        spec.names,
        live.version,
        live.whole,
        state.month,
        state.balances(),
        zones.get(("field", -1), ()) or zones.get(("discard", -1), ())[:_FIELD],
        tuple(zones[zone] for zone in sorted(zones) if zone[0] == "pile"),
    )


def board_documents(live: Iterable[LiveMatch], league: str = "") -> list[BoardDocument]:
    """Return the first `MAX_LISTED` of these matches, or of those of one league."""
    matches = (match for match in live if not league or match.spec.match_id.startswith(f"{league}."))
    return [board_document(match) for match in islice(matches, MAX_LISTED)]


def of_each_variant(live: Iterable[LiveMatch]) -> list[LiveMatch]:
    """Return the matches, one of each variant before the others."""
    first: dict[str, LiveMatch] = {}
    others = [match for match in live if first.setdefault(match.spec.variant, match) is not match]
    return [*first.values(), *others]


def board_routes(live: Watchable, replays: ReplaySource, standing: Standing | None = None) -> list[Route]:
    """Return the routes `/live`, `/live/ID`, its events and steps, and the first two under `/api/v1`.

    A match that is over is shown to its end. `standing` says how one stands that cannot be watched just now, None where
    there is no such match.
    """
    pages = _Pages(live, replays, standing)
    answers = CachedAnswers()
    return [
        Route("/live", answers.endpoint(as_page(pages.boards, "boards.html"), query=("league",))),
        Route("/live/{match}", with_query(pages.board)),
        Route("/live/{match}/events", with_query(pages.events, ("seen",))),
        Route("/live/{match}/steps", with_query(pages.steps, ("at", "seen", "since", "seat"))),
        Route("/api/v1/live", answers.endpoint(as_json(pages.boards), JSON, query=("league",))),
        Route("/api/v1/live/{match}", with_query(pages.board_json, ("seen", "since"))),
    ]


class _Pages:
    def __init__(self, live: Watchable, replays: ReplaySource, standing: Standing | None) -> None:
        self._live = live
        self._replays = replays
        self._standing = standing
        self._answers = CachedAnswers()
        self._next_turn = 0.0
        self._events = BoardEvents(live.find, self._draw)
        self._places: WeakKeyDictionary[LiveMatch, OrderedDict[int, Place]] = WeakKeyDictionary()
        """Of each match, by version, how far its pages and events have shown it."""
        self._turns = Turns()

    async def boards(self, request: Request) -> dict[str, Any]:
        """Return the matches that are played now, or those of one league."""
        league = request.query_params.get("league", "")
        boards = await run_in_threadpool(board_documents, await self._live.listed(), league)
        return {"boards": boards, "league": league, "drawn": MAX_DRAWN}

    async def board(self, request: Request) -> Response:
        """Return a match as it stands; where it is over, its end or its replay; else when it can be watched."""
        match_id = request.path_params["match"]
        live = await self._live.find(match_id)
        if (live is None or live.is_over) and await self._replay(match_id) is not None:
            return RedirectResponse(address(request, f"/replays/{quote(match_id, safe='')}"), 303)
        if live is None:
            standing = await self._stands(match_id)
            answer = page(request, "board_waits.html", match_id=match_id, standing=standing)
            answer.headers["cache-control"] = "no-store"
            return answer

        async def read() -> Make:
            view = await self._view(live, 0, language_of(request))
            return lambda: render(request, "board.html", **view.values, scene=view.scene(view.last))

        key = language_of(request), address_of(request), match_id, live.version, live.is_over
        return _now(request, await self._answers.get(key, int(time.monotonic()), read, asked_by=visitor(request)))

    async def events(self, request: Request) -> Response:
        """Return the steps after version `?seen=`, as they come; no content where they are to be asked for."""
        live = await self._live.find(request.path_params["match"])
        seen = whole_number(request.query_params.get("seen", ""))
        if live is None or live.is_over or self._events.readers >= MAX_SPECTATORS:
            return Response(status_code=204)
        places = self._places.setdefault(live, OrderedDict())
        if seen == live.version and seen not in places:
            await self._turns.do(lambda: self._view(live, 0, language_of(request)), visitor(request))
        place = places.get(seen)
        if place is None:
            return Response(status_code=204)
        return EventStream(partial(self._events.watched, live, place, request))

    async def _draw(self, request: Request, live: LiveMatch, seen: Place) -> Drawn:
        """Draw what is new of a match."""

        async def draw() -> Drawn:
            view = await self._view(live, seen.deal, language_of(request))
            return Drawn(await run_in_threadpool(view.steps, request, seen.step), view.place or seen)

        return await self._turns.do(draw)

    async def steps(self, request: Request) -> Response:
        """Return the steps after `?at=` as soon as there are any, or how the match stands after a while."""
        match_id, query, language = request.path_params["match"], request.query_params, language_of(request)
        seen_step, seen = whole_number(query.get("at", "")), whole_number(query.get("seen", ""))
        first = min(whole_number(query.get("since", ""), 0), MAX_SINCE)
        live = await self._live.find(match_id)
        if live is not None:
            if live.version <= seen and not live.is_over:
                await live.news(seen, PATIENCE_S)
                await asyncio.sleep(self._turn_s())
            if not live.is_over or live.result is not None:

                async def read() -> Make:
                    view = await self._view(live, first, language)
                    return lambda: view.steps(request, seen_step)

                key = "steps", language, match_id, live.version, live.is_over, seen_step, first
                state = int(time.monotonic()) if live.is_over else None
                return _now(request, await self._answers.get(key, state, read, asked_by=visitor(request)))
        record = await self._replay(match_id)
        if record is not None:
            seat = None if query.get("seat") == "all" else SPECTATOR
            view = await run_in_threadpool(
                _View,
                record,
                seat,
                first,
                language,
                version=record.decisions,
                is_over=True,
                replay=match_id,
                following=self._next(match_id),
            )
            return _now(request, CachedBody.of(await run_in_threadpool(view.steps, request, seen_step)))
        standing = await self._stands(match_id)
        waiting = render(
            request, "steps.html", kind="board", scenes=[], doc={}, state={"waits": language.text(standing.text)}
        )
        return _now(request, CachedBody.of(waiting))

    def _turn_s(self) -> float:
        """Return in how many seconds it is the turn of one more who has waited for news."""
        now = time.monotonic()
        self._next_turn = min(max(now, self._next_turn) + 1 / ANSWERED_A_SECOND, now + _MAX_TURN_S)
        return self._next_turn - now

    async def board_json(self, request: Request) -> Response:
        """Return the match when something is new after version `?seen=`, or after a while; from deal `?since=` on."""
        live = await self._live.find(request.path_params["match"])
        is_followed = "seen" in request.query_params
        if live is None or (live.is_over and not is_followed):
            raise HTTPException(404, "That match is not played now, or cannot be watched.")
        seen, since = (request.query_params.get(name, "") for name in ("seen", "since"))
        await live.news(whole_number(seen), PATIENCE_S)
        first = min(whole_number(since, 0), MAX_SINCE)

        async def read() -> Make:
            return lambda: msgspec.json.encode(_json(live, first))

        key = live.spec.match_id, live.version, live.is_over, first
        return _now(request, await self._answers.get(key, None, read, JSON, visitor(request)))

    async def _view(self, live: LiveMatch, since: int, language: Language) -> "_View":
        """Return how a match stands that is played, or has just ended."""
        match_id = live.spec.match_id
        is_over = live.result is not None
        replay = match_id if is_over and await self._replay(match_id) is not None else ""
        view = await run_in_threadpool(
            _View,
            _record(live),
            None if live.whole else SPECTATOR,
            since,
            language,
            version=live.version,
            is_over=is_over,
            replay=replay,
            following=self._next(match_id) if is_over else None,
        )
        if view.place is not None:
            places = self._places.setdefault(live, OrderedDict())
            places[view.place.version] = view.place
            if len(places) > _MAX_PLACES_KEPT:
                places.popitem(last=False)
        return view

    def _next(self, match_id: str) -> LiveMatch | None:
        """Return a match that can be watched after this one: of the same league where there is one."""
        others = [match for match in self._live if match.spec.match_id != match_id]
        league = match_id.partition(".")[0]
        return min(others, key=lambda match: match.spec.match_id.partition(".")[0] != league, default=None)

    async def _stands(self, match_id: str) -> MatchStanding:
        standing = None if self._standing is None else await self._standing(match_id)
        if standing is None:
            raise HTTPException(404, "There is no such match.")
        return standing

    async def _replay(self, match_id: str) -> ReplayRecord | None:
        """The replay of a match, None while it cannot be read."""
        try:
            return await self._replays(match_id)
        except UnreadableReplayError:
            return None


class _View:
    """A match as it is shown, from one of its deals on."""

    def __init__(
        self,
        record: ReplayRecord,
        seat: int | None,
        since: int,
        language: Language,
        *,
        version: int,
        is_over: bool,
        replay: str,
        following: LiveMatch | None,
    ) -> None:
        self._viewer = OPEN if seat is None else SPECTATOR
        doc = document(record, seat, since, language)
        self.last = last_step(doc)
        steps = doc["steps"]
        self.place = Place(version, self.last, steps[-1]["deal"]) if steps else None
        self.values: dict[str, Any] = {
            "doc": doc,
            "viewer": self._viewer,
            "last": self.last,
            "is_over": is_over,
            "replay": replay,
            "following": following,
            "version": version,
        }

    def scene(self, number: int) -> dict[str, Any]:
        """What a step shows."""
        return scene(self.values["doc"], number, self._viewer)

    def steps(self, request: Request, seen_step: int) -> bytes:
        """Return the steps after `seen_step`, and at the end of the match the last one again."""
        values = dict(self.values)
        doc = values.pop("doc")
        first = min(seen_step + 1, self.last) if values["is_over"] else seen_step + 1
        numbers = range(max(first, doc["first"]), self.last + 1)
        state = {"version": values["version"], "over": int(values["is_over"]), "replay": values["replay"]}
        return steps_markup(request, "board", doc, numbers, values.pop("viewer"), state, **values)


def _now(request: Request, body: CachedBody) -> Response:
    """Return the answer, which is out of date in a moment."""
    answer = body.answer(request)
    answer.headers["cache-control"] = "no-store"
    return answer


def _record(live: LiveMatch) -> ReplayRecord:
    """The match as far as it is played; at its end with its result."""
    if live.result is None:
        return under_way(live.spec, live.shown)
    return from_match(live.spec, msgspec.structs.replace(live.result, choices=live.choices))


def _json(live: LiveMatch, since: int) -> dict[str, Any]:
    version = live.version
    shown = document(_record(live), None if live.whole else SPECTATOR, since)
    if live.result is None:
        shown["end"] = ""
    return {
        "format": FORMAT,
        "version": version,
        "whole": live.whole,
        "over": live.is_over,
        "document": shown,
    }
