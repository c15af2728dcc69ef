"""A match as a state machine: answers go in, questions and what was played come out. No I/O, no clock, no tasks.

    while referee.turn >= 0:
        question = referee.ask()
        entry = referee.answer(Answer(code, thinking_s))

Whoever drives it brings the answers: `arena.match.play` from seats, `arena.simulate` from bots that it calls.
"""

from collections.abc import Sequence
from typing import final

from arena.match.journal import Entry, Forfeit
from arena.match.model import End, MatchResult, MatchSpec, Rejection
from arena.match.question import Answer, Question
from core_ext import State

LENIENT_DEFAULTS: int
"""How often in a match the default action (the first legal one) is played for a seat under `Policy.LENIENT`."""

class OutOfTurnError(RuntimeError):
    """The referee was asked for a question while one is open or after the match, or given an answer to none."""

@final
class Tally:
    """How many moves of one seat in a match were not taken."""

    rejections: int

@final
class SeatState:
    """What is kept of one seat."""

    @property
    def number(self) -> int: ...
    @property
    def tally(self) -> Tally: ...
    @property
    def questions(self) -> int:
        """How many it was asked."""
    @property
    def events_seen(self) -> int:
        """How many of the match's events there were at its last question."""
    @property
    def defaults(self) -> int:
        """How often the default action was played for it."""
    @property
    def thinking(self) -> list[int]:
        """How many of its decisions took how long, by the classes of a MatchResult, up to the longest."""

@final
class Referee:
    """Asks the seats of one match, judges their answers and keeps what was played.

    Raises ValueError where there are not as many tallies as names, and CoreError where the core refuses the spec.
    """

    def __init__(self, spec: MatchSpec, tallies: Sequence[Tally] | None = None) -> None:
        """Begin the match. The `tallies` are shared with seats that count moves which never come here."""
    @property
    def spec(self) -> MatchSpec: ...
    @property
    def state(self) -> State: ...
    @property
    def seats(self) -> list[SeatState]: ...
    @property
    def choices(self) -> bytearray:
        """By decision, the index into the legal list."""
    @property
    def clock_ms(self) -> list[int]:
        """By decision, the thinking time."""
    @property
    def turn(self) -> int:
        """The seat that is to be asked, or is asked now; -1 when the match is over."""
    @property
    def question(self) -> Question | None:
        """The open question, or the last one."""
    @property
    def answered(self) -> Answer | None:
        """The last answer."""
    @property
    def rejection(self) -> Rejection | None:
        """Why the last answer was not taken; None where it was."""
    @property
    def forfeit(self) -> Forfeit | None:
        """How the match ended, where it was not played out."""
    def ask(self, secret: bool = False) -> Question:
        """Open the next question, to the seat whose turn it is. A `secret` one has no more time than its slot.

        Raises OutOfTurnError.
        """
    def answer(self, answer: Answer) -> Entry:
        """Judge the answer to the open question, charge the seat's bank for its time, and play what follows from it.

        An answer that is late or illegal forfeits the match, or, under `Policy.LENIENT`, has the default action played
        `LENIENT_DEFAULTS` times; `rejection` says which it was. Raises OutOfTurnError.
        """
    def fail(self, seat: int, end: End, text: str) -> Forfeit:
        """End the match by a seat that cannot go on.

        ABANDONED says that it declines the match: no forfeit before its first move of a declinable match, and
        BOT_ERROR otherwise. Of a match that was ended before, return how.
        """
    def abandon(self, text: str) -> Forfeit:
        """End the match by nobody's fault. Of a match that was ended before, return how."""
    def replay(self, entry: Entry, *, secret: bool = False) -> None:
        """Take over what was played before, from a journal. Raises JournalError where it is not of this match."""
    def result(self) -> MatchResult:
        """Return how the match came out, or stands."""
