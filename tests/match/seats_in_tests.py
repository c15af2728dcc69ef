"""Seats whose behaviour a test writes down."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from msgspec.structs import replace

from arena.match.deadline import timed
from arena.match.model import End, MatchResult, MatchSpec, Policy, Rejection, TimeControl
from arena.match.question import Answer, Question
from arena.match.seat import Seat, SeatFailure
from core_ext import Event, State, parse_seed

Act = Callable[[Question], Awaitable[int | Answer]]
LONG = TimeControl(per_decision_ms=60_000, bank_ms=0)
NOTHING = 10**9
"""A code that is never legal."""


class FirstSeat(Seat):
    """Plays the first legal action and writes down what it is told; a test replaces what it needs otherwise.

    What `think` returns is timed, but for an Answer, which says its time itself.
    """

    wants_updates = False

    def __init__(self, acts: Mapping[int, Act] | None = None) -> None:
        super().__init__()
        self.acts = acts or {}
        self.questions: list[tuple[int, tuple[int, ...], int, int, int]] = []
        self.rejected: list[tuple[int, int | None, Rejection, int, int | None]] = []
        self.updates: list[Event] = []
        self.ends: list[MatchResult] = []
        """What the seat was told at the end, but for the text."""
        self.end_text = ""
        self.last_events: tuple[Event, ...] = ()
        self.asked = asyncio.Event()

    async def start(self, spec: MatchSpec, seat: int) -> None:
        self.seat = seat

    async def decide(self, question: Question) -> Answer:
        code, thinking_s = await timed(self.think(question), question.limit_ms / 1000)
        return code if isinstance(code, Answer) else Answer(code, thinking_s)

    async def think(self, question: Question) -> int | Answer:
        self.questions.append(
            (question.number, question.legal, question.random, question.decision_ms, question.bank_ms)
        )
        self.asked.set()
        act = self.acts.get(question.number)
        return await act(question) if act else question.legal[0]

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        self.rejected.append((question.number, code, reason, count, default_code))

    async def update(self, events: tuple[Event, ...]) -> None:
        self.updates.extend(events)

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        self.ends.append(replace(result, text=""))
        self.end_text = result.text
        self.last_events = events


def match(
    seed: str = "7",
    *,
    time: TimeControl = LONG,
    policy: Policy = Policy.STRICT,
    cover_ms: int = 0,
    **options: object,
) -> MatchSpec:
    """A koi-koi match of two months, if not told otherwise."""
    return MatchSpec(
        match_id="m",
        variant="koikoi",
        seed=parse_seed(seed),
        names=("ann", "bo"),
        options={"months": 2, **options},
        time=time,
        policy=policy,
        cover_ms=cover_ms,
    )


async def answer_nothing(question: Question) -> int:
    return NOTHING


async def never_answer(question: Question) -> int:
    await asyncio.Event().wait()
    return question.legal[0]


async def break_down(question: Question) -> int:
    raise SeatFailure(End.BOT_ERROR, "the bot broke")


def told(result: MatchResult) -> list[MatchResult]:
    """What every seat is told of a result."""
    return [replace(result, text="")]


def first_asked(spec: MatchSpec) -> int:
    """The seat that is asked first."""
    return State.new(spec.variant, spec.options, spec.seed).current_player
