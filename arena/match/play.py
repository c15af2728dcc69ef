"""Plays one match: brings the referee's questions to seats, and their answers back."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any, ParamSpec

from msgspec.structs import replace

from arena.match.deadline import Deadline
from arena.match.journal import Entry, Forfeit, Journal
from arena.match.model import MatchResult, MatchSpec
from arena.match.recess import Recess
from arena.match.referee import Referee
from arena.match.relay import Relay
from arena.match.reply import Reply
from arena.match.seat import Seat, SeatFailure
from arena.match.secrecy import SecrecySlots, portions
from core_ext import SPECTATOR, Event

NOTICE_SECONDS = 1.0
"""How long a seat may take for a notice before it gets no more of them."""

P = ParamSpec("P")
_log = logging.getLogger(__name__)


Spectator = Callable[[tuple[Event, ...]], None]


class Abandonment:
    """Ends a match by nobody's fault, while it is played or, with a reason given before, as soon as it begins."""

    def __init__(self) -> None:
        self.reason = ""
        self._timeout: asyncio.Timeout | None = None

    def give(self, reason: str) -> None:
        """End the match as ABANDONED, unless it is over. Only the first call counts."""
        if not self.reason and self._timeout is not None:
            self._timeout.reschedule(0)
        self.reason = self.reason or reason

    @asynccontextmanager
    async def interrupts(self) -> AsyncIterator[None]:
        """Leave the body when a reason is given."""
        try:
            async with asyncio.timeout_at(0 if self.reason else None) as self._timeout:
                yield
        except TimeoutError:
            if not self.reason:
                raise
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
    recess: Recess | None = None,
    resumable: bool = True,
) -> MatchResult:
    """Play a match to its end, whatever the seats do.

    Each action, and a forfeit, is written to the `journal`. With `resume`, the entries of such a journal, the match
    goes on where it was: cards, banks, random numbers and counts are as they were; the open decision is asked again.
    `spectator` is given the public events as they happen; after a resumption it is given all events before it first.

    While the match waits for its cover it is in `recess`.

    A reason that is given to the `abandonment` ends it. A match that is cancelled, or ended by an error that is no
    seat's fault, notifies its seats that it was ABANDONED and raises the error. With a journal it may go on elsewhere,
    so its seats are not notified, unless the journal is not `resumable` and only measures.

    Raises ValueError where there are not as many seats as names, CoreError where the core refuses the spec, and
    JournalError where `resume` is not of this match.
    """
    referee = Referee(spec, [seat.tally for seat in seats])
    return await conduct(
        referee,
        seats,
        journal=journal,
        resume=resume,
        spectator=spectator,
        abandonment=abandonment,
        recess=recess,
        resumable=resumable,
    )


async def conduct(
    referee: Referee,
    seats: Sequence[Seat],
    *,
    journal: Journal | None,
    resume: Sequence[Entry] = (),
    spectator: Spectator | None = None,
    abandonment: Abandonment | None = None,
    recess: Recess | None = None,
    resumable: bool = True,
) -> MatchResult:
    """Play the match of this referee, which shares the tallies of the seats, as `play` does."""
    cover = SecrecySlots(referee.state, referee.spec.cover_ms, recess or Recess()) if referee.spec.cover_ms else None
    match = _Match(referee, seats, journal, spectator, abandonment or Abandonment(), cover, resumable=resumable)
    match.resume(resume)
    return await match.play()


class _Match:
    def __init__(
        self,
        referee: Referee,
        seats: Sequence[Seat],
        journal: Journal | None,
        spectator: Spectator | None,
        abandonment: Abandonment,
        cover: SecrecySlots | None,
        *,
        resumable: bool,
    ) -> None:
        self._referee = referee
        self._spec = referee.spec
        self._state = referee.state
        self._seats = seats
        self._relay = Relay(referee, seats, journal)
        self._journal = journal
        self._resumable = journal is not None and resumable
        self._spectator = spectator
        self._abandonment = abandonment
        self._notified = 0
        self._watching: list[int] = []
        self._unreachable: tuple[int, ...] = ()
        self._cover = cover
        self._written: Entry | None = None
        self._deadline: Deadline

    def resume(self, journal: Sequence[Entry]) -> None:
        """Take over what was played before."""
        for entry in journal:
            self._referee.replay(entry, secret=bool(self._cover and self._cover.secret()))
            self._written = entry
            if isinstance(entry, Forfeit):
                break
        if self._cover:
            self._cover.resume(portions(self._state, 0, SPECTATOR))
        if self._spectator and journal:
            self._spectator(self._state.events(SPECTATOR))
        self._notified = self._state.event_count if journal else 0

    async def play(self) -> MatchResult:
        self._deadline = Deadline()
        try:
            await self._run()
        except BaseException:
            if not self._resumable:
                self._referee.abandon("the arena ended the match")
                await self._notify_end(self._referee.result())
            raise
        else:
            result = self._referee.result()
            await self._notify_end(result)
        finally:
            self._deadline.close()
        return result

    async def _run(self) -> None:
        referee, abandonment = self._referee, self._abandonment
        async with abandonment.interrupts():
            await self._start()
            if referee.forfeit is None:
                await self._ask_in_turn()
        if referee.turn >= 0:
            referee.abandon(abandonment.reason)
        if referee.forfeit is not None and referee.forfeit is not self._written:
            await self._write(referee.forfeit)

    async def _start(self) -> None:
        """Start every seat, even when one has failed: those that are told of the end are told of the beginning."""
        for number, seat in enumerate(self._seats):
            try:
                await seat.start(self._spec, number)
                if seat.wants_updates:
                    self._watching.append(number)
            except SeatFailure as failure:
                self._fail(number, failure)

    async def _ask_in_turn(self) -> None:
        referee, relay = self._referee, self._relay
        notify = bool(self._cover or self._spectator or self._watching)
        while True:
            if notify:
                await self._notify_events()
            secret = await self._cover.hold() if self._cover is not None else False
            if referee.turn < 0:
                return
            question = referee.ask(secret)
            try:
                coming = self._seats[question.seat].decide(question)
                if notify or not isinstance(coming, Reply):
                    entry, written = relay.take(await coming)
                else:
                    entry, written = await relay.follow(coming)
            except SeatFailure as failure:
                self._fail(referee.turn, failure)
                return
            if written is not None:
                await written
            self._written = entry
            if referee.rejection is not None:
                await self._notify_rejection(entry)
            if isinstance(entry, Forfeit):
                return

    def _fail(self, number: int, failure: SeatFailure) -> None:
        """End the match by the failure of a seat, unless it is about to be abandoned, which may be why."""
        if self._abandonment.reason:
            self._referee.abandon(self._abandonment.reason)
        else:
            self._referee.fail(number, failure.end, str(failure))

    async def _write(self, entry: Entry) -> None:
        if self._journal is not None and (written := self._journal.write(entry)) is not None:
            await written

    async def _notify_events(self) -> None:
        """Notify everybody of what is new to them; with secrecy slots, of public events when the last slot is over."""
        state = self._state
        public = portions(state, self._notified, SPECTATOR)
        watched = [(number, portions(state, self._notified, number)) for number in self._watching]
        self._notified = state.event_count
        for part, events in enumerate(public):
            if self._cover and events:
                await self._cover.over()
            if self._spectator and events:
                self._spectator(events)
            for number, seen in watched:
                if seen[part]:
                    await self._notify(number, self._seats[number].update, seen[part])
            if self._cover:
                self._cover.open(events)

    async def _notify_rejection(self, entry: Entry) -> None:
        """Notify the seat whose answer was not taken, and of what was played instead."""
        referee, question = self._referee, self._referee.question
        assert question is not None
        assert referee.answered is not None
        assert referee.rejection is not None
        default_code = None if isinstance(entry, Forfeit) else question.legal[entry.choice]
        await self._notify(
            question.seat,
            self._seats[question.seat].reject,
            question,
            referee.answered.code,
            referee.rejection,
            entry.rejections,
            default_code,
        )

    async def _notify_end(self, result: MatchResult) -> None:
        """Notify every seat. Only the seat that forfeited is told why: the reason could reveal its cards."""
        for number, seat in enumerate(self._seats):
            is_own = result.offender in (-1, number)
            public = result if is_own else replace(result, text=f"seat {result.offender} forfeited")
            events = self._state.events(number, self._referee.seats[number].events_seen)
            await self._notify(number, seat.end, public, events)

    async def _notify(
        self, number: int, notice: Callable[P, Coroutine[Any, Any, None]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Give a seat a notice. A seat that fails at it or takes long gets no more; the match goes on."""
        if number in self._unreachable:
            return
        try:
            with self._deadline.within(NOTICE_SECONDS):
                await notice(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - whatever a seat raises here is that seat's alone
            self._unreachable += (number,)
            _log.warning("seat %d of match %s gets no more notices: %r", number, self._spec.match_id, error)
