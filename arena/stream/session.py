"""A bot at the arena, over all its connections: its matches, its places, and what its messages mean."""

from collections.abc import Callable
from typing import TypeVar

from arena import wire
from arena.match.model import End, Rejection
from arena.printable import printable
from arena.rpc.identity import BotIdentity
from arena.seats.errors import NotConnectedError, SeatTakenError
from arena.seats.stream import StreamSeat
from arena.stream.transport import Connection, SessionState
from arena.stream.types import Request
from arena.wire import Move
from hanafuda.arena.v1 import play_pb2

_FAILURE_TEXT = 200

S = TypeVar("S", bound=StreamSeat)


class Session(SessionState):
    """One bot. It outlives a lost connection while matches of the bot are under way.

    `strays` counts the moves that answered nothing, less those that did answer; beyond `stray_limit` the bot floods:
    its matches end with BOT_ERROR and its connection with PROTOCOL_ERROR.
    """

    # Thousands of bots are connected and idle: each is kept small.
    __slots__ = (
        "_changed",
        "_stray_limit",
        "_undelivered",
        "draining",
        "identity",
        "max_matches",
        "missed",
        "reserved",
        "resume_token",
        "updates",
        "variants",
    )

    def __init__(self, identity: BotIdentity, stray_limit: int, changed: Callable[["Session"], None]) -> None:
        super().__init__()
        self.identity = identity
        self.resume_token = ""
        self.variants: tuple[str, ...] = ()
        self.max_matches = 0
        self.updates = False
        self.draining = False
        self.reserved: set[StreamSeat] = set()
        self.missed = False
        """Whether a place was looked for in vain since the last change."""
        self._stray_limit = stray_limit
        self._changed = changed
        self._undelivered: list[bytes] = []

    # Places.

    @property
    def places(self) -> int:
        """How many more matches the bot takes now."""
        if not self.live or self.draining:
            return 0
        return max(0, self.max_matches - len(self.reserved))

    @property
    def live(self) -> bool:
        """Whether a connection stands that is not about to end."""
        return self.connection is not None and not self.connection.closing.done()

    def reserve(self, kind: type[S], match_id: str = "") -> S:
        """Return a seat for one match; it takes a place until its match ends or it is released.

        A seat that the match has here already makes room for it.
        """
        left_behind = self.seats.pop(match_id, None)
        if left_behind is not None:
            left_behind.break_off(SeatTakenError(f"match {match_id} goes on at another seat"))
            self.reserved.discard(left_behind)
        seat = kind(self, match_id)
        self.reserved.add(seat)
        return seat

    def join(self, seat: StreamSeat) -> None:
        """The match of the seat begins: the bot's moves in it go to the seat's ledger."""
        self.seats[seat.match_id] = seat

    def release(self, seat: StreamSeat) -> None:
        """The seat's place is free again. A place that was held for a moment, and missed by nobody, is no change."""
        if seat not in self.reserved:
            return
        self.reserved.discard(seat)
        if self.seats.get(seat.match_id) is seat:
            del self.seats[seat.match_id]
        elif self.live and not self.draining and not self.missed:
            return
        self._leave_when_drained()
        self._changed(self)

    # Connections.

    def attach(self, connection: Connection, welcome: play_pb2.Welcome) -> None:
        """Go on over a new connection: what is open is told and asked again on it."""
        if self.connection is not None:
            self.connection.close(play_pb2.GOODBYE_REASON_REPLACED, "a newer connection of this bot took over")
        self.connection = connection
        self.draining = False
        self.strays = 0
        welcome.open_matches.extend(self.seats)
        self.send(play_pb2.PlayResponse(welcome=welcome).SerializeToString())
        undelivered, self._undelivered = self._undelivered, []
        for message in undelivered:
            self.send(message)
        for seat in self.seats.values():
            seat.back()
        self._changed(self)

    def detach(self, connection: Connection) -> None:
        """The connection has ended. Ignored when a newer one has taken over."""
        connection.abandon()
        if self.connection is connection:
            self.connection = None
            for seat in self.seats.values():
                seat.away()
            self._changed(self)

    def send(self, message: bytes, *, keep: bool = False) -> None:
        """Send to the bot; while it is away, `keep` holds the message."""
        if self.connection is not None:
            self.connection.send(message)
        elif keep:
            self._undelivered.append(message)

    # What the bot says.

    def receive(self, request: Request, connection: Connection) -> None:
        """Act on one message of the bot. Messages over a connection that is ending are ignored."""
        if connection.closing.done():
            return
        if isinstance(request, Move):
            self._move(request)
            return
        kind = request.WhichOneof("message")
        if kind == "move":
            self._move(request.move)
        elif kind == "drain" and not self.draining:  # each wakes everybody who waits for a change
            self.drain()
        elif kind == "failure":
            seat = self.seats.get(request.failure.match_id)
            if seat is None:
                self._reject(request.failure.match_id, 0, 0, Rejection.UNKNOWN_MATCH, None)
            else:
                seat.fail(End.BOT_ERROR, _in_a_line(request.failure.text)[:_FAILURE_TEXT] or "the bot gave up")
        elif kind == "decline":
            self._decline(request.decline.match_id)
        else:
            self._reject("", 0, 0, Rejection.MALFORMED, None)

    def _decline(self, match_id: str) -> None:
        seat = self.seats.get(match_id)
        if seat is None:
            self._reject(match_id, 0, 0, Rejection.UNKNOWN_MATCH, None)
            return
        seat.fail(End.ABANDONED, "declined the match")
        self.release(seat)

    def _move(self, move: Move | play_pb2.Move) -> None:
        seat = self.seats.get(move.match_id)
        fault = Rejection.UNKNOWN_MATCH if seat is None else seat.ledger.answer(move.decision, move.code)
        if fault is not None:
            if seat is not None:
                seat.tally.rejections += 1
            self._reject(move.match_id, move.decision, move.code, fault, seat)
        elif self.strays:
            self.strays -= 1

    def _reject(self, match_id: str, decision: int, code: int, fault: Rejection, seat: StreamSeat | None) -> None:
        count = 0 if seat is None else seat.tally.rejections
        rejected = wire.move_rejected(match_id, decision, code, fault, count)
        self.send(play_pb2.PlayResponse(move_rejected=rejected).SerializeToString())
        self.strays += 1
        if self.strays > self._stray_limit:
            self.expel(f"more than {self._stray_limit} messages answered nothing")

    def drain(self) -> None:
        """Take no new matches, and send Goodbye when those under way are over."""
        self.draining = True
        self._leave_when_drained()
        self._changed(self)

    def expel(self, text: str) -> None:
        """End the connection and every match of a bot that broke the protocol."""
        self.flooded = True
        for seat in self.seats.values():
            seat.fail(End.BOT_ERROR, text)
        if self.connection is not None:
            self.connection.close(play_pb2.GOODBYE_REASON_PROTOCOL_ERROR, text)

    def leave(self) -> None:
        """The bot has connected to another node."""
        for seat in list(self.seats.values()):
            seat.break_off(NotConnectedError(f"bot {self.identity.name} is connected to another node"))
        if self.connection is not None:
            self.connection.close(play_pb2.GOODBYE_REASON_REPLACED, "the bot has connected to another node")

    def _leave_when_drained(self) -> None:
        if self.draining and not self.reserved and self.connection is not None:
            self.connection.close(play_pb2.GOODBYE_REASON_DRAINED, "no match is left")


def _in_a_line(text: str) -> str:
    """Return a bot's text without what could pass for another line, or change how the rest of this one is shown."""
    return printable(" ".join(text.split()))
