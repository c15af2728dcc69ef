"""How often small Swiss events repeat a pairing: `python -m benchmarks.rematches [EVENTS]`.

Results are by chance. Each line: bots, rounds, and the rematches among all pairings, with looking ahead and without.
"""

import random
import sys

from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from benchmarks.league import after_round

FIELDS = ((6, 4), (7, 6), (8, 6), (9, 7), (9, 8), (10, 8), (12, 10))
"""Bots and rounds, of which a schedule without a rematch exists."""


def rematches(bots: int, rounds: int, events: int, *, ahead: bool) -> tuple[int, int]:
    """The rematches of so many events, and all their pairings."""
    dice = random.Random(1)
    again = pairings = 0
    for event in range(events):
        field = [Contender(f"bot-{n}") for n in range(bots)]
        for number in range(1, rounds + 1):
            lots = Lots("rematches", str(event), str(number))
            pairing = pair(field, lots, rounds - number if ahead else 0)
            known = {bot.name: bot for bot in field}
            again += sum(other in known[one].met for one, other in pairing.tables)
            pairings += len(pairing.tables)
            field = after_round(field, pairing.tables, () if pairing.bye is None else (pairing.bye,), dice)
    return again, pairings


if __name__ == "__main__":
    events = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for bots, rounds in FIELDS:
        ahead, pairings = rematches(bots, rounds, events, ahead=True)
        without, _ = rematches(bots, rounds, events, ahead=False)
        print(f"{bots} bots, {rounds} rounds: {ahead} of {pairings}, without looking ahead {without}", flush=True)
