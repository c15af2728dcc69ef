"""How well a ladder orders bots, beside long leagues: `python -m benchmarks.ladder_order [RUNS]`.

Each run plays a round robin in which every two bots meet on so many boards, one of a third of them, and ladders of a
third and of half of its boards in all; tables are planned by the arena's own code after each round. A league orders its
bots twice: by its table, which ranks by match points, and by its ratings. A ladder's table ranks by ratings, and the
margin ratings of its season's league order the bots once more. Each order is compared with the true one by Kendall's
tau: 1 where every two bots are in the right order, 0 for an order by chance. In parentheses are the differences to the
long league's table and to its ratings, run by run; all errors are of 95 %.

In the long league every two bots meet once, on all their boards, or with `--meetings` several times on a part of them:
the more meetings, the more match points there are to tell bots apart.

Bots of known strengths are simulated (`benchmarks.simulated_leagues`). With `--house` the house's bots `random` and
`level1` to `level6` play, of which each is stronger than the one before.
"""

import argparse
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np

from arena.league.columns import Columns
from arena.league.margin_rating import margin_ratings
from arena.league.ratings import Strengths
from arena.league.reader import parse_league
from arena.league.results import score_plan
from arena.league.rounds import matches, next_round
from arena.league.spec import LeagueSpec
from arena.league.standings import final_table
from arena.league.values import Entrant, MatchOutcome, PlayedRound, RoundPlan
from arena.simulate import simulate
from benchmarks.simulated_leagues import Field, Format, ladder, names_of, normal, play_table
from bots import house

BOARDS = 2
"""Boards of a table of the ladder."""
HOUSE = ("random", "level1", "level2", "level3", "level4", "level5", "level6")
"""The weakest first."""

Play = Callable[[int, int, tuple[str, ...], int], list[MatchOutcome]]
"""Play a table: round, number of the table, bots, boards."""


class Setting(NamedTuple):
    """A field of so many bots; in its long league every two of them meet on so many boards."""

    name: str
    field: Field
    bots: int
    boards: int


SETTINGS = (
    Setting("60 Elo from each to the next", ladder(60), 8, 18),
    Setting("60 Elo from each to the next", ladder(60), 16, 18),
    Setting("30 Elo from each to the next", ladder(30), 16, 18),
    Setting("normal, 174 Elo", normal(174), 16, 18),
    Setting("normal, 174 Elo", normal(174), 32, 6),
    Setting("normal, 87 Elo", normal(87), 16, 18),
)


def kendall(order: Sequence[str], ratings: Mapping[str, float]) -> float:
    """Return Kendall's tau of the ratings to the true order, the weakest bot first."""
    signs = [math.copysign(1, ratings[second] - ratings[first]) for first, second in combinations(order, 2)]
    return fmean(signs)


def rated(outcomes: Sequence[MatchOutcome]) -> dict[str, float]:
    """Return the ratings of all bots by these matches."""
    return {name: rating.mu for name, rating in Strengths(Columns([outcomes])).ratings().items()}


class Played(NamedTuple):
    """A league that was played: its matches, and how its table and its ratings value each bot."""

    table: dict[str, float]
    ratings: dict[str, float]


def by_margins(outcomes: Sequence[MatchOutcome]) -> dict[str, float]:
    """Return the margin ratings of all bots by these matches."""
    return {name: rating.mean for name, rating in margin_ratings(Columns([outcomes])).items()}


def round_robin(names: Sequence[str], boards: int, play: Play, lot: str, meetings: int = 1) -> Played:
    """Play a league in which every two bots meet so many times, on so many boards in all."""
    rounds = meetings * (len(names) - 1 + len(names) % 2)
    two = 'entries = ["house:random", "house:greedy"]\n'
    form = f'pairing = "round-robin"\nrounds = {rounds}\nboards = {boards // meetings}\n'
    spec = parse_league(f'name = "long"\nlot = "{lot}"\n{form}{two}', "long.toml")
    entrants = [Entrant(name) for name in names]
    played: list[PlayedRound] = []
    while isinstance(plan := next_round(spec, spec.division(), entrants, played), RoundPlan):
        outcomes = [
            outcome
            for table in plan.tables
            for outcome in play(plan.number, table.number, table.bots, len(table.matches) // len(table.bots))
        ]
        played.append(PlayedRound(plan.number, plan.byes, tuple(outcomes)))
    standings = final_table(spec, spec.division(), entrants, played)
    return Played(
        {row.name: -float(row.rank) for row in standings},
        rated([outcome for played_round in played for outcome in played_round.outcomes]),
    )


def ladder_of(names: Sequence[str], boards: int, tables: int, lot: str, play: Play) -> list[MatchOutcome]:
    """Return the matches of a ladder that has played so many boards in all."""
    spec = _spec(lot, tables)
    entrants = [Entrant(name) for name in names]
    rounds: list[PlayedRound] = []
    remaining = boards // BOARDS
    while remaining > 0:
        plan = next_round(spec, spec.division(), entrants, rounds)
        assert isinstance(plan, RoundPlan)
        played = plan.tables[:remaining]
        remaining -= len(played)
        outcomes = [outcome for table in played for outcome in play(plan.number, table.number, table.bots, BOARDS)]
        rounds.append(PlayedRound(plan.number, (), tuple(outcomes)))
    return [outcome for played_round in rounds for outcome in played_round.outcomes]


def _spec(lot: str, tables: int) -> LeagueSpec:
    text = f'name = "order"\nlot = "{lot}"\nrounds = 1000\nboards = {BOARDS}\n[ladder]\ntables = {tables}\n'
    return parse_league(text, "order.toml").season(1, {})


def simulated(strengths: Mapping[str, float], seed: int) -> Play:
    """Return how bots of known strengths, in log odds, play a table."""
    generator = np.random.default_rng(seed)

    def play(number: int, table: int, bots: tuple[str, ...], boards: int) -> list[MatchOutcome]:
        return play_table(number, table, bots, strengths, Format(len(strengths), 0, boards), generator)

    return play


def real(variant: str, seed: str) -> Play:
    """Return how house bots play a table."""

    def play(number: int, table: int, bots: tuple[str, ...], boards: int) -> list[MatchOutcome]:
        rows = []
        for plan in matches(number, table, bots, boards):
            cards = f"{seed}/{number}/{table}/{plan.board}"
            played = simulate(variant, 1, cards, [house(bot) for bot in plan.seating])
            rows.append(score_plan(plan, played.totals, "COMPLETED"))
        return rows

    return play


class Taus(NamedTuple):
    """What orders are worth: of a long league's table and ratings, of a third of it, and of ladders of its boards."""

    table: float
    ratings: float
    third: float
    ladder_third: float
    ladder_third_margins: float
    ladder_half: float


def taus(order: Sequence[str], boards: int, lot: str, play: Callable[[str], Play], meetings: int = 1) -> Taus:
    """Return what the orders of one run are worth."""
    shuffled = random.Random(lot).sample(order, len(order))
    whole = boards * (len(order) * (len(order) - 1) // 2)
    tables = max(1, len(order) // 4)
    long = round_robin(shuffled, boards, play("long"), lot, meetings)
    third = round_robin(shuffled, boards // 3, play("third"), lot)
    of_third, of_half = (
        ladder_of(shuffled, whole // part, tables, f"{lot}/{part}", play(f"ladder {part}")) for part in (3, 2)
    )
    orders = (long.table, long.ratings, third.ratings, rated(of_third), by_margins(of_third), rated(of_half))
    return Taus(*(kendall(order, values) for values in orders))


def of_setting(setting: Setting, runs: int, meetings: int = 1) -> list[Taus]:
    """Return what the orders of each run are worth."""
    rows = []
    for run in range(runs):
        rng = random.Random(f"{setting.name}/{setting.bots}/{run}")
        names = names_of(setting.bots)
        strengths = dict(zip(names, setting.field(setting.bots, rng), strict=True))
        order = sorted(names, key=strengths.__getitem__)
        seeds = {kind: rng.getrandbits(64) for kind in ("long", "third", "ladder 3", "ladder 2")}
        play = _seeded(strengths, seeds)
        rows.append(taus(order, setting.boards, str(run), play, meetings))
    return rows


def _seeded(strengths: Mapping[str, float], seeds: Mapping[str, int]) -> Callable[[str], Play]:
    return lambda kind: simulated(strengths, seeds[kind])


def _dealt(variant: str, run: int) -> Callable[[str], Play]:
    return lambda kind: real(variant, f"{kind}/{run}")


_HEADS = "league: table | league: ratings | a third: ratings | ladder of a third | its margin ratings | ladder of half"


def lines(runs: int, settings: Sequence[Setting] = SETTINGS, meetings: int = 1) -> Iterator[str]:
    """Yield the table of the simulated fields, a line at a time."""
    yield f"| field | bots | boards of the league | {_HEADS} |"
    yield "| --- " * 9 + "|"
    for setting in settings:
        boards = setting.boards * setting.bots * (setting.bots - 1) // 2
        yield f"| {setting.name} | {setting.bots} | {boards} | {_row(of_setting(setting, runs, meetings))} |"


def house_lines(variant: str, boards: int, runs: int, meetings: int = 1) -> Iterator[str]:
    """Yield the table of the house's bots, a line at a time."""
    yield f"| bots | boards of the league | {_HEADS} |"
    yield "| --- " * 8 + "|"
    runs_taus = [taus(HOUSE, boards, str(run), _dealt(variant, run), meetings) for run in range(runs)]
    pairs = len(HOUSE) * (len(HOUSE) - 1) // 2
    yield f"| {variant}: {', '.join(HOUSE)} | {boards * pairs} | {_row(runs_taus)} |"


def _row(taus_of_runs: Sequence[Taus]) -> str:
    cells = []
    for kind in Taus._fields:
        cell = _mean([getattr(run, kind) for run in taus_of_runs])
        if kind not in ("table", "ratings"):
            off = ([getattr(run, kind) - getattr(run, long) for run in taus_of_runs] for long in ("table", "ratings"))
            cell += f" ({', '.join(_mean(values, '+.3f') for values in off)})"
        cells.append(cell)
    return " | ".join(cells)


def _mean(values: Sequence[float], form: str = ".3f") -> str:
    return f"{fmean(values):{form}} ± {_error(values):.3f}"


def _error(values: Sequence[float]) -> float:
    return 1.96 * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=int, nargs="?", default=40, help="runs of each setting (default 40)")
    parser.add_argument("--house", metavar="VARIANT", help="play the house's bots in this variant instead")
    parser.add_argument("--boards", type=int, default=18, help="with --house: boards of every two bots in the league")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings whose line holds this")
    parser.add_argument("--meetings", type=int, default=1, help="of every two bots in the long league (default 1)")
    args = parser.parse_args()
    settings = [setting for setting in SETTINGS if args.only in f"{setting.name}, {setting.bots}"]
    if args.house:
        shown = house_lines(args.house, args.boards, args.runs, args.meetings)
    else:
        shown = lines(args.runs, settings, args.meetings)
    for line in shown:
        print(line, flush=True)


if __name__ == "__main__":
    main()
