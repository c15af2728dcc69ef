"""The step of a league: from the rounds so far to the next one, or to the end."""

from collections.abc import Collection, Sequence

from arena.league.boards import board_set
from arena.league.field import counted, field_tables
from arena.league.history import contenders, records
from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from arena.league.pods import pods
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, Finished, MatchPlan, PlayedRound, RoundPlan, TablePlan

_WORDS = {2: "two", 3: "three", 4: "four"}


def next_round(
    spec: LeagueSpec, division: Division, entrants: Collection[Entrant], rounds: Sequence[PlayedRound]
) -> RoundPlan | Finished:
    """Pair the round after `rounds`, which are complete; the same arguments always give the same plan.

    Finished when every round is played, or when fewer entrants than a table seats are there to play.
    """
    number = len(rounds) + 1
    if number > division.rounds:
        return Finished(len(rounds), "every round is played")
    found = records((entrant.name for entrant in entrants), division, counted(division, rounds))
    present = {entrant.name for entrant in entrants if entrant.plays(number)}
    least = min(division.sizes)
    if len(present) < least:
        return Finished(len(rounds), f"fewer than {_WORDS[least]} bots are left to play")
    field = [bot for bot in contenders(found, division, len(rounds)) if bot.name in present]
    lots = Lots(spec.lot, "pairing", division.variant, str(number))
    seated, byes = _seat(division, field, lots, division.rounds - number)
    if division.board_sets == "field":
        owners = {entrant.name: entrant.owner for entrant in entrants}
        lots = Lots(spec.lot, "seats", division.variant, str(number))
        return RoundPlan(number, field_tables(number, seated, division.boards, owners, lots), byes)
    tables = tuple(
        TablePlan(table, bots, matches(number, table, bots, division.boards))
        for table, bots in enumerate(seated, start=1)
    )
    return RoundPlan(number, tables, byes)


def _seat(
    division: Division, field: Sequence[Contender], lots: Lots, rounds_left: int
) -> tuple[Sequence[tuple[str, ...]], tuple[str, ...]]:
    """The bots of each table, and those that sit out."""
    if division.seats == 2:
        pairing = pair(field, lots, rounds_left)
        return pairing.tables, () if pairing.bye is None else (pairing.bye,)
    return pods(field, division.sizes, lots)


def matches(round_number: int, table: int, bots: tuple[str, ...], boards: int) -> tuple[MatchPlan, ...]:
    """The matches of a table with mirrored boards: its own boards, each in every order of the seats.

    Table t has the boards (t - 1) * boards + 1 to t * boards of the round. No two tables share a board, so what a
    bot sees at one table tells nothing about the cards at another.
    """
    first, seatings = (table - 1) * boards + 1, board_set(bots)
    return tuple(
        [
            MatchPlan(round_number, table, board, seating)
            for board in range(first, first + boards)
            for seating in seatings
        ]
    )
