"""The plain values that go in and out of a league's steps; all of them can be stored as JSON or MessagePack.

A large league has hundreds of thousands of the smallest, which the garbage collector need not look at.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from arena.league.errors import ResultsError

# In matches of three and four seats half points and margins are counted in sixths: places that are shared, and margins
# against the mean of two or three others, stay whole numbers.
SIXTHS = 6

# No match comes near these, and sums over all matches of a league stay in 64 bits.
Margin = Annotated[int, msgspec.Meta(ge=-(2**40), le=2**40)]


def parts(seats: int) -> int:
    """How many parts a half point and a point of margin are counted in: 1 with two seats, `SIXTHS` with more."""
    return 1 if seats == 2 else SIXTHS


class Entrant(msgspec.Struct, frozen=True):
    """A bot of a division, the rounds it is there for, and whose it is.

    Rounds count from 1, both ends included; `last_round` is None while the bot has not withdrawn, and less than
    `first_round` if it withdrew before it played. `owner` is empty where nobody is known. In a ladder an entry may go
    on from another one, by that one's name: it `follows` that of another version, and `resumes` that of the same.
    """

    name: str
    first_round: int = 1
    last_round: int | None = None
    owner: str = ""
    follows: str | UnsetType = UNSET
    resumes: str | UnsetType = UNSET

    def plays(self, round_number: int) -> bool:
        """Whether the entrant is paired in this round."""
        return self.first_round <= round_number and (self.last_round is None or round_number <= self.last_round)


class MatchPlan(msgspec.Struct, frozen=True, order=True, gc=False):
    """One match to play: `seating` names the bots by seat; numbers count from 1."""

    round: int
    table: int
    board: int
    seating: tuple[str, ...]


class MatchOutcome(msgspec.Struct, frozen=True, gc=False):
    """How a planned match ended.

    `half_points` are 2 for a win, 1 for a draw, 0 for a loss, by seat, with three or four seats by place, in sixths
    (so 12 for the first place); `margins` are in the variant's points, or sixths of them, by seat; `end` is the typed
    end of the match; `forfeiter` is the bot whose fault ended it, if any. ResultsError when these do not fit together.
    """

    round: int
    table: int
    board: int
    seating: tuple[str, ...]
    half_points: tuple[int, ...]
    margins: tuple[Margin, ...]
    end: str = "COMPLETED"
    forfeiter: str | None = None

    def __post_init__(self) -> None:
        if not len(self.seating) == len(self.half_points) == len(self.margins):
            raise ResultsError("an outcome has a result and a margin for each seat")
        full = 2 * self.parts
        for half in self.half_points:
            if not 0 <= half <= full:
                raise ResultsError(f"a match is worth 0 to 2 half points, not {self.half_points} / {self.parts}")
        if self.forfeiter is not None and self.forfeiter not in self.seating:
            raise ResultsError(f"{self.forfeiter!r} cannot forfeit a match it does not play")

    @property
    def parts(self) -> int:
        """How many parts this outcome counts a half point and a point of margin in."""
        return parts(len(self.seating))

    @property
    def plan(self) -> MatchPlan:
        """The match this is the outcome of."""
        return MatchPlan(self.round, self.table, self.board, self.seating)


class Seating(NamedTuple):
    """The bots at each table of a round, the best scores first, and those that have a bye."""

    tables: Sequence[tuple[str, ...]]
    byes: tuple[str, ...] = ()


class TablePlan(msgspec.Struct, frozen=True):
    """The bots that meet at a table, and every match they play there."""

    number: int
    bots: tuple[str, ...]
    matches: tuple[MatchPlan, ...]

    def named(self) -> Iterator[tuple[str, MatchPlan]]:
        """The matches with their names in the round, `t2.b7.a`: table, board, and a letter for the place in its set."""
        turns: Counter[int] = Counter()
        for match in self.matches:
            yield f"t{self.number}.b{match.board}.{chr(ord('a') + turns[match.board])}", match
            turns[match.board] += 1


class PlayedRound(msgspec.Struct, frozen=True):
    """A round that is over: the bots that sat out and the outcome of each of its matches."""

    number: int
    byes: tuple[str, ...]
    outcomes: tuple[MatchOutcome, ...]


class RoundPlan(msgspec.Struct, frozen=True):
    """A round to play: its tables, best scores first, and the bots that sit out."""

    number: int
    tables: tuple[TablePlan, ...]
    byes: tuple[str, ...]

    @property
    def matches(self) -> tuple[MatchPlan, ...]:
        """Every match of the round, by table, board and seating."""
        return tuple(match for table in self.tables for match in table.matches)

    def close(self, outcomes: tuple[MatchOutcome, ...]) -> PlayedRound:
        """The round with its outcomes, in the plan's order; ResultsError unless each match has exactly one."""
        by_plan = {outcome.plan: outcome for outcome in outcomes}
        if len(by_plan) != len(outcomes):
            raise ResultsError(f"round {self.number} has more than one outcome of a match")
        planned = self.matches
        missing = [match for match in planned if match not in by_plan]
        if missing:
            raise ResultsError(f"round {self.number} lacks the outcome of {len(missing)} matches, first {missing[0]}")
        if foreign := by_plan.keys() - set(planned):
            raise ResultsError(f"round {self.number} has an outcome of a match it did not plan: {min(foreign)}")
        return PlayedRound(self.number, self.byes, tuple(by_plan[match] for match in planned))


class Finished(msgspec.Struct, frozen=True):
    """There is no next round; `reason` says why in one sentence."""

    reason: str
