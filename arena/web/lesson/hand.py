"""A hand of koi-koi: a deal that was chosen, and what the learner has decided so far.

Nothing of it is kept anywhere: the other player's answers follow from the deal and the decisions, so an address that
names both is the hand.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.match.model import MatchSpec
from arena.match.question import Answer, Question
from arena.match.referee import Referee
from arena.replays import ReplayRecord, from_match, under_way
from arena.strength.playouts import choose
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import load
from arena.web.language import message
from core_ext import parse_seed

VARIANT = "koikoi"
SEAT = 0
"""The learner's: in every deal they are asked first."""
BOT = message("Bot")
NAMES = ("learner", BOT)
_OPTIONS = {"months": 1}
_MAX_DIGITS = 2
"""Of a place among the legal actions: no hand offers a hundred."""


class Deal(NamedTuple):
    """A deal that teaches well, and what there is to be made of it."""

    seed: str
    title: str


DEALS = (
    Deal("first-102640", message("Blossoms and the moon")),
    Deal("first-103061", message("Boar, deer, butterflies")),
    Deal("first-102503", message("Red ribbons")),
)


class MoveError(ValueError):
    """A decision that the hand does not offer."""


class Hand(NamedTuple):
    """How the hand stands: `question` is what the learner is asked, None at its end."""

    record: ReplayRecord
    question: Question | None


def play(deal: Deal, moves: Sequence[int]) -> Hand:
    """Play the deal with these decisions of the learner's, each the place of an action among the legal. MoveError."""
    spec = MatchSpec(f"lesson-{deal.seed}", VARIANT, parse_seed(deal.seed), NAMES, _OPTIONS)
    referee = Referee(spec)
    answers = iter(moves)
    while referee.turn >= 0:
        question = referee.ask()
        if question.seat != SEAT:
            code = choose(question.live_state(), load(VARIANT), 0, HEAT_OF_BEST)
        elif (move := next(answers, None)) is None:
            return Hand(under_way(spec, bytes(referee.choices)), question)
        elif move < len(question.legal):
            code = question.legal[move]
        else:
            raise MoveError
        referee.answer(Answer(code, 0.0))
    if next(answers, None) is not None:
        raise MoveError
    return Hand(from_match(spec, referee.result()), None)


def moves_of(text: str) -> list[int]:
    """Read decisions as an address names them, `1.0.3`. MoveError."""
    return [_place(move) for move in text.split(".")] if text else []


def moves_text(moves: Iterable[int]) -> str:
    """Write decisions as an address names them."""
    return ".".join(map(str, moves))


def _place(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > _MAX_DIGITS or (text[0] == "0" and text != "0"):
        raise MoveError
    return int(text)
