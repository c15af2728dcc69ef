"""The step of a league: from the rounds so far to the next one, or to the end."""

from collections.abc import Collection, Sequence

from arena.league.boards import board_set
from arena.league.history import contenders, records
from arena.league.lots import Lots
from arena.league.pairing import pair
from arena.league.results import bye_game_points
from arena.league.spec import Division, LeagueSpec
from arena.league.values import Entrant, Finished, MatchPlan, PlayedRound, RoundPlan, TablePlan


def next_round(
    spec: LeagueSpec, division: Division, entrants: Collection[Entrant], rounds: Sequence[PlayedRound]
) -> RoundPlan | Finished:
    """Pair the round after `rounds`, which are complete; the same arguments always give the same plan.

    Finished when every round is played, or when fewer than two entrants are there to play.
    """
    number = len(rounds) + 1
    if number > division.rounds:
        return Finished(len(rounds), "every round is played")
    found = records((entrant.name for entrant in entrants), rounds, bye_game_points(division.boards))
    present = {entrant.name for entrant in entrants if entrant.plays(number)}
    if len(present) < 2:
        return Finished(len(rounds), "fewer than two bots are left to play")
    field = [bot for bot in contenders(found, len(rounds)) if bot.name in present]
    pairing = pair(field, Lots(spec.lot, "pairing", division.variant, str(number)))
    tables = tuple(
        TablePlan(table, bots, matches(number, table, bots, division.boards))
        for table, bots in enumerate(pairing.tables, start=1)
    )
    return RoundPlan(number, tables, pairing.bye)


def matches(round_number: int, table: int, bots: tuple[str, ...], boards: int) -> tuple[MatchPlan, ...]:
    """The matches of a table: its own boards, each in every order of the seats.

    Table t has the boards (t - 1) * boards + 1 to t * boards of the round. No two tables share a board, so what a
    bot sees at one table tells nothing about the cards at another.
    """
    first = (table - 1) * boards + 1
    return tuple(
        MatchPlan(round_number, table, board, seating)
        for board in range(first, first + boards)
        for seating in board_set(bots)
    )
