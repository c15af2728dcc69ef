"""The seat of a bot that is called in this process."""

import asyncio
import inspect
import random
import time
from collections.abc import Awaitable, Callable
from functools import cached_property, lru_cache

from arena.match.deadline import timed
from arena.match.model import End, MatchResult, MatchSpec
from arena.match.question import Answer, Question, QuestionError
from arena.match.seat import Seat, SeatFailure
from arena.sdk import Action, Bot, Decision, Match
from arena.sdk.decision import event, read_action
from arena.wire import decision_to_wire, events_to_wire, match_end, options_to_wire
from core_ext import Event, variant_info
from core_ext.errors import CoreError
from hanafuda.arena.v1 import play_pb2


class LocalDecision(Decision):
    """A decision whose message is made when something is asked of it that only the message knows."""

    def __init__(self, question: Question, match: Match) -> None:
        self._question = question
        self.match = match

    @cached_property
    def message(self) -> play_pb2.Decision:  # type: ignore[override]  # it is made late, and then kept as there
        """The decision as it would go over the wire."""
        try:
            return decision_to_wire(self._question)
        except CoreError as error:
            raise QuestionError(str(error)) from error

    @property
    def number(self) -> int:
        """The number of the decision in the match, from 1."""
        return self._question.number

    @property
    def variant(self) -> str:
        """For example `koikoi`."""
        return self.match.variant

    @property
    def seat(self) -> int:
        """This bot's seat, from 0."""
        return self._question.seat

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """Every legal action, ascending by code; never empty."""
        actions = _actions(self._question.spec.variant)
        return tuple([actions[code] for code in self._question.legal])

    @cached_property
    def random(self) -> random.Random:
        """Random numbers for this decision: the same whenever the match is played again."""
        return random.Random(self._question.random)


class InProcessSeat(Seat):
    """The seat of a bot of the SDK in this process.

    The bot is trusted: while it thinks, nothing else runs, and it cannot be interrupted. An `async` one can. `seconds`
    is the clock by which its time is counted: `time.thread_time` for a bot that does nothing but compute.
    """

    def __init__(self, bot: Bot, seconds: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.wants_updates = bot.updates
        self._bot = bot
        self._seconds = seconds
        self._match = Match("")

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Tell the bot that the match begins."""
        self._match = match_of(spec, seat)
        try:
            self._bot.started(self._match)
        except Exception as error:
            raise _failure(error) from error

    async def decide(self, question: Question) -> Answer:
        """Ask the bot. What its code raises, and an answer that is not legal, fails the seat with BOT_ERROR."""
        await asyncio.sleep(0)  # others have their turn before a bot that may think long
        decision = LocalDecision(question, self._match)
        began = self._seconds()
        try:
            action = self._bot.choose(decision)
            if inspect.isawaitable(action):
                return Answer(*await timed(_code_of(decision, action), question.limit_ms / 1000))
            # The bot held up the event loop, and with it the arena's clock.
            thinking_s = self._seconds() - began
            return Answer(decision.code_of(action), thinking_s)
        except QuestionError:
            raise
        except Exception as error:
            raise _failure(error) from error

    async def update(self, events: tuple[Event, ...]) -> None:
        """Tell the bot what happened."""
        self._bot.happened(self._match, tuple(map(event, events_to_wire(events))))

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Tell the bot how the match ended."""
        self._bot.ended(self._match, match_end(self._match.id, result, events))


def match_of(spec: MatchSpec, seat: int) -> Match:
    """Return the match as the bot in a seat knows it."""
    return Match(spec.match_id, spec.variant, seat, spec.names, options_to_wire(spec.variant, spec.options))


async def _code_of(decision: LocalDecision, action: Awaitable[object]) -> int:
    """Return the code of what an `async` bot answers."""
    return decision.code_of(await action)


def _failure(error: Exception) -> SeatFailure:
    """Return what the bot's code raised, as the match ends by it."""
    return SeatFailure(End.BOT_ERROR, f"{type(error).__name__}: {error}")


@lru_cache(maxsize=16)
def _actions(variant: str) -> tuple[Action, ...]:
    """Return every action of a variant, by its code."""
    return tuple(read_action(code, text) for code, text in enumerate(variant_info(variant).actions))
