"""A replay as its bots saw it: the decisions of a seat, with what was chosen."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.match.model import MatchSpec, TimeControl
from arena.match.question import Answer
from arena.match.referee import Referee
from arena.replays import ReplayRecord, decode
from arena.replays.verify import start
from arena.sdk import Action, Decision
from arena.seats.in_process import LocalDecision, match_of


class Replay:
    """A match that was played."""

    def __init__(self, record: ReplayRecord) -> None:
        self.record = record

    @classmethod
    def read(cls, path: Path) -> "Replay":
        """Read a file. Raises ReplayError, OSError."""
        return cls(decode(path.read_bytes()))

    @property
    def spec(self) -> MatchSpec:
        """The match before it was played; where its time control was not kept, with the default one."""
        timed = msgspec.structs.replace(self.record, time=self.record.time or TimeControl())
        return msgspec.convert(timed, MatchSpec, from_attributes=True)

    def decisions(self, seat: int) -> Iterator[tuple[Decision, Action]]:
        """The decisions of a seat as its bot got them, dice included, each with the action that was played.

        Clocks show the time of the match's beginning. Raises ValueError for a seat that there is not, ReplayError, and
        CoreError where no match has these choices.
        """
        if not 0 <= seat < len(self.record.names):
            raise ValueError(f"the match has the seats 0 to {len(self.record.names) - 1}, and no seat {seat}")
        choices, _ = start(self.record).apply_packed(self.record.packed, self.record.decisions)
        referee = Referee(self.spec)
        match = match_of(referee.spec, seat)
        for choice in choices:
            question = referee.ask()
            if question.seat == seat:
                decision = Decision(LocalDecision(question, match).message, match)
                yield decision, decision.legal[choice]
            referee.answer(Answer(question.legal[choice], 0.0))
