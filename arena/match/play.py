"""The referee: plays one match, asks the seats in turn and judges their answers."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, ParamSpec

from msgspec.structs import replace

from arena.match.arbiter import Arbiter, SeatState
from arena.match.deadline import Deadline
from arena.match.journal import Entry, Forfeit, Journal, JournalError, Played
from arena.match.model import End, MatchResult, MatchSpec, Policy, Rejection
from arena.match.outcome import end_of, placing, results_of
from arena.match.question import Answer, Question
from arena.match.seat import Seat, SeatFailure
from arena.match.secrecy import SecrecySlots, portions
from core_ext import SPECTATOR, Event

LENIENT_DEFAULTS = 3
"""How often in a match the default action (the first legal one) is played for a seat under `Policy.LENIENT`."""
NOTICE_SECONDS = 1.0
"""How long a seat may take for a notice before it gets no more of them."""

P = ParamSpec("P")
_log = logging.getLogger(__name__)


Spectator = Callable[[tuple[Event, ...]], None]


class Abandonment:
    """Ends a match by nobody's fault, while it is played or, with a reason given before, as soon as it begins."""

    def __init__(self) -> None:
        self._reason = ""
        self._timeout: asyncio.Timeout | None = None

    def give(self, reason: str) -> None:
        """End the match as ABANDONED, unless it is over. Only the first call counts."""
        if not self._reason and self._timeout is not None:
            self._timeout.reschedule(0)
        self._reason = self._reason or reason

    @asynccontextmanager
    async def interrupts(self) -> AsyncIterator[None]:
        """What plays the match, which is interrupted when a reason is given."""
        try:
            async with asyncio.timeout_at(0 if self._reason else None) as self._timeout:
                yield
        except (TimeoutError, _Verdict):
            if not self._reason:
                raise
            raise _Verdict(End.ABANDONED, -1, self._reason) from None
        finally:
            self._timeout = None


async def play(
    spec: MatchSpec,
    seats: Sequence[Seat],
    *,
    journal: Journal | None = None,
    resume: Sequence[Entry] = (),
    spectator: Spectator | None = None,
    abandonment: Abandonment | None = None,
) -> MatchResult:
    """Plays a match to its end, whatever the seats do.

    Each action, and a forfeit, is written to the `journal`. With `resume`, the entries of such a journal, the match
    goes on where it was: cards, banks, random numbers and counts are as they were; the open decision is asked again.
    `spectator` is given the public events as they happen; after a resumption it is given all events before it first.

    A reason that is given to the `abandonment` ends it. A match that is cancelled, or ended by an error that is no
    seat's fault, notifies its seats that it was ABANDONED and raises the error. With a journal it may go on elsewhere,
    so its seats are not notified.

    Raises ValueError where there are not as many seats as names, CoreError where the core refuses the spec, and
    JournalError where `resume` is not of this match.
    """
    if len(seats) != len(spec.names):
        raise ValueError(f"a match of {len(spec.names)} names has {len(seats)} seats")
    match = _Match(spec, seats, journal, spectator, abandonment or Abandonment())
    match.resume(resume)
    return await match.play()


class _Verdict(Exception):  # noqa: N818 - how a match ends
    """The match ends by what a seat did."""

    def __init__(self, end: End, offender: int, text: str) -> None:
        super().__init__(text)
        self.end = end
        self.offender = offender


class _Match:
    def __init__(
        self,
        spec: MatchSpec,
        seats: Sequence[Seat],
        journal: Journal | None,
        spectator: Spectator | None,
        abandonment: Abandonment,
    ) -> None:
        self._spec = spec
        self._arbiter = Arbiter(spec, seats, journal)
        self._state = self._arbiter.state
        self._seat_states = self._arbiter.seats
        self._journal = journal
        self._spectator = spectator
        self._abandonment = abandonment
        self._notified = 0
        self._watching: list[SeatState] = []
        self._cover = SecrecySlots(self._state, spec.cover_ms) if spec.cover_ms else None
        self._forfeit: Forfeit | None = None
        self._deadline: Deadline

    def resume(self, journal: Sequence[Entry]) -> None:
        """Replay what was played before."""
        arbiter, state = self._arbiter, self._state
        for number, played in enumerate(journal):
            if isinstance(played, Forfeit):
                self._forfeit = played
                if played.offender >= 0:
                    self._seat_states[played.offender].seat.tally.rejections = played.rejections
                break
            if state.current_player != played.seat:
                raise JournalError(f"entry {number} of the journal is not of the seat whose turn it is")
            seat_state = self._seat_states[played.seat]
            question = arbiter.ask(secret=bool(self._cover and self._cover.secret()))
            if played.choice >= len(question.legal):
                raise JournalError(f"entry {number} of the journal is no legal action")
            arbiter.charge(played.clock_ms)
            seat_state.seat.tally.rejections = played.rejections
            seat_state.defaults += played.refused is not None
            arbiter.record(played.choice, played.clock_ms)
        if self._cover:
            self._cover.resume(portions(state, 0, SPECTATOR))
        if self._spectator and journal:
            self._spectator(state.events(SPECTATOR))
        self._notified = state.event_count if journal else 0

    async def play(self) -> MatchResult:
        self._deadline = Deadline()
        try:
            result = await self._run()
        except BaseException:
            if self._journal is None:
                await self._notify_end(self._result(End.ABANDONED, -1, "the arena ended the match"))
            raise
        else:
            await self._notify_end(result)
        finally:
            self._deadline.close()
        return result

    async def _run(self) -> MatchResult:
        try:
            async with self._abandonment.interrupts():
                await self._start()
                if self._forfeit is None:
                    await self._ask_in_turn()
        except _Verdict as verdict:
            await self._write_forfeit(verdict)
        if self._forfeit is not None:
            return self._result(self._forfeit.end, self._forfeit.offender, self._forfeit.text)
        return self._result(end_of(self._state), -1, "")

    async def _start(self) -> None:
        """Start every seat, even when one has failed: those that are told of the end are told of the beginning."""
        verdicts: list[_Verdict] = []
        for seat_state in self._seat_states:
            try:
                await seat_state.seat.start(self._spec, seat_state.number)
                if seat_state.seat.wants_updates:
                    self._watching.append(seat_state)
            except SeatFailure as failure:
                verdicts.append(self._verdict(failure, seat_state))
        if verdicts:
            raise verdicts[0]

    async def _ask_in_turn(self) -> None:
        arbiter, state = self._arbiter, self._state
        notify = bool(self._cover or self._spectator or self._watching)
        while True:
            if notify:
                await self._notify_events()
            secret = await self._cover.hold() if self._cover is not None else False
            if state.current_player < 0:
                return
            arbiter.ask(secret)
            try:
                answer = await arbiter.answer(alone=not notify)
            except SeatFailure as failure:
                raise self._verdict(failure, self._seat_states[arbiter.question.seat]) from failure
            if not isinstance(answer, Answer):
                if answer is not None:
                    await answer
                continue
            played = arbiter.judge(answer)
            if played.refused is None:
                arbiter.record(played.choice, played.clock_ms)
                await self._write(played)
            else:
                await self._refuse(answer.code, played, played.refused)

    def _verdict(self, failure: SeatFailure, seat_state: SeatState) -> _Verdict:
        """How the match ends by the failure of a seat, which is no forfeit where the seat may decline the match."""
        if failure.end is not End.ABANDONED:
            return _Verdict(failure.end, seat_state.number, str(failure))
        declined = f"{self._spec.names[seat_state.number]} declined the match"
        if self._spec.declinable and seat_state.questions <= 1:
            return _Verdict(End.ABANDONED, -1, declined)
        why = "after its first move" if self._spec.declinable else "which is no challenge"
        return _Verdict(End.BOT_ERROR, seat_state.number, f"{declined}, {why}")

    async def _refuse(self, code: int | None, played: Played, reason: Rejection) -> None:
        """The answer was not taken: the match ends, or its policy lets the default action be played."""
        question = self._arbiter.question
        seat_state = self._seat_states[question.seat]
        if self._spec.policy is Policy.STRICT or seat_state.defaults == LENIENT_DEFAULTS:
            verdict = _Verdict(_END_AFTER[reason], seat_state.number, _reason_text(question, code, played))
            await self._write_forfeit(verdict)
            await self._notify(seat_state, seat_state.seat.reject, question, code, reason, played.rejections, None)
            raise verdict
        seat_state.defaults += 1
        self._arbiter.record(0, played.clock_ms)
        await self._write(played)
        await self._notify(
            seat_state, seat_state.seat.reject, question, code, reason, played.rejections, question.legal[0]
        )

    async def _write(self, entry: Entry) -> None:
        if self._journal is not None and (written := self._journal.write(entry)) is not None:
            await written

    async def _write_forfeit(self, verdict: _Verdict) -> None:
        """Write a forfeit to the journal. Only the first one counts."""
        if self._forfeit is None:
            nobody = verdict.offender < 0
            rejections = 0 if nobody else self._seat_states[verdict.offender].seat.tally.rejections
            forfeit = Forfeit(verdict.end, verdict.offender, str(verdict), rejections)
            await self._write(forfeit)
            self._forfeit = forfeit

    async def _notify_events(self) -> None:
        """Notify everybody of what is new to them; with secrecy slots, of public events when the last slot is over."""
        state = self._state
        public = portions(state, self._notified, SPECTATOR)
        watched = [(seat_state, portions(state, self._notified, seat_state.number)) for seat_state in self._watching]
        self._notified = state.event_count
        for number, events in enumerate(public):
            if self._cover and events:
                await self._cover.over()
            if self._spectator and events:
                self._spectator(events)
            for seat_state, seen in watched:
                if seen[number]:
                    await self._notify(seat_state, seat_state.seat.update, seen[number])
            if self._cover:
                self._cover.open(events)

    async def _notify_end(self, result: MatchResult) -> None:
        """Notify every seat. Only the seat that forfeited is told why: the reason could reveal its cards."""
        for seat_state in self._seat_states:
            own = result.offender in (-1, seat_state.number)
            public = result if own else replace(result, text=f"seat {result.offender} forfeited")
            events = self._state.events(seat_state.number, seat_state.events_seen)
            await self._notify(seat_state, seat_state.seat.end, public, events)

    async def _notify(
        self, seat_state: SeatState, notice: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Give a seat a notice. A seat that fails at it or takes long gets no more; the match goes on."""
        if seat_state.unreachable:
            return
        try:
            with self._deadline.within(NOTICE_SECONDS):
                await notice(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whatever a seat raises here is that seat's alone
            seat_state.unreachable = True
            _log.warning("seat %d of match %s gets no more notices: %r", seat_state.number, self._spec.match_id, error)

    def _result(self, end: End, offender: int, text: str) -> MatchResult:
        state = self._state
        results = results_of(state)
        return MatchResult(
            end=end,
            offender=offender,
            results=results,
            placing=placing(results, offender),
            choices=bytes(self._arbiter.choices),
            clock_ms=tuple(self._arbiter.clock_ms),
            rejections=tuple(seat_state.seat.tally.rejections for seat_state in self._seat_states),
            text=text,
            thinking=tuple(tuple(seat_state.thinking) for seat_state in self._seat_states),
        )


_END_AFTER = {Rejection.TOO_LATE: End.TIMEOUT, Rejection.ILLEGAL_ACTION: End.ILLEGAL_ACTION}


def _reason_text(question: Question, code: int | None, played: Played) -> str:
    if played.refused is Rejection.TOO_LATE:
        return f"decision {question.number} of seat {question.seat} took {played.clock_ms} ms of {question.limit_ms}"
    return f"decision {question.number} of seat {question.seat}: code {code!r} is not legal"
