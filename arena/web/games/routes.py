"""The addresses of games: where one begins, its page, and the same as JSON."""

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.seats.person import NotAskedError, NotLegalError
from arena.web.forms import form_of
from arena.web.games.game import Game
from arena.web.games.games import DECISION_S, Games, NoRoomError
from arena.web.language import ENGLISH, Language
from arena.web.language.choice import address, language_of
from arena.web.pages import HTML, page, whole_number
from arena.web.site import rules
from arena.web.site.goals import GOALS
from arena.web.viewer.scene import last_step, scene
from arena.web.viewer.steps import steps_markup
from arena.web.work import Turns
from arena.wire import seed_commitment
from bots import HOUSE_MODULES
from core_ext import VARIANTS, variant_info

PATIENCE_S = 4.0
"""How long a request waits for the house bots."""
MONTHS = (1, 3, 6, 12)
"""What lengths are offered where a match's length is an option."""
CHOICE_KEYS = "1234567890abcdefghijklmnopqrstuvwxyz"
"""The keys that choose among what may be done, in its order."""
_NO_STORE = {"cache-control": "no-store"}


def game_routes(games: Games) -> list[Route]:
    """`/play`, `/games/ID`, its steps and its end, and `/api/v1/games/ID`."""
    pages = _Pages(games)
    return [
        Route("/play", pages.choose),
        Route("/play", pages.begin, methods=["POST"]),
        Route("/games/{game}", pages.game),
        Route("/games/{game}", pages.answer, methods=["POST"]),
        Route("/games/{game}/steps", pages.steps),
        Route("/games/{game}/steps", pages.answer_steps, methods=["POST"]),
        Route("/games/{game}/leave", pages.leave, methods=["POST"]),
        Route("/api/v1/games/{game}", pages.game_json),
        Route("/api/v1/games/{game}", pages.answer_json, methods=["POST"]),
    ]


class _Pages:
    def __init__(self, games: Games) -> None:
        self._games = games
        self._turns = Turns()

    async def choose(self, request: Request) -> Response:
        """Return the games to choose from."""
        return page(
            request,
            "play.html",
            variants=[variant_info(variant) for variant in VARIANTS],
            has_months=_has_months,
            goals={variant: GOALS[variant].sentences[0] for variant in VARIANTS},
            months=MONTHS,
            bots=list(HOUSE_MODULES),
            is_open=self._games.limit > 0,
        )

    async def begin(self, request: Request) -> Response:
        """Begin a game."""
        form = await form_of(request)
        variant, bot, seats, months = (form.get(name, "") for name in ("variant", "bot", "seats", "months"))
        if variant not in VARIANTS or bot not in HOUSE_MODULES:
            raise HTTPException(400, "There is no such game, or no such house bot.")
        fewest, most, usual = variant_info(variant).seats
        if seats not in ("", *map(str, range(fewest, most + 1))):
            raise HTTPException(400, "This game cannot be played with that many seats.")
        options: dict[str, object] = {}
        if months:
            if not _has_months(variant) or months not in map(str, MONTHS):
                raise HTTPException(400, "This game cannot be played for that many months.")
            options["months"] = int(months)
        try:
            reader = request.client.host if request.client else ""
            game = await self._games.begin(variant, bot, int(seats or usual), options, reader)
        except NoRoomError as error:
            raise HTTPException(503, str(error)) from error
        return RedirectResponse(address(request, f"/games/{game.id}"), 303)

    async def game(self, request: Request) -> Response:
        """A game as its player sees it."""
        game = self._find(request)
        await game.news(-1, PATIENCE_S)
        view = await self._view(game, 0, language_of(request))
        shown = view["document"]
        last = last_step(shown)
        answer = page(
            request,
            "game.html",
            game=game,
            view=view,
            doc=shown,
            scene=scene(shown, last, game.seat),
            last=last,
            keys=CHOICE_KEYS,
            rules=rules.rules(game.spec.variant, language_of(request)),
            minutes=DECISION_S // 60,
            commitment=seed_commitment(game.spec.seed).hex(),
        )
        answer.headers.update(_NO_STORE)
        return answer

    async def game_json(self, request: Request) -> Response:
        """The same as JSON: at once where it is newer than `?seen=`, else when it is; from deal `?since=` on."""
        game = self._find(request)
        query = request.query_params
        await game.news(whole_number(query.get("seen", "-1")), PATIENCE_S)
        return await self._json(game, query)

    async def steps(self, request: Request) -> Response:
        """The steps after `?at=`, at once where there is more than `?seen=`, else when there is."""
        game = self._find(request)
        await game.news(whole_number(request.query_params.get("seen", "")), PATIENCE_S)
        return await self._steps(request, game, request.query_params)

    async def answer_steps(self, request: Request) -> Response:
        """A decision made, and the steps that came of it."""
        game = self._find(request)
        form = await self._answer(game, request)
        return await self._steps(request, game, form)

    async def answer(self, request: Request) -> Response:
        """A decision made, and the page again."""
        game = self._find(request)
        await self._answer(game, request)
        return RedirectResponse(address(request, f"/games/{game.id}"), 303)

    async def answer_json(self, request: Request) -> Response:
        """A decision made, and what came of it."""
        game = self._find(request)
        form = await self._answer(game, request)
        return await self._json(game, form)

    async def leave(self, request: Request) -> Response:
        """End a game before its time."""
        game = self._find(request)
        await form_of(request)
        await self._games.end(game)
        return RedirectResponse(address(request, "/play"), 303)

    async def _answer(self, game: Game, request: Request) -> Mapping[str, str]:
        form = await form_of(request)
        version = game.version
        try:
            game.answer(whole_number(form.get("decision", "")), whole_number(form.get("code", "")))
        except NotAskedError as error:
            raise HTTPException(409, "That decision is made already.") from error
        except NotLegalError as error:
            raise HTTPException(400, "That move is not legal.") from error
        await game.news(version, PATIENCE_S)
        return form

    def _find(self, request: Request) -> Game:
        game = self._games.find(request.path_params["game"])
        if game is None:
            raise HTTPException(404, "There is no such game any more: it was left, or the arena was started again.")
        return game

    async def _json(self, game: Game, query: Mapping[str, str]) -> Response:
        view = await self._view(game, whole_number(query.get("since", ""), 0), ENGLISH)
        return Response(msgspec.json.encode(view), headers={"content-type": "application/json", **_NO_STORE})

    async def _steps(self, request: Request, game: Game, query: Mapping[str, str]) -> Response:
        view = await self._view(game, whole_number(query.get("since", ""), 0), language_of(request))
        doc, last = view["document"], last_step(view["document"])
        first = max(min(whole_number(query.get("at", "")) + 1, last), doc["first"])
        state = {"version": view["version"], "over": int(view["over"]), "waits": int(view["question"] is not None)}
        body = await run_in_threadpool(
            steps_markup,
            request,
            "game",
            doc,
            range(first, last + 1),
            game.seat,
            state,
            game=game,
            view=view,
            last=last,
            keys=CHOICE_KEYS,
        )
        return Response(body, headers={"content-type": HTML, **_NO_STORE})

    async def _view(self, game: Game, since: int, language: Language) -> dict[str, Any]:
        """The game as its player sees it. However often somebody asks for theirs, one is made at a time."""
        return await self._turns.do(lambda: run_in_threadpool(game.view, since, language))


def _has_months(variant: str) -> bool:
    return any(option.name == "months" for option in variant_info(variant).options)
