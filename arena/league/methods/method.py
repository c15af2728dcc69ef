"""What a pairing method decides for its divisions."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from arena.league.all_round import Places, places
from arena.league.columns import Columns
from arena.league.lots import Lots
from arena.league.ratings import Rating, Strengths
from arena.league.spec import Division, LeagueSpec
from arena.league.standings import Standing
from arena.league.values import Entrant, Finished, PlayedRound, Seating


@dataclass(frozen=True)
class Event:
    """A division between two rounds: its entrants, and its complete rounds as they count (`field.counted`)."""

    spec: LeagueSpec
    division: Division
    entrants: Collection[Entrant]
    rounds: Sequence[PlayedRound]

    @property
    def next_number(self) -> int:
        """The number of the round after these."""
        return len(self.rounds) + 1

    def present(self, round_number: int) -> set[str]:
        """The bots that are there to play a round."""
        return {entrant.name for entrant in self.entrants if entrant.plays(round_number)}

    def lots(self, *purpose: str) -> Lots:
        """The league's lots for a purpose in this division, such as ("pairing", "3")."""
        first, *more = purpose
        return Lots(self.spec.lot, first, self.division.variant, *more)


class Method(ABC):
    """A pairing method. It keeps no state: everything follows from the `Event`."""

    seats: ClassVar[Collection[int]]
    takes_bracket: ClassVar[bool] = False
    keeps_owners_apart: ClassVar[bool] = False

    @abstractmethod
    def seat(self, event: Event) -> Seating | Finished:
        """Pair the next round, which is within `division.rounds`, or end the division; LeagueError."""

    def fault(self, division: Division) -> tuple[str, str] | None:
        """The first key of a division that this method cannot take, and why; None when all of them fit."""
        name = division.pairing_method
        if division.seats not in self.seats:
            return "pairing", f"{name} seats {' or '.join(map(str, self.seats))} bots at a table, not {division.seats}"
        if division.bracket is not None and not self.takes_bracket:
            return "bracket", f"{name} has no bracket"
        if division.owners_apart and not self.keeps_owners_apart:
            return "owners_apart", f"{name} cannot keep bots of one owner apart: swiss and pods can"
        return None

    def field_fault(self, division: Division, bots: int) -> str | None:
        """Why a division cannot start with so many bots, if they are too many for it."""
        return None

    def last_entry_round(self, division: Division) -> int:
        """The last round in which a bot may begin; 1 when nobody can enter late."""
        return division.rounds

    def rated(self, event: Event, columns: Columns) -> dict[str, Rating]:
        """The ratings of the table, from the matches of the event; by default those of its boards alone."""
        return Strengths(columns).ratings()

    def places(self, event: Event, rows: Sequence[Standing], ratings: Mapping[str, Rating]) -> Places:
        """The places of the final table, the best first; by default those of `rows`, which are ranked by points."""
        return places(rows)
