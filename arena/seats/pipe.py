"""The seat of a bot that this node runs, and lets run only while it is asked."""

from collections.abc import Awaitable, Callable

from arena import wire
from arena.match.model import End, MatchResult
from arena.match.question import Answer, Question
from arena.seats.stream import StreamSeat
from arena.seats.turn import Turn
from arena.seats.turn_ledger import TurnLedger
from core_ext import Event


class PipeSeat(StreamSeat):
    """Asks its bot when a processor is free for it, and lets it run until it has answered or its time is over.

    The bot's time runs from when it is asked: while it waits for a processor it pays nothing.
    """

    ledger: TurnLedger
    _note = ""

    @property
    def asleep(self) -> bool:
        """Whether the bot sleeps over its decision."""
        return self.ledger.turn.asleep

    def use(self, turn: Turn, note: str, read_end: Callable[[], Awaitable[None]]) -> None:
        """Let the bot run by these turns; to be called once, before anything else.

        `note` explains its errors. `read_end` lets it read that its match is over.
        """
        self.ledger = TurnLedger(turn, self._session)
        self._note = note
        self._read_end = read_end

    def fail(self, end: End, text: str) -> None:
        """As of any stream; the note is added to the bot's own errors."""
        super().fail(end, text + self._note if end is End.BOT_ERROR else text)

    def decide(self, question: Question) -> Awaitable[Answer]:
        """Ask the bot when its turn comes."""
        return self.ledger.ask_in_turn(question)

    async def end(self, result: MatchResult, events: tuple[Event, ...]) -> None:
        """Tell the bot how the match ended, let it run for a moment to read that, and free its place."""
        self.ledger.turn.end()
        self._tell(match_end=wire.match_end(self.match_id, result, events))
        await self._read_end()
        self.release()

    def release(self) -> None:
        """Free the bot's place, whether the match came to an end or not. May be called again."""
        self.ledger.turn.end()
        super().release()
