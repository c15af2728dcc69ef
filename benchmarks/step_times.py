"""How long pairing a round takes: `python -m benchmarks.step_times [EVENTS]`.

Events of bots whose results are by chance, one match of twenty being forfeited, are paired from the first round to the
last by the league's own step. Each line has the longest step of all, in seconds of the processor, and how often a round
broke what holds for every pairing: each bot sits at one table or has a bye, and none has a second bye before all others
had one.
"""

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from arena.league.reader import parse_league
from arena.league.results import score_plan
from arena.league.rounds import next_round
from arena.league.spec import LeagueSpec
from arena.league.values import Entrant, PlayedRound, RoundPlan

FORFEITS = 0.05


class Setting(NamedTuple):
    """So many bots at tables of so many seats; `rounds` at most."""

    bots: int
    rounds: int
    seats: int

    def league(self) -> LeagueSpec:
        """Return the league."""
        entries = ", ".join(f'{{ name = "bot-{number}", bot = "house:random" }}' for number in range(self.bots))
        keys = f'variant = "{"koikoi" if self.seats == 2 else "sangohana"}"\nseats = {self.seats}\nboards = 1'
        text = f'name = "steps"\n{keys}\nrounds = {self.rounds}\nentries = [{entries}]\n'
        return parse_league(text, "steps.toml")


SMALL = tuple(Setting(bots, min(bots - 1, 9), seats) for seats in (2, 3, 4) for bots in range(2 * seats, 17))
LARGE = tuple(Setting(bots, 9, seats) for bots in (31, 1_000, 10_000) for seats in (2, 3, 4))


class Event(NamedTuple):
    """The longest step of an event, in seconds, and the rounds that break a rule."""

    longest: float
    broken: int


def event(setting: Setting, seed: int) -> Event:
    """Pair an event from the first round to the last."""
    spec = setting.league()
    entrants = [Entrant(entry.name) for entry in spec.entries]
    dice = random.Random(f"{setting}/{seed}")
    played: list[PlayedRound] = []
    longest, broken = 0.0, 0
    byes = Counter({entrant.name: 0 for entrant in entrants})
    while True:
        began = time.process_time()
        plan = next_round(spec, spec.division(), entrants, played)
        if not isinstance(plan, RoundPlan):
            return Event(longest, broken)
        longest = max(longest, time.process_time() - began)
        tables = {match.table: frozenset(match.seating) for match in plan.matches}
        seen = Counter(name for bots in tables.values() for name in bots) + Counter(plan.byes)
        byes.update(plan.byes)
        uneven = max(byes.values()) - min(byes.values()) > 1
        broken += uneven or set(seen) != set(byes) or max(seen.values()) > 1
        played.append(_by_chance(plan, dice))


def _by_chance(plan: RoundPlan, dice: random.Random) -> PlayedRound:
    outcomes = []
    for match in plan.matches:
        drawn = [dice.randint(-30, 30) for _ in match.seating]
        balances = [len(drawn) * strength - sum(drawn) for strength in drawn]
        at_fault = dice.randrange(len(drawn)) if dice.random() < FORFEITS else None
        outcomes.append(score_plan(match, balances, "COMPLETED" if at_fault is None else "TIMEOUT", at_fault))
    return plan.close(tuple(outcomes))


def lines(settings: tuple[Setting, ...], events: int) -> Iterator[str]:
    """Yield the table, a line at a time; a large field is one event."""
    yield "| bots | rounds | seats | longest step, s | rounds that break a rule |"
    yield "| --- | --- | --- | --- | --- |"
    for setting in settings:
        seen = [event(setting, seed) for seed in range(events if setting.bots <= 16 else 1)]
        longest, broken = max(run.longest for run in seen), sum(run.broken for run in seen)
        yield f"| {setting.bots} | {setting.rounds} | {setting.seats} | {longest:.2f} | {broken} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("events", type=int, nargs="?", default=10, help="events of each small field (default 10)")
    for line in lines(SMALL + LARGE, parser.parse_args().events):
        print(line, flush=True)


if __name__ == "__main__":
    main()
