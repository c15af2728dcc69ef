"""The seat of a bot at the other end of a stream."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Protocol

from arena import wire
from arena.match.clock import DecisionTimer, Timer, clock
from arena.match.model import End, MatchResult, MatchSpec, Rejection
from arena.match.question import Answer, Question
from arena.match.reply import Reply
from arena.match.seat import Seat, SeatFailure
from arena.seats.ledger import Ledger
from core_ext import Event
from hanafuda.arena.v1 import play_pb2


class Connection(Protocol):
    """One connection of the bot."""

    def send(self, message: bytes, timer: DecisionTimer | None = None) -> None:
        """Send a serialised PlayResponse; `timer` is restarted as it leaves."""


class Session(Protocol):
    """The bot at the arena, over all its connections."""

    @property
    def connection(self) -> Connection | None:
        """The connection that stands, be it about to end."""

    @property
    def updates(self) -> bool:
        """Whether the bot asked for updates in its Hello."""

    def join(self, seat: "StreamSeat") -> None:
        """The match of the seat begins: the bot's moves in it go to the seat's ledger."""

    def send(self, message: bytes, *, keep: bool = False) -> None:
        """Send a serialised PlayResponse; `keep` holds it while the bot is away."""

    def release(self, seat: "StreamSeat") -> None:
        """The seat's place is free again."""


class ConnectedSeat(Seat):
    """The seat of a bot that connects: what the referee says goes to it in messages of PlayService."""

    def __init__(self, match_id: str = "") -> None:
        super().__init__()
        self.match_id = match_id
        self.reconnect_ms = 0

    @abstractmethod
    def begin(self, message: bytes) -> None:
        """The match begins, or goes on here: tell the bot by this message, now and whenever it is back."""

    @abstractmethod
    async def ask(self, question: Question, limit_ms: int, *, repeated: bool) -> Answer:
        """Ask the bot, which has `limit_ms` left; `repeated` where it may have been asked before.

        Beside SeatFailure and SeatTakenError, raises NotConnectedError when the bot has connected to another node, and
        LinkError when the node that it is connected to cannot be reached any more.
        """

    @abstractmethod
    def notify(self, message: bytes, *, keep: bool = False) -> None:
        """Send the bot a serialised PlayResponse; `keep` holds it while the bot is away."""

    @abstractmethod
    def release(self) -> None:
        """Free the bot's place, whether the match came to an end or not. May be called again."""

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Tell the bot that the match begins."""
        self.match_id = spec.match_id
        self.reconnect_ms = spec.reconnect_ms
        self.begin(play_pb2.PlayResponse(match_start=wire.match_start(spec, seat)).SerializeToString())

    def decide(self, question: Question) -> Awaitable[Answer]:
        """Ask the bot and wait for its answer."""
        return self.ask(question, question.limit_ms, repeated=False)

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """Tell the bot that its move was not taken by the referee."""
        rejected = wire.move_rejected(self.match_id, question.number, code, reason, count, default_code=default_code)
        self._tell(move_rejected=rejected)

    async def update(self, events: tuple[Event, ...]) -> None:
        """Tell the bot what happened."""
        self._tell(match_update=wire.match_update(self.match_id, events))

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Tell the bot how the match ended, and free its place."""
        self._tell(keep=True, match_end=wire.match_end(self.match_id, result, events))
        self.release()

    def _tell(self, *, keep: bool = False, **message: Any) -> None:
        self.notify(play_pb2.PlayResponse(**message).SerializeToString(), keep=keep)


class StreamSeat(ConnectedSeat):
    """Asks its bot over the session's connection, whichever that is at the moment.

    While the bot is away its decision stays open and its time runs. A bot that is not back within the match's
    `reconnect_ms` fails with DISCONNECTED.
    """

    def __init__(self, session: Session, match_id: str = "") -> None:
        super().__init__(match_id)
        self.supervised = False
        """Whether the node restarts the bot when it dies: it may take its time to come back, and no time runs."""
        self.wants_updates = session.updates
        self._session = session
        self.ledger: Ledger = Ledger()
        self._message: Callable[..., bytes] | None = None
        self._absence: Timer | None = None
        self._start = b""

    def begin(self, message: bytes) -> None:
        """The match begins, or goes on here: tell the bot by this message, now and whenever it is back."""
        self._start = message
        self._session.join(self)
        if self._session.connection is not None:
            self._session.send(message)
        else:
            self.away()

    def decide(self, question: Question) -> Awaitable[Answer]:
        """Ask the bot and wait for its answer."""
        message = partial(wire.decision_response_bytes, question)
        return self.open(question.number, message, question.limit_ms)

    async def ask(self, question: Question, limit_ms: int, *, repeated: bool) -> Answer:
        """Ask the bot, which has `limit_ms` left; `repeated` where it may have been asked before."""
        message = partial(wire.decision_response_bytes, question)
        return await self.pose(question.number, message, limit_ms, repeated=repeated)

    async def pose(self, number: int, message: Callable[..., bytes], limit_ms: int, *, repeated: bool) -> Answer:
        """Ask the bot its decision `number`. `message(repeated=...)` makes the serialised PlayResponse."""
        try:
            return await self.open(number, message, limit_ms, repeated=repeated)
        finally:
            self.close()

    def open(self, number: int, message: Callable[..., bytes], limit_ms: int, *, repeated: bool = False) -> Reply:
        """Send the bot its decision `number`. Whoever waits no more for the reply calls `close`, or `release`."""
        reply = self.ledger.ask(number, limit_ms / 1000)
        self._message = message
        connection = self._session.connection
        if connection is not None:
            connection.send(message(repeated=repeated), self.ledger.timer)
        elif self.supervised:
            self.ledger.timer.suspend()
        return reply

    def close(self) -> None:
        """Nobody waits for the decision any more."""
        self._message = None
        self.ledger.end()

    def notify(self, message: bytes, *, keep: bool = False) -> None:
        """Send the bot a serialised PlayResponse; `keep` holds it while the bot is away."""
        self._session.send(message, keep=keep)

    def release(self) -> None:
        """Free the bot's place, whether the match came to an end or not. May be called again."""
        self._end_absence()
        self.ledger.timer.close()
        self._session.release(self)

    # What the session reports.

    def away(self) -> None:
        """The connection is lost: the bot has `reconnect_ms` to come back."""
        if self.supervised:
            self.ledger.timer.suspend()
        elif self._absence is None:
            seconds = self.reconnect_ms / 1000
            text = f"disconnected for {seconds:g} s"
            self._absence = clock.call_later(seconds, partial(self.fail, End.DISCONNECTED, text))

    def back(self) -> None:
        """The bot has a connection again: it is told of the match and asked its open decision again."""
        self._end_absence()
        self._session.send(self._start)
        connection = self._session.connection
        if connection is not None and self._message is not None and self.ledger.open:
            connection.send(self._message(repeated=True), self.ledger.timer if self.supervised else None)

    def fail(self, end: End, text: str) -> None:
        """The bot cannot go on: the open decision, or the next one, raises SeatFailure. The first failure counts."""
        self.break_off(SeatFailure(end, text))

    def break_off(self, failure: Exception) -> None:
        """The open decision, or the next one, raises this. Only the first counts."""
        self._end_absence()
        self.ledger.break_off(failure)

    def _end_absence(self) -> None:
        if self._absence is not None:
            self._absence.cancel()
            self._absence = None
