"""Plays one match: asks whose decision it is, keeps the clocks, judges what comes back."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, NamedTuple, ParamSpec

from msgspec.structs import replace

from arena.referee.clock import clock
from arena.referee.cover import Cover, portions
from arena.referee.deadline import Deadline, OverdueError
from arena.referee.dice import Dice
from arena.referee.model import End, MatchResult, MatchSpec, Policy, Rejection
from arena.referee.outcome import end_of, placing, results_of
from arena.referee.seat import Question, Seat, SeatFailure, Tally
from core_ext import SPECTATOR, Event, State

LENIENT_DEFAULTS = 3
"""How often in a match the default action (the first legal one) is played for a seat under `Policy.LENIENT`."""
NOTICE_SECONDS = 1.0
"""How long a seat may take to be told something before it is told nothing more."""

P = ParamSpec("P")
_log = logging.getLogger(__name__)


class Played(NamedTuple):
    """An action of a match: its index in the legal list, whose it was, and how long that took by the arena's clock.

    `refused` says why it was played in the seat's place, where it was. A match can be taken up again from these.
    """

    seat: int
    choice: int
    clock_ms: int
    refused: Rejection | None


Journal = Callable[[Played], Awaitable[None]]
Spectator = Callable[[tuple[Event, ...]], None]


async def play(
    spec: MatchSpec, seats: Sequence[Seat], *, journal: Journal | None = None, spectator: Spectator | None = None
) -> MatchResult:
    """Plays a match to its end, whatever the seats do.

    `journal` is awaited after each action, before anything that follows from it is sent to anybody. `spectator` is
    given the public events as they happen. A cancelled match tells its seats that it was ABANDONED and raises
    CancelledError.

    Raises ValueError where there are not as many seats as names, and CoreError where the core refuses the spec.
    """
    if len(seats) != len(spec.names):
        raise ValueError(f"a match of {len(spec.names)} names has {len(seats)} seats")
    return await _Match(spec, seats, journal, spectator).play()


class _Chair:
    """What a match keeps for one seat."""

    __slots__ = ("asked_since", "bank_ms", "defaults", "dice", "mute", "number", "questions", "seat", "tally")

    def __init__(self, number: int, seat: Seat, spec: MatchSpec) -> None:
        self.number = number
        self.seat = seat
        self.bank_ms = spec.time.bank_ms
        self.dice = Dice(spec.seed, number, spec.salts[number] if spec.salts else "")
        self.tally = Tally()
        self.questions = 0
        self.defaults = 0
        self.asked_since = 0
        self.mute = False


class _Answer(NamedTuple):
    """What a seat answered (None: nothing in time), and the index of what is played: 0 where it was refused."""

    code: int | None
    choice: int
    refused: Rejection | None
    clock_ms: int


class _Verdict(Exception):  # noqa: N818 - how a match ends
    """The match ends by what a seat did."""

    def __init__(self, end: End, offender: int, text: str) -> None:
        super().__init__(text)
        self.end = end
        self.offender = offender


class _Match:
    def __init__(
        self, spec: MatchSpec, seats: Sequence[Seat], journal: Journal | None, spectator: Spectator | None
    ) -> None:
        self._spec = spec
        self._state = State.new(spec.variant, spec.options, spec.seed, len(seats))
        self._chairs = [_Chair(number, seat, spec) for number, seat in enumerate(seats)]
        self._journal = journal
        self._spectator = spectator
        self._told = 0
        self._choices = bytearray()
        self._clock_ms: list[int] = []
        self._watching: list[_Chair] = []
        self._cover = Cover(self._state, spec.cover_ms) if spec.cover_ms else None
        self._deadline = Deadline()

    async def play(self) -> MatchResult:
        try:
            result = await self._judged()
        except asyncio.CancelledError:
            await self._tell_end(self._result(End.ABANDONED, -1, "the arena ended the match"))
            raise
        else:
            await self._tell_end(result)
        finally:
            self._deadline.close()
        return result

    async def _judged(self) -> MatchResult:
        try:
            await self._start()
            await self._go_on()
        except _Verdict as verdict:
            return self._result(verdict.end, verdict.offender, str(verdict))
        return self._result(end_of(self._state), -1, "")

    async def _start(self) -> None:
        for chair in self._chairs:
            try:
                await chair.seat.start(self._spec, chair.number)
                if chair.seat.wants_updates:
                    self._watching.append(chair)
            except Exception as error:
                raise _verdict_on(chair.number, error) from error

    async def _go_on(self) -> None:
        state = self._state
        while True:
            await self._tell_events()
            secret = await self._cover.hold() if self._cover else False
            seat = state.current_player
            if seat < 0:
                return
            await self._decide(self._chairs[seat], secret)

    async def _decide(self, chair: _Chair, secret: bool) -> None:
        question = self._question(chair, secret)
        answer = await self._ask(chair, question)
        refused = answer.refused
        if refused is None:
            await self._apply(question, answer)
            return
        tally = chair.tally
        tally.rejections += 1
        if self._spec.policy is Policy.STRICT or chair.defaults == LENIENT_DEFAULTS:
            await self._tell(chair, chair.seat.reject, question, answer.code, refused, tally.rejections, None)
            raise _Verdict(_END_AFTER[refused], chair.number, _why(question, answer))
        chair.defaults += 1
        await self._apply(question, answer)
        default = question.legal[answer.choice]
        await self._tell(chair, chair.seat.reject, question, answer.code, refused, tally.rejections, default)

    def _question(self, chair: _Chair, secret: bool) -> Question:
        spec, state = self._spec, self._state
        chair.questions += 1
        decision_ms, bank_ms = spec.time.per_decision_ms, chair.bank_ms
        if secret:
            decision_ms, bank_ms = min(decision_ms + bank_ms, spec.cover_ms), 0
        question = Question(
            spec,
            chair.number,
            chair.questions,
            tuple(state.legal_actions()),
            chair.dice.roll(chair.questions),
            decision_ms,
            bank_ms,
            chair.asked_since,
            state,
            chair.tally,
        )
        chair.asked_since = state.event_count
        return question

    async def _ask(self, chair: _Chair, question: Question) -> _Answer:
        """The seat's answer, for which its bank has paid."""
        limit_ms = question.decision_ms + question.bank_ms
        code: int | None = None
        late = False
        handed_at = clock.now()
        try:
            code = await self._deadline.wait(chair.seat.decide(question), limit_ms / 1000, question)
        except OverdueError:
            late = True
        except Exception as error:
            raise _verdict_on(chair.number, error) from error
        finally:
            question.closed = True
        answered_at = question.answered_at or clock.now()
        clock_ms = max(0, int((answered_at - (question.asked_at or handed_at)) * 1000))
        if question.bank_ms and clock_ms > question.decision_ms:
            chair.bank_ms = max(0, limit_ms - clock_ms)
        if late or clock_ms > limit_ms:
            return _Answer(code, 0, Rejection.TOO_LATE, clock_ms)
        try:
            choice = question.legal.index(code)
        except ValueError:
            return _Answer(code, 0, Rejection.ILLEGAL_ACTION, clock_ms)
        return _Answer(code, choice, None, clock_ms)

    async def _apply(self, question: Question, answer: _Answer) -> None:
        self._state.apply(question.legal[answer.choice])
        self._choices.append(answer.choice)
        self._clock_ms.append(answer.clock_ms)
        if self._journal:
            await self._journal(Played(question.seat, answer.choice, answer.clock_ms, answer.refused))

    async def _tell_events(self) -> None:
        """Tells everybody what is new to them; with a cover, what is public only when its last slot is over."""
        state = self._state
        if not (self._cover or self._spectator or self._watching):
            return
        public = portions(state, self._told, SPECTATOR)
        watched = [(chair, portions(state, self._told, chair.number)) for chair in self._watching]
        self._told = state.event_count
        for number, events in enumerate(public):
            if self._cover and events:
                await self._cover.over()
            if self._spectator and events:
                self._spectator(events)
            for chair, seen in watched:
                if seen[number]:
                    await self._tell(chair, chair.seat.update, seen[number])
            if self._cover:
                self._cover.open(events)

    async def _tell_end(self, result: MatchResult) -> None:
        """Tells every seat; why a seat forfeited is for that seat alone, its words could speak of its cards."""
        for chair in self._chairs:
            own = result.offender in (-1, chair.number)
            told = result if own else replace(result, text=f"seat {result.offender} forfeited")
            events = self._state.events(chair.number, chair.asked_since)
            await self._tell(chair, chair.seat.end, told, events)

    async def _tell(
        self, chair: _Chair, notice: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Tells a seat something. A seat that fails at it, or takes long, is told nothing more; nobody else feels
        it."""
        if chair.mute:
            return
        try:
            await self._deadline.wait(notice(*args, **kwargs), NOTICE_SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever a seat raises here is that seat's alone
            chair.mute = True
            _log.warning("seat %d of match %s is told nothing more: %r", chair.number, self._spec.match_id, error)

    def _result(self, end: End, offender: int, text: str) -> MatchResult:
        state = self._state
        results = results_of(state)
        return MatchResult(
            end=end,
            offender=offender,
            results=results,
            placing=placing(results, offender),
            choices=bytes(self._choices),
            clock_ms=tuple(self._clock_ms),
            rejections=tuple(chair.tally.rejections for chair in self._chairs),
            state_hash=state.state_hash(),
            text=text,
        )


def _verdict_on(seat: int, error: Exception) -> _Verdict:
    if isinstance(error, SeatFailure):
        return _Verdict(error.end, seat, str(error))
    return _Verdict(End.BOT_ERROR, seat, f"{type(error).__name__}: {error}")


_END_AFTER = {Rejection.TOO_LATE: End.TIMEOUT, Rejection.ILLEGAL_ACTION: End.ILLEGAL_ACTION}


def _why(question: Question, answer: _Answer) -> str:
    if answer.refused is Rejection.TOO_LATE:
        limit_ms = question.decision_ms + question.bank_ms
        return f"decision {question.number} of seat {question.seat} took {answer.clock_ms} ms of {limit_ms}"
    return f"decision {question.number} of seat {question.seat}: code {answer.code!r} is not legal"
