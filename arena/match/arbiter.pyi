"""The questions of a match and the verdicts on their answers: a few steps for each decision, and so worth compiling."""

from collections.abc import Awaitable, Sequence
from typing import final

from arena.match.journal import Journal, Played
from arena.match.model import MatchSpec
from arena.match.question import Answer, Question
from arena.match.seat import Seat
from core_ext.state import State

@final
class SeatState:
    """What is kept of one seat."""

    defaults: int
    """How often the default action was played for it."""
    unreachable: bool
    """Whether it gets no more notices."""
    @property
    def number(self) -> int: ...
    @property
    def seat(self) -> Seat: ...
    @property
    def questions(self) -> int:
        """How many it was asked."""
    @property
    def events_seen(self) -> int:
        """How many of the match's events there were at its last question."""
    @property
    def thinking(self) -> list[int]:
        """How many of its decisions took how long, by the classes of a MatchResult, up to the longest."""

@final
class Arbiter:
    """Asks the seats of one match, judges their answers and keeps what was played.

    Where nobody but the seats has to know of an action, it asks the next question when an answer arrives, before the
    match's task gets to run. Raises CoreError where the core refuses the spec.
    """

    def __init__(self, spec: MatchSpec, seats: Sequence[Seat], journal: Journal | None) -> None: ...
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
    def question(self) -> Question:
        """The open question, or the last one."""
    def ask(self, secret: bool) -> Question:
        """Open the next question, to the seat whose turn it is. A `secret` one has no more time than its slot."""
    def answer(self, *, alone: bool) -> Awaitable[Answer | Awaitable[None] | None]:
        """The answer to the open question, yet to be judged.

        Where it may go on `alone`, answers that are taken are judged, recorded and written to the journal, and what is
        awaited is the answer to the question that is open by then; or what has to be awaited for the journal, or None,
        when all questions so far were answered. Raises what the seat raises that is asked by then.
        """
    def judge(self, answer: Answer) -> Played:
        """What is played after this answer: choice 0 where it is refused. The seat's bank pays for the time."""
    def charge(self, clock_ms: int) -> None:
        """Charge the bank of the seat that is asked for the time beyond the decision's own."""
    def record(self, choice: int, clock_ms: int) -> None:
        """Play an action, by its index in the legal list."""
