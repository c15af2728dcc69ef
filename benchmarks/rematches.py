"""How often small events repeat a meeting: `python -m benchmarks.rematches [EVENTS]`.

Results are by chance. Each line: bots, rounds, seats; the meetings of an event, and how many of them must be repeats by
their number alone; how many are, with looking ahead and without. The last two are means over EVENTS events (by default
200, which take about six minutes) of two seats, and a tenth as many of pods.
"""

import random
import sys
from collections.abc import Sequence
from itertools import combinations
from statistics import mean

from arena.bench.league import after_round, seat
from arena.league.lots import Lots
from arena.league.pairing import Contender

EVENTS = 200
_SECONDS = 1.75
"""Of one event in every setting, measured."""
SWISS = ((6, 4), (7, 6), (8, 6), (9, 7), (9, 8), (10, 8), (12, 10))
"""Bots and rounds, of which a schedule without a rematch exists."""
PODS = (
    (9, 4, (3,)),
    (10, 5, (3,)),
    (10, 6, (3,)),
    (12, 5, (3,)),
    (13, 6, (3,)),
    (13, 6, (3, 4)),
    (15, 6, (3,)),
    (16, 5, (4, 3)),
)
"""Bots, rounds and the sizes that pods may have."""


def event(bots: int, rounds: int, sizes: Sequence[int], seed: int, *, ahead: bool) -> tuple[int, int]:
    """The repeated meetings of an event, and all of its meetings."""
    dice = random.Random(seed)
    repeats = meetings = 0
    field = [Contender(f"bot-{n}") for n in range(bots)]
    for number in range(1, rounds + 1):
        lots = Lots("rematches", str(seed), str(number))
        rounds_left = rounds - number if ahead else 0
        tables, byes = seat(field, sizes, lots, rounds_left)
        contenders = {bot.name: bot for bot in field}
        met = [opponent in contenders[bot].met for table in tables for bot, opponent in combinations(table, 2)]
        repeats, meetings = repeats + sum(met), meetings + len(met)
        field = after_round(field, tables, byes, sizes[0], dice)
    return repeats, meetings


def repeats(bots: int, rounds: int, sizes: Sequence[int], events: int, *, ahead: bool) -> float:
    """The mean number of repeated meetings in so many events."""
    return mean(event(bots, rounds, sizes, seed, ahead=ahead)[0] for seed in range(events))


def main(events: int) -> None:
    """Print a line for each setting."""
    print(f"about {events * _SECONDS:.0f} s of one processor; fewer events take less", file=sys.stderr, flush=True)
    settings: list[tuple[int, int, tuple[int, ...], int]] = [(*swiss, (2,), events) for swiss in SWISS]
    settings += [(*of_pods, max(events // 10, 1)) for of_pods in PODS]
    for bots, rounds, sizes, number in settings:
        _, meetings = event(bots, rounds, sizes, 0, ahead=False)
        floor = max(0, meetings - bots * (bots - 1) // 2)
        print(f"{bots} bots, {rounds} rounds, {' or '.join(map(str, sizes))} seats: {meetings} meetings, ", end="")
        ahead, without = (repeats(bots, rounds, sizes, number, ahead=ahead) for ahead in (True, False))
        print(f"{floor} must repeat; {ahead:.2f} do, without looking ahead {without:.2f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
