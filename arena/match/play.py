"""Plays one match: asks whose decision it is, keeps the clocks, judges what comes back."""

import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, ParamSpec

from msgspec.structs import replace

from arena.match.deadline import Deadline
from arena.match.journal import Entry, Forfeit, Journal, JournalError, Played
from arena.match.model import End, MatchResult, MatchSpec, Policy, Rejection
from arena.match.outcome import end_of, placing, results_of
from arena.match.rng import SeatRng
from arena.match.seat import Answer, Question, Seat, SeatFailure
from arena.match.secrecy import SecrecySlots, portions
from core_ext import SPECTATOR, Event
from core_ext.state import State

LENIENT_DEFAULTS = 3
"""How often in a match the default action (the first legal one) is played for a seat under `Policy.LENIENT`."""
NOTICE_SECONDS = 1.0
"""How long a seat may take to be told something before it is told nothing more."""

P = ParamSpec("P")
_log = logging.getLogger(__name__)


Spectator = Callable[[tuple[Event, ...]], None]


async def play(
    spec: MatchSpec,
    seats: Sequence[Seat],
    *,
    journal: Journal | None = None,
    resume: Sequence[Entry] = (),
    spectator: Spectator | None = None,
) -> MatchResult:
    """Plays a match to its end, whatever the seats do.

    Each action, and a forfeit, is written to the `journal`. With `resume`, what such a journal holds, the match goes on
    where it was: the cards, banks, numbers and counts are as they were, and the decision that was open is asked again.
    `spectator` is given the public events as they happen, those before a resumption first.

    A match that is cancelled, or that an error ends which is no seat's, tells its seats that it was ABANDONED, and
    raises what ended it; one with a journal may go on elsewhere and tells them nothing.

    Raises ValueError where there are not as many seats as names, CoreError where the core refuses the spec, and
    JournalError where `resume` is not of this match.
    """
    if len(seats) != len(spec.names):
        raise ValueError(f"a match of {len(spec.names)} names has {len(seats)} seats")
    match = _Match(spec, seats, journal, spectator)
    match.take_up(resume)
    return await match.play()


class _SeatState:
    """What a match keeps for one seat."""

    def __init__(self, number: int, seat: Seat, spec: MatchSpec) -> None:
        self.number = number
        self.seat = seat
        self.bank_ms = spec.time.bank_ms
        self.dice = SeatRng(spec.seed, number, spec.salts[number] if spec.salts else "")
        self.questions = 0
        self.defaults = 0
        self.asked_since = 0
        self.mute = False


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
        self._chairs = [_SeatState(number, seat, spec) for number, seat in enumerate(seats)]
        self._journal = journal
        self._spectator = spectator
        self._told = 0
        self._choices = bytearray()
        self._clock_ms: list[int] = []
        self._watching: list[_SeatState] = []
        self._cover = SecrecySlots(self._state, spec.cover_ms) if spec.cover_ms else None
        self._decision_ms = spec.time.per_decision_ms
        self._forfeit: Forfeit | None = None
        self._deadline: Deadline

    def take_up(self, journal: Sequence[Entry]) -> None:
        """Go through what was played before, as it was."""
        state = self._state
        for number, played in enumerate(journal):
            if isinstance(played, Forfeit):
                self._forfeit = played
                self._chairs[played.offender].seat.tally.rejections = played.rejections
                break
            if state.current_player != played.seat:
                raise JournalError(f"entry {number} of the journal is not of the seat whose turn it is")
            chair = self._chairs[played.seat]
            question = self._question(chair, secret=bool(self._cover and self._cover.secret()))
            if played.choice >= len(question.legal):
                raise JournalError(f"entry {number} of the journal is no legal action")
            self._charge(chair, question, played.clock_ms)
            chair.seat.tally.rejections = played.rejections
            chair.defaults += played.refused is not None
            self._record(question, played.choice, played.clock_ms)
        if self._cover:
            self._cover.take_up(portions(state, 0, SPECTATOR))
        if self._spectator and journal:
            self._spectator(state.events(SPECTATOR))
        self._told = state.event_count if journal else 0

    async def play(self) -> MatchResult:
        self._deadline = Deadline()
        try:
            result = await self._judged()
        except BaseException:
            if self._journal is None:
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
            if self._forfeit is None:
                await self._go_on()
        except _Verdict as verdict:
            await self._note(verdict)
        if self._forfeit is not None:
            return self._result(self._forfeit.end, self._forfeit.offender, self._forfeit.text)
        return self._result(end_of(self._state), -1, "")

    async def _start(self) -> None:
        for chair in self._chairs:
            try:
                await chair.seat.start(self._spec, chair.number)
                if chair.seat.wants_updates:
                    self._watching.append(chair)
            except SeatFailure as failure:
                raise _Verdict(failure.end, chair.number, str(failure)) from failure

    async def _go_on(self) -> None:
        state = self._state
        told = bool(self._cover or self._spectator or self._watching)
        while True:
            if told:
                await self._tell_events()
            secret = await self._cover.hold() if self._cover is not None else False
            seat = state.current_player
            if seat < 0:
                return
            await self._decide(self._chairs[seat], secret)

    async def _decide(self, chair: _SeatState, secret: bool) -> None:
        question = self._question(chair, secret)
        try:
            answer = await chair.seat.decide(question)
        except SeatFailure as failure:
            raise _Verdict(failure.end, chair.number, str(failure)) from failure
        played = self._judge(chair, question, answer)
        if played.refused is None:
            self._record(question, played.choice, played.clock_ms)
            if self._journal is not None:
                await self._journal.write(played)
        else:
            await self._refuse(chair, question, answer.code, played, played.refused)

    def _judge(self, chair: _SeatState, question: Question, answer: Answer) -> Played:
        """What is played after this answer: choice 0 where it is refused. The seat's bank pays for the time."""
        code, thinking_s = answer
        clock_ms = int(thinking_s * 1000)
        self._charge(chair, question, clock_ms)
        choice = 0
        refused: Rejection | None = None
        if code is None or clock_ms > question.limit_ms:
            refused = Rejection.TOO_LATE
        else:
            try:
                choice = question.legal.index(code)
            except ValueError:
                refused = Rejection.ILLEGAL_ACTION
        if refused is not None:
            chair.seat.tally.rejections += 1
        return Played(chair.number, choice, clock_ms, refused, chair.seat.tally.rejections)

    async def _refuse(
        self, chair: _SeatState, question: Question, code: int | None, played: Played, reason: Rejection
    ) -> None:
        """The answer was not taken: the match ends, or its policy lets the default action be played."""
        if self._spec.policy is Policy.STRICT or chair.defaults == LENIENT_DEFAULTS:
            verdict = _Verdict(_END_AFTER[reason], chair.number, _why(question, code, played))
            await self._note(verdict)
            await self._tell(chair, chair.seat.reject, question, code, reason, played.rejections, None)
            raise verdict
        chair.defaults += 1
        self._record(question, 0, played.clock_ms)
        if self._journal:
            await self._journal.write(played)
        await self._tell(chair, chair.seat.reject, question, code, reason, played.rejections, question.legal[0])

    def _question(self, chair: _SeatState, secret: bool) -> Question:
        spec, state = self._spec, self._state
        chair.questions += 1
        decision_ms, bank_ms = self._decision_ms, chair.bank_ms
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
            state.event_count,
            state,
        )
        chair.asked_since = question.events_until
        return question

    async def _note(self, verdict: _Verdict) -> None:
        """Writes a forfeit down. The first one counts."""
        if self._forfeit is None:
            rejections = self._chairs[verdict.offender].seat.tally.rejections
            forfeit = Forfeit(verdict.end, verdict.offender, str(verdict), rejections)
            if self._journal:
                await self._journal.write(forfeit)
            self._forfeit = forfeit

    def _charge(self, chair: _SeatState, question: Question, clock_ms: int) -> None:
        """Lets the seat's bank pay for what a decision took beyond its own time."""
        if question.bank_ms and clock_ms > question.decision_ms:
            chair.bank_ms = max(0, question.limit_ms - clock_ms)

    def _record(self, question: Question, choice: int, clock_ms: int) -> None:
        self._state.apply(question.legal[choice])
        self._choices.append(choice)
        self._clock_ms.append(clock_ms)

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
        self, chair: _SeatState, notice: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Tells a seat something. A seat that fails at it, or takes long, is told nothing more; nobody else feels
        it."""
        if chair.mute:
            return
        try:
            with self._deadline.within(NOTICE_SECONDS):
                await notice(*args, **kwargs)
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
            rejections=tuple(chair.seat.tally.rejections for chair in self._chairs),
            state_hash=state.state_hash(),
            text=text,
        )


_END_AFTER = {Rejection.TOO_LATE: End.TIMEOUT, Rejection.ILLEGAL_ACTION: End.ILLEGAL_ACTION}


def _why(question: Question, code: int | None, played: Played) -> str:
    if played.refused is Rejection.TOO_LATE:
        return f"decision {question.number} of seat {question.seat} took {played.clock_ms} ms of {question.limit_ms}"
    return f"decision {question.number} of seat {question.seat}: code {code!r} is not legal"
