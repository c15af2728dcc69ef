"""A referee's seat whose bot sits at the other end of a stream."""

import asyncio
import math
from functools import partial
from typing import TYPE_CHECKING

from arena import wire
from arena.match.clock import Timer, clock
from arena.match.model import End, MatchResult, MatchSpec, Rejection
from arena.match.seat import Question, SeatFailure, Tally
from arena.seats.errors import NotConnectedError, SeatTakenError
from arena.seats.ledger import Ledger
from core_ext import Event
from hanafuda.arena.v1 import play_pb2

if TYPE_CHECKING:
    from arena.stream.session import Session


class StreamSeat:
    """Asks its bot over the session's connection, whichever that is at the moment.

    While the bot is away its decision stays open and the referee's clock runs. A bot that is not back within the
    match's `reconnect_ms` fails with DISCONNECTED.
    """

    def __init__(self, session: "Session") -> None:
        self.kept = False
        """Whether the node starts the bot again when it dies: it may take its time to come back, and pays nothing."""
        self.match_id = ""
        self.reconnect_ms = 0
        self._session = session
        self._loop = asyncio.get_running_loop()
        self._ledger = Ledger()
        self._tally = Tally()
        self._answer: asyncio.Future[int] | None = None
        self._question: Question | None = None
        self._failure: Exception | None = None
        self._timer: Timer | None = None
        self._start = b""

    # What the referee asks.

    @property
    def wants_updates(self) -> bool:
        """Whether the bot asked for updates in its Hello."""
        return self._session.updates

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Tell the bot that the match begins."""
        self.match_id = spec.match_id
        self.reconnect_ms = spec.reconnect_ms
        self.begin(play_pb2.PlayResponse(match_start=wire.match_start(spec, seat)).SerializeToString())

    def begin(self, message: bytes) -> None:
        """The match begins, or goes on here: tell the bot by this message, now and whenever it is back."""
        self._start = message
        self._session.seats[self.match_id] = self
        if self._session.connection is None:
            self.away()
        else:
            self._session.send(message)

    async def decide(self, question: Question, *, repeated: bool = False) -> int:
        """Ask the bot and wait for its answer. Raises SeatFailure; cancelled when the time is over."""
        if self._failure is not None:
            raise self._failure
        answer = self._ask(question, repeated)
        try:
            return await answer
        finally:
            self._answer = self._question = None
            self._ledger.expire()

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """Tell the bot that its move was not taken by the referee."""
        rejected = wire.move_rejected(self.match_id, question.number, code, reason, count, default_code=default_code)
        self._session.send(play_pb2.PlayResponse(move_rejected=rejected).SerializeToString())

    async def update(self, events: tuple[Event, ...]) -> None:
        """Tell the bot what happened."""
        update = wire.match_update(self.match_id, events)
        self._session.send(play_pb2.PlayResponse(match_update=update).SerializeToString())

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Tell the bot how the match ended, and free its place."""
        end = wire.match_end(self.match_id, result, events)
        self.tell(play_pb2.PlayResponse(match_end=end).SerializeToString(), keep=True)
        self.release()

    def tell(self, message: bytes, *, keep: bool = False) -> None:
        """Send the bot a serialised PlayResponse; `keep` holds it while the bot is away."""
        self._session.send(message, keep=keep)

    def release(self) -> None:
        """Free the bot's place, whether the match came to an end or not. May be called again."""
        self._stop_timer()
        self._session.release(self)

    # What the session tells.

    def take(self, decision: int, code: int) -> Rejection | None:
        """A move for this match has come. None when it answers the open decision."""
        fault = self._ledger.answer(decision)
        if fault is not None:
            self._tally.rejections += 1
        elif self._answer is not None and self._question is not None and not self._answer.done():
            self._question.answered_at = clock.settled()
            if self._question.asked_at == math.inf:  # the bot is back, and knew the question before it is asked again
                self._question.asked_at = self._question.answered_at
            self._answer.set_result(code)
        return fault

    @property
    def rejections(self) -> int:
        """How many of the bot's moves in this match were not taken."""
        return self._tally.rejections

    def away(self) -> None:
        """The connection is lost: the bot has `reconnect_ms` to come back."""
        if self.kept:
            if self._question is not None:
                self._question.asked_at = math.inf
        elif self._timer is None:
            seconds = self.reconnect_ms / 1000
            text = f"disconnected for {seconds:g} s"
            self._timer = clock.call_later(seconds, partial(self.fail, End.DISCONNECTED, text))

    def back(self) -> None:
        """The bot has a connection again: it is told of the match and asked its open decision again."""
        self._stop_timer()
        self._session.send(self._start)
        if self._question is not None and self._ledger.open:
            self._session.ask(self._message(self._question, True), self._question if self.kept else None)

    def fail(self, end: End, text: str) -> None:
        """The bot cannot go on: the open decision, or the next one, raises SeatFailure. The first failure counts."""
        self.break_off(SeatFailure(end, text))

    def leave(self, text: str) -> None:
        """The bot is elsewhere: the open decision, or the next one, raises NotConnectedError."""
        self.break_off(NotConnectedError(text))

    def break_off(self, failure: Exception) -> None:
        """The open decision, or the next one, raises this. Only the first counts."""
        self._stop_timer()
        if self._failure is None:
            self._failure = failure
            if self._answer is not None and not self._answer.done():
                self._answer.set_exception(failure)

    def supersede(self) -> None:
        """Another seat of this match takes the place of this one, which was left behind by it."""
        self._stop_timer()
        self._session.reserved.discard(self)
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(SeatTakenError(f"match {self.match_id} goes on at another seat"))

    def _ask(self, question: Question, repeated: bool) -> asyncio.Future[int]:
        """Ask the bot; its answer."""
        if self._tally is not question.tally:
            question.tally.rejections += self._tally.rejections
            self._tally = question.tally
        self._ledger.ask(question.number)
        self._question = question
        self._answer = self._loop.create_future()
        connection = self._session.connection
        if connection is not None:
            connection.send(self._message(question, repeated), question)
        elif self.kept:
            question.asked_at = math.inf
        return self._answer

    def _message(self, question: Question, repeated: bool) -> bytes:
        """The serialised PlayResponse that asks the question."""
        return wire.decision_response_bytes(question, repeated=repeated)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
