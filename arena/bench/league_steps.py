"""What a large division costs: the whole of a step, from the results so far to the plan of a round, and its table.

`python -m arena.bench.league_steps [BOTS]` measures it alone.

Nothing is played: half points and margins are by chance. Times are of the processor, so what else runs counts little.
"""

import random
import sys
import time

from arena.bench import Result, lines
from arena.bench.house_leagues import house_league, parsed
from arena.league.results import score_plan
from arena.league.rounds import next_round
from arena.league.spec import LeagueSpec
from arena.league.tables import division_table
from arena.league.values import Entrant, PlayedRound, RoundPlan

ROUNDS = 9
TWO = 'variant = "koikoi"\nboards = 2'
PODS = 'variant = "sangohana"\nseats = 4\nboards = 1'
"""20,000 matches a round, and 10,000."""


def measure(bots: int) -> list[Result]:
    """The steps to the last round, and the table after it."""
    two, table = _division(bots, TWO)
    pods, _ = _division(bots, PODS)
    return [
        Result(f"league.step.two.{bots}", two, "s"),
        Result(f"league.step.pods.{bots}", pods, "s"),
        Result(f"league.table.{bots}", table, "s"),
    ]


def _division(bots: int, keys: str) -> tuple[float, float]:
    """Seconds of the processor that the last step takes, and the table."""
    spec = parsed(house_league(bots, f"rounds = {ROUNDS}\n{keys}"))
    entrants = [Entrant(entry.name) for entry in spec.entries]
    dice = random.Random(1)
    played: list[PlayedRound] = []
    while True:
        began = time.process_time()
        plan = next_round(spec, spec.division(), entrants, played)
        if not isinstance(plan, RoundPlan):
            break
        step = time.process_time() - began
        played.append(_by_chance(plan, dice))
    return step, _table(spec, entrants, played)


def _table(spec: LeagueSpec, entrants: list[Entrant], played: list[PlayedRound]) -> float:
    began = time.process_time()
    division_table(spec, spec.division(), entrants, played)
    return time.process_time() - began


def _by_chance(plan: RoundPlan, dice: random.Random) -> PlayedRound:
    outcomes = []
    for match in plan.matches:
        drawn = [dice.randint(-30, 30) for _ in match.seating]
        balances = [len(drawn) * value - sum(drawn) for value in drawn]
        outcomes.append(score_plan(match, balances, "COMPLETED"))
    return plan.close(tuple(outcomes))


if __name__ == "__main__":
    print(*lines(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 9_999)), sep="\n")
