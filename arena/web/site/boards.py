"""Matches while they are played here: a list, and each step by step. docs/fairness.md says who may watch what."""

from collections.abc import Iterable
from functools import partial
from itertools import islice
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.match.live import LiveMatch
from arena.replays import under_way
from arena.web.pages import KeptBody, render, whole_number
from arena.web.queries import with_query
from arena.web.site.kept import JSON, KeptAnswers, Make, as_json, as_page
from arena.web.site.watchable import Watchable
from arena.web.viewer.document import document
from arena.web.viewer.scene import OPEN, scene
from arena.web.viewer.sources import ReplaySource, UnreadableReplayError
from arena.web.visitors import visitor
from core_ext import SPECTATOR, State

PATIENCE_S = 10.0
"""How long a request waits for something new."""
FORMAT = "hanafuda-live/1"
MOST_LISTED = 200
MAX_SINCE = 100
"""No match has more deals; of one that had, those beyond are shown as well."""


class BoardDocument(msgspec.Struct, frozen=True):
    """A match that is played now. `whole` says whether every hand can be seen, or only what is public.

    `decisions` counts those that can be seen: of a match that is not `whole`, the moments at which something public
    happened.

    `balances` are by seat, as they stood before the deal of the `month` that is played.
    """

    match: str
    variant: str
    names: tuple[str, ...]
    decisions: int
    whole: bool
    month: int
    balances: tuple[int, ...]


def board_document(live: LiveMatch) -> BoardDocument:
    """The match as it stands."""
    spec = live.spec
    state = State.new(spec.variant, spec.options, spec.seed, len(spec.names))
    state.apply_choices(live.shown)
    return BoardDocument(
        spec.match_id, spec.variant, spec.names, live.version, live.whole, state.month, state.balances()
    )


def board_documents(live: Iterable[LiveMatch], league: str = "") -> list[BoardDocument]:
    """The first `MOST_LISTED` of these matches, or of those of one league."""
    found = (one for one in live if not league or one.spec.match_id.startswith(f"{league}."))
    return [board_document(one) for one in islice(found, MOST_LISTED)]


def of_each_variant(live: Iterable[LiveMatch]) -> list[LiveMatch]:
    """The matches, one of each variant before the others."""
    first: dict[str, LiveMatch] = {}
    others = [one for one in live if first.setdefault(one.spec.variant, one) is not one]
    return [*first.values(), *others]


def board_routes(live: Watchable, replays: ReplaySource) -> list[Route]:
    """`/live`, `/live/ID`, and the same under `/api/v1`; a match that is over is shown from its replay."""
    pages = _Pages(live, replays)
    answers = KeptAnswers()
    return [
        Route("/live", answers.endpoint(as_page(pages.boards, "boards.html"), query=("league",))),
        Route("/live/{match}", with_query(pages.board)),
        Route("/api/v1/live", answers.endpoint(as_json(pages.boards), JSON, query=("league",))),
        Route("/api/v1/live/{match}", with_query(pages.board_json, ("seen", "since"))),
    ]


class _Pages:
    def __init__(self, live: Watchable, replays: ReplaySource) -> None:
        self._live = live
        self._replays = replays
        self._answers = KeptAnswers()

    async def boards(self, request: Request) -> dict[str, Any]:
        """The matches that are played now, or those of one league."""
        league = request.query_params.get("league", "")
        return {"boards": await run_in_threadpool(board_documents, await self._live.all(), league)}

    async def board(self, request: Request) -> Response:
        """A match as it stands, or its replay where it is over."""
        live = await self._live.find(request.path_params["match"])
        if live is None:
            return await self._over(request)

        async def read() -> Make:
            return partial(_board_page, request, live)

        key = live.spec.match_id, live.version, live.is_over
        return _now(request, await self._answers.fresh(key, None, read, asked_by=visitor(request)))

    async def board_json(self, request: Request) -> Response:
        """The match when there is something new after version `?seen=`, or after a while; from deal `?since=` on."""
        live = await self._live.find(request.path_params["match"])
        if live is None:
            raise HTTPException(404, "That match is not played now, or cannot be watched.")
        seen, since = (request.query_params.get(name, "") for name in ("seen", "since"))
        await live.news(whole_number(seen), PATIENCE_S)
        first = min(whole_number(since, 0), MAX_SINCE)

        async def read() -> Make:
            return lambda: msgspec.json.encode(_view(live, first))

        key = live.spec.match_id, live.version, live.is_over, first
        return _now(request, await self._answers.fresh(key, None, read, JSON, visitor(request)))

    async def _over(self, request: Request) -> Response:
        match_id = request.path_params["match"]
        try:
            await self._replays(match_id)
        except UnreadableReplayError as error:
            raise HTTPException(404, str(error)) from error
        return RedirectResponse(f"/replays/{quote(match_id, safe='')}", 303)


def _now(request: Request, kept: KeptBody) -> Response:
    """The answer, which is out of date in a moment."""
    answer = kept.answer(request)
    answer.headers["cache-control"] = "no-store"
    return answer


def _board_page(request: Request, live: LiveMatch) -> bytes:
    shown = _view(live, 0)["document"]
    last = len(shown["steps"]) - 1
    viewer = OPEN if live.whole else SPECTATOR
    return render(request, "board.html", doc=shown, scene=scene(shown, last, viewer), last=last, live=live)


def _view(live: LiveMatch, since: int) -> dict[str, Any]:
    version = live.version
    shown = document(under_way(live.spec, live.shown), None if live.whole else SPECTATOR, since)
    shown["end"] = ""
    return {
        "format": FORMAT,
        "version": version,
        "whole": live.whole,
        "over": live.is_over,
        "document": shown,
    }
