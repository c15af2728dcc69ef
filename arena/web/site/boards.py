"""Matches while they are played here: a list, and each step by step. docs/fairness.md says who may watch what."""

from functools import partial
from typing import Any
from urllib.parse import quote

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.match.live import LiveMatch, LiveMatches
from arena.replays import under_way
from arena.web.pages import page
from arena.web.site.documents import VERSION
from arena.web.viewer.document import document
from arena.web.viewer.scene import OPEN, scene
from arena.web.viewer.sources import ReplaySource, UnreadableReplayError
from core_ext import SPECTATOR

PATIENCE_S = 10.0
"""How long a request waits for something new."""
FORMAT = "hanafuda-live/1"
_MOST_LISTED = 200
_NO_STORE = {"cache-control": "no-store"}


class BoardDocument(msgspec.Struct, frozen=True):
    """A match that is played now. `whole` says whether every hand can be seen, or only what is public."""

    match: str
    variant: str
    names: tuple[str, ...]
    decisions: int
    whole: bool


def board_routes(live: LiveMatches, replays: ReplaySource) -> list[Route]:
    """`/live`, `/live/ID`, and the same under `/api/v1`; a match that is over is shown from its replay."""
    pages = _Pages(live, replays)
    return [
        Route("/live", pages.boards),
        Route("/live/{match}", pages.board),
        Route("/api/v1/live", pages.boards_json),
        Route("/api/v1/live/{match}", pages.board_json),
    ]


class _Pages:
    def __init__(self, live: LiveMatches, replays: ReplaySource) -> None:
        self._live = live
        self._replays = replays

    async def boards(self, request: Request) -> Response:
        """The matches that are played now."""
        answer = page(request, "boards.html", boards=self._boards(request), league=request.query_params.get("league"))
        answer.headers.update(_NO_STORE)
        return answer

    async def boards_json(self, request: Request) -> Response:
        """The same as JSON."""
        return _json({"format": VERSION, "boards": self._boards(request)})

    def _boards(self, request: Request) -> list[BoardDocument]:
        league = request.query_params.get("league")
        found = [one for one in self._live if league is None or one.spec.match_id.startswith(f"{league}.")]
        return [
            BoardDocument(one.spec.match_id, one.spec.variant, one.spec.names, one.version, one.whole)
            for one in found[:_MOST_LISTED]
        ]

    async def board(self, request: Request) -> Response:
        """A match as it stands, or its replay where it is over."""
        live = self._live.find(request.path_params["match"])
        if live is None:
            return await self._over(request)
        shown = (await run_in_threadpool(_view, live, 0))["document"]
        viewer = OPEN if live.whole else SPECTATOR
        last = len(shown["steps"]) - 1
        answer = page(request, "board.html", doc=shown, scene=scene(shown, last, viewer), last=last, live=live)
        answer.headers.update(_NO_STORE)
        return answer

    async def board_json(self, request: Request) -> Response:
        """The match when there is more than `?seen=` actions, or after a while; from deal `?since=` on."""
        live = self._live.find(request.path_params["match"])
        if live is None:
            raise HTTPException(404, "That match is not played here now, or cannot be watched.")
        seen, since = (request.query_params.get(name, "") for name in ("seen", "since"))
        await live.news(int(seen) if _is_number(seen) else -1, PATIENCE_S)
        return _json(await run_in_threadpool(partial(_view, live, int(since) if _is_number(since) else 0)))

    async def _over(self, request: Request) -> Response:
        match_id = request.path_params["match"]
        try:
            await self._replays.get(match_id)
        except UnreadableReplayError as error:
            raise HTTPException(404, str(error)) from error
        return RedirectResponse(f"/replays/{quote(match_id, safe='')}", 303)


def _view(live: LiveMatch, since: int) -> dict[str, Any]:
    choices = live.choices
    shown = document(under_way(live.spec, choices), None if live.whole else SPECTATOR, since)
    shown["end"] = ""
    return {
        "format": FORMAT,
        "version": len(choices),
        "whole": live.whole,
        "over": live.is_over,
        "document": shown,
    }


def _json(value: dict[str, Any]) -> Response:
    return Response(msgspec.json.encode(value), headers={"content-type": "application/json", **_NO_STORE})


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 9
