"""What commands show of an arena, as plain values: the same whether it is read from a store or called."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from arena.organizer.versions import EnteredVersion


@dataclass(frozen=True)
class DivisionInfo:
    """How far a division of a league is, as `DivisionState` says it.

    `bracket` is how many bots a knock-out has, 0 of any other division. `waits_for` are the runtimes that its round
    needs, while nobody works on it. `given_up` is how many jobs were, `fault` why the first one was: empty where the
    caller may not know it.
    """

    variant: str
    state: str
    mirrored: bool
    bracket: int
    rounds: int
    round: int
    matches: int
    outstanding: int
    played: int
    waits_for: tuple[str, ...] = ()
    given_up: int = 0
    fault: str = ""


@dataclass(frozen=True)
class LeagueInfo:
    """A league and where it stands; `commitment` and `entropy` are in hex.

    `versions` are those of submitted bots by the names of their entries; none are given in a list of leagues.
    """

    name: str
    state: str
    test: bool
    commitment: str
    secret: bytes | None
    entropy: str
    divisions: tuple[DivisionInfo, ...]
    versions: Mapping[str, EnteredVersion]

    @property
    def played(self) -> int:
        """Matches played in all divisions."""
        return sum(division.played for division in self.divisions)

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants of the divisions, in their order."""
        return tuple(division.variant for division in self.divisions)

    def division(self, variant: str) -> DivisionInfo:
        """The division of a variant; KeyError."""
        return {division.variant: division for division in self.divisions}[variant]


@dataclass(frozen=True)
class EntryInfo:
    """A bot that has entered a league: its name in the tables and its divisions.

    It may have been there before (not `new`), or be `late`: then it plays from each division's next round on.
    """

    name: str
    variants: tuple[str, ...]
    new: bool
    late: bool


def second(since_1970: int) -> str:
    """A time in ISO 8601, of seconds since 1970."""
    return datetime.fromtimestamp(since_1970, UTC).isoformat()
