"""The step of a league: from the rounds so far to the next one, or to the end."""

from collections.abc import Collection, Sequence

from arena.league.boards import board_set
from arena.league.field import counted, field_tables
from arena.league.lots import Lots
from arena.league.methods.method import Event
from arena.league.methods.registry import method_of
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, Finished, MatchPlan, PlayedRound, RoundPlan, TablePlan

_WORDS = {2: "two", 3: "three", 4: "four"}


def next_round(
    spec: LeagueSpec, division: Division, entrants: Collection[Entrant], rounds: Sequence[PlayedRound]
) -> RoundPlan | Finished:
    """Pair the round after `rounds`, which are complete; the same arguments always give the same plan.

    Finished when every round is played, when fewer entrants than a table seats are there to play, or when the pairing
    method comes to its end. LeagueError when the division cannot be paired.
    """
    number = len(rounds) + 1
    if number > division.rounds:
        return Finished("every round is played")
    event = Event(spec, division, entrants, counted(division, rounds))
    least = min(division.sizes)
    if len(event.present(number)) < least:
        return Finished(f"fewer than {_WORDS[least]} bots are left to play")
    seating = method_of(division).seat(event)
    if isinstance(seating, Finished):
        return seating
    seated, byes = seating
    if division.board_sets == "field":
        owners = {entrant.name: entrant.owner for entrant in entrants}
        lots = Lots(spec.lot, "seats", division.variant, str(number))
        return RoundPlan(number, field_tables(number, seated, division.boards, owners, lots), byes)
    tables = tuple(
        TablePlan(table, bots, matches(number, table, bots, division.boards))
        for table, bots in enumerate(seated, start=1)
    )
    return RoundPlan(number, tables, byes)


def matches(round_number: int, table: int, bots: tuple[str, ...], boards: int) -> tuple[MatchPlan, ...]:
    """The matches of a table with mirrored boards: its own boards, each in every order of the seats.

    Table t has the boards (t - 1) * boards + 1 to t * boards of the round. No two tables share a board, so what a
    bot sees at one table reveals nothing about the cards at another.
    """
    first, seatings = (table - 1) * boards + 1, board_set(bots)
    return tuple(
        [
            MatchPlan(round_number, table, board, seating)
            for board in range(first, first + boards)
            for seating in seatings
        ]
    )
