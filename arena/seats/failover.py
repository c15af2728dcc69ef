"""The seat of a bot that connects by itself, to whichever node it likes, and may go to another in the middle."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from arena.match.clock import clock
from arena.match.deadline import Deadline, OverdueError
from arena.match.model import End, MatchResult, MatchSpec, Rejection
from arena.match.seat import Question, SeatFailure
from arena.seats.errors import LinkError, NoPlaceError, NotConnectedError
from arena.seats.peer import PeerSeat
from arena.seats.stream import StreamSeat
from core_ext import Event

Carrier: TypeAlias = StreamSeat | PeerSeat
Find = Callable[[str, MatchSpec], Awaitable[Carrier]]
Changed = Callable[[float], Awaitable[None]]

_LOOK_S = 0.25


class FailoverSeat:
    """Asks its bot through a seat where the bot is, and through another when it has gone elsewhere.

    Whoever leaves pays: the time of an open decision runs on until the bot is asked again. The loss of the bot's node
    is no fault of the bot: what goes by from then on is nobody's. In both cases it has `reconnect_ms` to come back.
    Without a carrier the bot is away from the beginning: the match was taken up from a node that is gone. `open_at` is,
    of such a match, how many actions it had: the question that was open then may have been asked before.
    """

    def __init__(
        self, name: str, carrier: Carrier | None, find: Find, changed: Changed, open_at: int | None = None
    ) -> None:
        self._name = name
        self._carrier = carrier
        self._find = find
        self._changed = changed
        self._open_at = open_at
        self._spec: MatchSpec
        self._seat = -1

    @property
    def wants_updates(self) -> bool:
        """Whether the bot asked for updates in its Hello."""
        return self._carrier is not None and self._carrier.wants_updates

    async def start(self, spec: MatchSpec, seat: int) -> None:
        """Tell the bot that the match begins."""
        self._spec = spec
        self._seat = seat
        if self._carrier is not None:
            await self._carrier.start(spec, seat)

    async def decide(self, question: Question) -> int:
        """Ask the bot, wherever it is, until it has answered."""
        began = clock.now()
        repeated = self._may_be_repeated(question)
        if self._carrier is None:
            gone = LinkError("the bot's node is gone")
            return await self._decide_elsewhere(question, began, gone, repeated=repeated)
        try:
            return await self._carrier.decide(question, repeated=repeated)
        except (LinkError, NotConnectedError) as lost:
            return await self._decide_elsewhere(question, began, lost, repeated=True)

    async def reject(
        self, question: Question, code: int | None, reason: Rejection, count: int, default_code: int | None
    ) -> None:
        """Tell the bot that its move was not taken."""
        if self._carrier is not None:
            await self._carrier.reject(question, code, reason, count, default_code)

    async def update(self, events: tuple[Event, ...]) -> None:
        """Tell the bot what happened."""
        if self._carrier is not None:
            await self._carrier.update(events)

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Tell the bot how the match ended, and free its place."""
        if self._carrier is not None:
            await self._carrier.end(result, events)

    def release(self) -> None:
        """Free the bot's place. May be called again."""
        if self._carrier is not None:
            self._carrier.release()

    def _may_be_repeated(self, question: Question) -> bool:
        """Whether the node that had the match before may have asked this."""
        open_at, self._open_at = self._open_at, None
        return open_at is not None and len(question.state.actions()) == open_at

    async def _decide_elsewhere(self, question: Question, began: float, lost: Exception, *, repeated: bool) -> int:
        limit_ms = question.decision_ms + question.bank_ms
        spent_s = 0.0
        deadline = Deadline()
        try:
            while True:
                question.timed_by_seat = True
                lost_at = clock.now()
                carrier = await self._follow(lost)
                charged_to = lost_at if isinstance(lost, LinkError) else clock.now()
                spent_s += charged_to - began
                left_ms = limit_ms - int(spent_s * 1000)
                if left_ms <= 0:
                    raise OverdueError
                began = clock.now()
                try:
                    if isinstance(carrier, PeerSeat):
                        return await carrier.ask(question, left_ms, repeated=repeated)
                    question.asked_at = question.answered_at = 0.0
                    question.timed_by_seat = False
                    with deadline.within(left_ms / 1000, question):
                        code = await carrier.decide(question, repeated=repeated)
                except (LinkError, NotConnectedError) as again:
                    lost, repeated = again, True
                else:
                    question.asked_at -= spent_s
                    return code
        finally:
            deadline.close()

    async def _follow(self, lost: Exception) -> Carrier:
        """A seat where the bot is now. Raises SeatFailure when it is nowhere for as long as it may be away."""
        self.release()
        seconds = self._spec.reconnect_ms / 1000
        away_since = clock.now()
        with clock.held():
            while clock.settled() - away_since <= seconds:
                try:
                    self._carrier = carrier = await self._find(self._name, self._spec)
                except NoPlaceError:
                    away_since = clock.now()  # it is there, and other matches of it will end
                except (LinkError, NotConnectedError):
                    pass
                else:
                    await carrier.start(self._spec, self._seat)
                    return carrier
                await self._changed(_LOOK_S)
        raise SeatFailure(End.DISCONNECTED, f"disconnected for {seconds:g} s") from lost
