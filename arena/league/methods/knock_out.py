"""Knock-out: a bracket whose seeds are the places of a Swiss before it.

The last rounds of the division, as many as its bracket needs, are the knock-out; those before are a Swiss. The first
`bracket` bots of its table that have not withdrawn are the seeds 1, 2, 3 and so on; without a Swiss the lot seeds them.
Seeds 1 and 2 can only meet in the final, the first four not before the semi-finals. Where the number of bots is no
power of two, the best seeds have a bye in the first round of the bracket.

A table is won by game points, then by margin. If both are equal, the lot of the round decides.

A bot that withdraws leaves its place empty, and its opponent goes on with a bye. A round in which nobody could meet is
left out.

The bracket decides the places before the points: the later a bot was knocked out, the better, and bots that got equally
far, or were not in the bracket, are in the order of the Swiss table.
"""

from collections.abc import Iterator, Mapping, Sequence

from arena.league.all_round import Places, places
from arena.league.errors import ResultsError
from arena.league.methods import swiss
from arena.league.methods.method import Event, Method
from arena.league.ratings import Rating
from arena.league.results import table_points
from arena.league.spec import Division
from arena.league.standings import Standing, final_table
from arena.league.values import Finished, PlayedRound, Seating

Slots = Sequence[str | None]
"""The places of a bracket in order; neighbours meet, and an empty one lets its neighbour go on."""


class KnockOut(Method):
    """Swiss rounds, then a bracket."""

    seats = (2,)
    takes_bracket = True

    def fault(self, division: Division) -> tuple[str, str] | None:
        """A bracket that is missing, or too large for the rounds."""
        if (fault := super().fault(division)) is not None:
            return fault
        if division.bracket is None:
            return "pairing", "knock-out needs the key bracket: how many bots are in it"
        needed = _bracket_rounds(division.bracket)
        if needed > division.rounds:
            return "rounds", f"a bracket of {division.bracket} bots takes {needed} rounds, not {division.rounds}"
        return None

    def field_fault(self, division: Division, bots: int) -> str | None:
        """Too many for the bracket where no Swiss chooses among them."""
        if division.bracket is not None and bots > division.bracket and not _swiss_rounds(division):
            return f"{bots} bots are too many for a bracket of {division.bracket} without a Swiss round before it"
        return None

    def last_entry_round(self, division: Division) -> int:
        """The last Swiss round, or the first one of all."""
        return max(_swiss_rounds(division), 1)

    def seat(self, event: Event) -> Seating | Finished:
        """Pair a Swiss round, or one of the bracket; ResultsError when an earlier table of it has no result."""
        if event.next_number <= (rounds := _swiss_rounds(event.division)):
            return swiss.seat(event, rounds)
        return _play(event, [name for tied in _swiss_places(event) for name in tied])[1]

    def places(self, event: Event, rows: Sequence[Standing], ratings: Mapping[str, Rating]) -> Places:
        """The places of the bracket, once a round of it is played."""
        before = _swiss_places(event)
        if len(event.rounds) <= _swiss_rounds(event.division):
            return before
        reached, _ = _play(event, [name for tied in before for name in tied])
        stages = sorted({0, *reached.values()}, reverse=True)
        groups = [[name for name in tied if reached.get(name, 0) == stage] for stage in stages for tied in before]
        return [tied for tied in groups if tied]


def bracket_order(bots: int) -> list[int]:
    """The seeds, from 1, in the order of the bracket's places; numbers above `bots` are places left empty."""
    order = [1]
    while len(order) < bots:
        order = [seed for placed in order for seed in (placed, 2 * len(order) + 1 - placed)]
    return order


def _play(event: Event, ranked: Sequence[str]) -> tuple[dict[str, int], Seating | Finished]:
    """The bracket so far: how many of its rounds each bot reached, counted from 1, and what comes next."""
    number = _swiss_rounds(event.division) + 1
    present = event.present(number)
    seeds = [name for name in ranked if name in present][: event.division.bracket]
    slots: Slots = [seeds[seed - 1] if seed <= len(seeds) else None for seed in bracket_order(len(seeds))]
    reached = dict.fromkeys(seeds, 1)
    while len(slots) > 1:
        present = event.present(number)
        slots = [name if name in present else None for name in slots]
        tables = [(pair, opponent) for pair, opponent in _pairs(slots) if pair is not None and opponent is not None]
        winners: dict[tuple[str, str], str] = {}
        if tables and number == event.next_number:
            byes = [pair or opponent for pair, opponent in _pairs(slots) if pair is None or opponent is None]
            return reached, Seating(tables, tuple(name for name in byes if name is not None))
        if tables:
            winners = _winners(event, tables, event.rounds[number - 1])
            number += 1
        slots = [
            pair or opponent if pair is None or opponent is None else winners[pair, opponent]
            for pair, opponent in _pairs(slots)
        ]
        for name in slots:
            if name is not None:
                reached[name] += 1
    return reached, Finished("the bracket is played")


def _pairs(slots: Slots) -> Iterator[tuple[str | None, str | None]]:
    return zip(slots[::2], slots[1::2], strict=True)


def _winners(event: Event, tables: Sequence[tuple[str, str]], played: PlayedRound) -> dict[tuple[str, str], str]:
    """Who goes on from each table of a round."""
    lots = event.lots("knock-out", str(played.number))
    won = {frozenset(table): table for table in table_points(played)}
    winners = {}
    for pair in tables:
        if (points := won.get(frozenset(pair))) is None:
            raise ResultsError(f"round {played.number} has no result of the table of {' and '.join(pair)}")
        winners[pair] = min(pair, key=lambda name: (-points[name], lots.of(name)))
    return winners


def _swiss_places(event: Event) -> Places:
    """The places of the Swiss table, or those of the lot where there was no Swiss."""
    rounds = event.rounds[: _swiss_rounds(event.division)]
    return places(final_table(event.spec, event.division, event.entrants, rounds))


def _swiss_rounds(division: Division) -> int:
    return division.rounds - _bracket_rounds(division.bracket or 1)


def _bracket_rounds(bots: int) -> int:
    return (bots - 1).bit_length()
