"""Round robin: every bot meets every other one, once or as many times as the rounds allow.

The pairing numbers are drawn by lot, and the rounds are those of the Berger tables (FIDE Handbook C.05, annex 1): with
an even number n of bots, those with the numbers i and j below n meet in the round r for which i + j = r + 1 modulo
n - 1, and the one that is left over, 2 i = r + 1, meets number n. An odd field has a number n that nobody has, and
its opponent has a bye.

A bot that withdraws leaves its place empty: whoever would have met it has a bye. A round in which nobody could meet
is left out.
"""

from arena.league.errors import PairingError
from arena.league.methods.method import Event, Method
from arena.league.spec import Division
from arena.league.values import Finished, Seating


class RoundRobin(Method):
    """The bots that are there in round 1, and nobody later."""

    seats = (2,)

    def field_fault(self, division: Division, bots: int) -> str | None:
        """Too many for the rounds to have everybody meet everybody."""
        needed = _cycle(bots)
        if needed > division.rounds:
            return f"a round robin of {bots} bots takes {needed} rounds, not {division.rounds}"
        return None

    def last_entry_round(self, division: Division) -> int:
        """Nobody enters late: a bot would not meet those that it has missed."""
        return 1

    def seat(self, event: Event) -> Seating | Finished:
        """The next round of the Berger tables; PairingError when the field is too large for the rounds."""
        lots = event.lots("round-robin")
        names = sorted(event.present(1), key=lots.of)
        fault = self.field_fault(event.division, len(names))
        if fault is not None:
            raise PairingError(fault)
        cycle = _cycle(len(names))
        times = event.division.rounds // cycle if cycle else 0
        number = 1
        for step in range(times * cycle):
            present = event.present(number)
            tables = [
                (names[first - 1], names[second - 1])
                for first, second in berger(len(names), step % cycle + 1)
                if names[first - 1] in present and names[second - 1] in present
            ]
            if not tables:
                continue
            if number == event.next_number:
                seated = {name for table in tables for name in table}
                return Seating(tables, tuple(name for name in names if name in present and name not in seated))
            number += 1
        return Finished("every bot has met all the others that stayed")


def berger(bots: int, round_number: int) -> list[tuple[int, int]]:
    """The pairs of a round, as numbers from 1; of an odd field one number is missing."""
    even = bots + bots % 2
    pairs = []
    for first in range(1, even):
        second = (round_number - first) % (even - 1) + 1
        if second == first and even == bots:
            pairs.append((first, even))
        elif first < second:
            pairs.append((first, second))
    return pairs


def _cycle(bots: int) -> int:
    """How many rounds it takes for everybody to meet everybody."""
    return bots - 1 + bots % 2 if bots > 1 else 0
