"""The seat of a bot that connects by itself, to whichever node it likes, and may go to another during a match."""

import time
from collections.abc import Awaitable, Callable

from arena.match.clock import clock
from arena.match.model import End
from arena.match.question import Answer, Question
from arena.match.seat import SeatFailure
from arena.seats.errors import LinkError, NoPlaceError, NotConnectedError, SeatTakenError
from arena.seats.stream import ConnectedSeat

Find = Callable[[], Awaitable[ConnectedSeat]]
Changed = Callable[[float], Awaitable[None]]

_POLL_S = 0.25
_CROWDED_S = 2.0
"""How long a bot may be found to play others before its match lets the other seats go: two matches that each hold one
seat and wait for the other's would wait for ever."""


class FailoverSeat(ConnectedSeat):
    """Asks its bot through a seat where the bot is, the carrier, and through another when the bot has gone elsewhere.

    A bot that leaves pays: the time of an open decision runs on until it is asked again. The loss of the bot's node is
    no fault of the bot: from then on no time runs. In both cases it has `reconnect_ms` to come back.

    Without a carrier the bot is away from the beginning: the match resumes after its node was lost. `open_at` says how
    many actions such a match had: the question that was open then may have been asked before.
    """

    def __init__(
        self, match_id: str, carrier: ConnectedSeat | None, find: Find, changed: Changed, open_at: int | None = None
    ) -> None:
        super().__init__(match_id)
        self._carrier: ConnectedSeat | None = None
        self._find = find
        self._changed = changed
        self._open_at = open_at
        self.asked_at: float | None = None
        """When the open decision was asked, on the clock of time.monotonic(); None while none is open."""
        self._start = b""
        if carrier is not None:
            self._use(carrier)

    def begin(self, message: bytes) -> None:
        """The match begins, or goes on here: tell the bot by this message, wherever it is."""
        self._start = message
        if self._carrier is not None:
            self._carrier.reconnect_ms = self.reconnect_ms
            self._carrier.begin(message)

    async def ask(self, question: Question, limit_ms: int, *, repeated: bool) -> Answer:
        """Ask the bot, wherever it is, until it has answered."""
        repeated = self._may_be_repeated(question) or repeated
        left_ms, spent_s = limit_ms, 0.0
        self.asked_at = time.monotonic()
        try:
            while True:
                began = clock.now()
                lost: LinkError | NotConnectedError
                if self._carrier is None:
                    lost = LinkError("the bot's node is gone")
                else:
                    try:
                        answer = await self._carrier.ask(question, left_ms, repeated=repeated)
                    except (LinkError, NotConnectedError) as error:
                        lost, repeated = error, True
                    else:
                        return Answer(answer.code, spent_s + answer.thinking_s)
                lost_at = clock.now()
                await self._follow(lost)
                spent_s += (lost_at if isinstance(lost, LinkError) else clock.now()) - began
                left_ms = limit_ms - int(spent_s * 1000)
                if left_ms <= 0:
                    return Answer(None, spent_s)
        finally:
            self.asked_at = None

    def notify(self, message: bytes, *, keep: bool = False) -> None:
        """Send the bot a serialised PlayResponse; `keep` holds it while the bot is away."""
        if self._carrier is not None:
            self._carrier.notify(message, keep=keep)

    def release(self) -> None:
        """Free the bot's place. May be called again."""
        if self._carrier is not None:
            self._carrier.release()

    def _use(self, carrier: ConnectedSeat) -> None:
        """Ask through this seat from now on; what it has counted so far counts here."""
        self.tally.rejections += carrier.tally.rejections
        carrier.tally = self.tally
        self.wants_updates = carrier.wants_updates
        self._carrier = carrier

    def _may_be_repeated(self, question: Question) -> bool:
        """Tell whether the node that had the match before may have asked this."""
        open_at, self._open_at = self._open_at, None
        return open_at is not None and len(question.state.actions()) == open_at

    async def _follow(self, lost: Exception) -> None:
        """Find the bot where it is now.

        Raises SeatFailure when it is nowhere for as long as it may be away, and SeatTakenError when its node was lost
        and it plays as many other matches as it takes. A bot that left by itself pays until it has a place.
        """
        self.release()
        seconds = self.reconnect_ms / 1000
        away_since = clock.now()
        crowded_since: float | None = None
        with clock.held():
            while clock.read_until() - away_since <= seconds:
                try:
                    carrier = await self._find()
                except NoPlaceError as error:
                    away_since = clock.now()  # it is connected, and a place is free when another of its matches ends
                    crowded_since = away_since if crowded_since is None else crowded_since
                    if isinstance(lost, LinkError) and away_since - crowded_since > _CROWDED_S:
                        raise SeatTakenError(f"{error}: the match goes on when all of its bots have a place") from None
                except (LinkError, NotConnectedError):
                    crowded_since = None
                else:
                    self._use(carrier)
                    self.begin(self._start)
                    return
                await self._changed(_POLL_S)
        raise SeatFailure(End.DISCONNECTED, f"disconnected for {seconds:g} s") from lost
