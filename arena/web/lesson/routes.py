"""`/learn`: a hand that teaches koi-koi, and its steps. An address holds the whole hand, so nothing of it is kept."""

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Route

from arena.web.language import Language
from arena.web.language.choice import language_of
from arena.web.lesson.advice import advice
from arena.web.lesson.hand import DEALS, SEAT, VARIANT, Hand, MoveError, moves_of, moves_text, play
from arena.web.pages import render, whole_number
from arena.web.site import rules
from arena.web.site.cached import CachedAnswers, Make
from arena.web.viewer.scene import Document, last_step, scene
from arena.web.viewer.second_person import document_for
from arena.web.viewer.steps import steps_markup
from arena.web.work import MadeOnce

_MAX_CACHED = 256


def lesson_routes() -> list[Route]:
    """Return the lesson's page and what its script asks for."""
    answers, lesson = CachedAnswers(), _Lesson()
    return [
        Route("/learn", answers.endpoint(lesson.page, state=_lasting, query=("deal", "moves"))),
        Route("/learn/steps", answers.endpoint(lesson.steps, state=_lasting, query=("deal", "moves", "at"))),
    ]


async def _lasting(_: Request) -> object:
    """The state of what never changes."""
    return None


class _Lesson:
    """The moments of its hands, each worked out once in a language, at whatever address the site is asked."""

    def __init__(self) -> None:
        self._made: MadeOnce[tuple[Language, int, tuple[int, ...]], dict[str, Any]] = MadeOnce(_MAX_CACHED)

    async def page(self, request: Request) -> Make:
        """Return the page of a moment."""
        values = await self._values(request)
        shown = scene(values["doc"], values["last"], SEAT)
        shown_rules = rules.rules(VARIANT, language_of(request))
        return lambda: render(request, "lesson.html", scene=shown, rules=shown_rules, **values)

    async def steps(self, request: Request) -> Make:
        """The steps after `?at=`: what came of the last decision."""
        values = dict(await self._values(request))
        doc, last = values.pop("doc"), values["last"]
        numbers = range(min(whole_number(request.query_params.get("at", "")) + 1, last), last + 1)
        state = {"waits": "false" if values["advice"] is None else "true"}
        return lambda: steps_markup(request, "lesson", doc, numbers, SEAT, state, **values)

    async def _values(self, request: Request) -> dict[str, Any]:
        """What the page and the steps show; HTTPException where the address is of no hand."""
        number = whole_number(request.query_params.get("deal", "1"))
        if not 1 <= number <= len(DEALS):
            raise HTTPException(404, "There is no such hand.")
        language = language_of(request)
        try:
            moves = moves_of(request.query_params.get("moves", ""))
            return await self._made.get(
                (language, number, tuple(moves)), lambda: run_in_threadpool(_values, number, moves, language)
            )
        except MoveError as error:
            raise HTTPException(404, "This hand cannot be played that way.") from error


def _values(number: int, moves: list[int], language: Language) -> dict[str, Any]:
    """What is shown of a hand after these moves. MoveError."""
    hand = play(DEALS[number - 1], moves)
    doc = _document(hand, language)
    return {
        "doc": doc,
        "last": last_step(doc),
        "place": number,
        "deals": DEALS,
        "moves": moves,
        "moves_text": moves_text,
        "advice": None if hand.question is None else advice(hand.question, language),
    }


def _document(hand: Hand, language: Language) -> Document:
    """The hand as its learner may know it."""
    names = tuple(language.text(name) for name in hand.record.names)
    shown = document_for(msgspec.structs.replace(hand.record, names=names), SEAT, language=language)
    # The draw for the first deal says nothing to a learner.
    shown["steps"][0]["told"] = [[] for _ in shown["steps"][0]["told"]]
    return shown
