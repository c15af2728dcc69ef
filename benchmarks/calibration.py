"""How often error bars that are called 95 % hold the truth: `python -m benchmarks.calibration [LEAGUES]`.

Leagues of bots of known strengths are simulated, and what the league's own code says of each is compared with what is
known. It prints a table; the standard errors count leagues as the independent unit.

- *Margins.* The house bots random and greedy have played boards of every variant against each other, each in every
  rotation of the seats (`margins.json`; `--play` plays them anew). Bot i of a simulated league chooses for each board,
  with a probability of its own from 0 to 1, to be greedy, else random, and a board of such a line-up is drawn with
  replacement. So margins have their real distributions, and the expected margin of any table is known.
- *Adjusted margins.* The same without the luck of the cards, on those boards whose luck is known (`lucks.json`;
  `--play-lucks` works it out anew). The truth is the mean of what is left on them.
- *Ratings, known strengths.* Of 16 bots, with normally distributed strengths of a standard deviation of 87 Elo (half a
  unit of log odds), in a Swiss; the two games of a board share the luck of its cards.
- *Ratings, what the estimator aims at.* Real boards of koikoi as above; the aim is what the model makes of endlessly
  many boards in the same meetings.
"""

import argparse
import json
import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from pathlib import Path
from statistics import NormalDist, fmean, stdev
from typing import NamedTuple

import numpy as np

from arena.league.adjustment import adjusted
from arena.league.boards import board_set
from arena.league.columns import Columns, Floats
from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from arena.league.ratings import ELO, MEAN, Strengths
from arena.league.results import by_place, score_plan
from arena.league.separation import Separation
from arena.league.spec import Division, LuckValue
from arena.league.statistics import mean_margins
from arena.league.values import MatchOutcome, MatchPlan, PlayedRound

POOLS = Path(__file__).with_name("margins.json")
LUCKS = Path(__file__).with_name("lucks.json")
HOUSE = ("random", "greedy")
BOARDS = 150
LUCKY_BOARDS = 30
"""Of each line-up the first so many, whose luck is known."""
ADJUSTED = ("koikoi",)
SEATS = {"koikoi": 2, "koikoi45": 2, "kyogi": 2, "hachihachi": 3, "sangohana": 3}
SPREAD = 0.5
SHARED_LUCK = 0.4

Pool = dict[str, list[list[list[int]]]]
"""By line-up, `random greedy`: boards, the results by seat of each of their games."""
Lucks = dict[str, list[list[list[float]]]]
"""The luck by seat of each of these games, as far as it is known."""


class Row(NamedTuple):
    """A row of the table: what is simulated, the range that is wanted, and what one league says."""

    setting: str
    wanted: tuple[float, float]
    league: Callable[[random.Random], dict[str, float]]


def play() -> dict[str, Pool]:
    """Boards of every variant in every line-up of house bots, from seeds."""
    from arena.simulate import simulate
    from bots import house

    pools: dict[str, Pool] = {}
    for variant, seats in SEATS.items():
        pools[variant] = {}
        for line_up in product(HOUSE, repeat=seats):
            if list(line_up) != sorted(line_up, key=HOUSE.index):
                continue
            text = " ".join(line_up)
            boards = []
            for board in range(BOARDS):
                games = []
                for seating in board_set(tuple(map(str, range(seats)))):
                    bots = [house(line_up[int(place)]) for place in seating]
                    games.append(list(simulate(variant, 1, f"calibration/{text}/{board}", bots).totals))
                boards.append(games)
            pools[variant][text] = boards
    return pools


def play_lucks() -> dict[str, Lucks]:
    """Play the first boards of every line-up again, and work out the luck of each game."""
    from arena.simulate import play_out, specs
    from benchmarks.bots import luck_in
    from bots import house

    pools: dict[str, Pool] = json.loads(POOLS.read_text())
    lucks: dict[str, Lucks] = {}
    for variant in ADJUSTED:
        lucks[variant] = {}
        for text, boards in pools[variant].items():
            lucks[variant][text] = []
            for board in range(min(LUCKY_BOARDS, len(boards))):
                games = []
                for seating in board_set(tuple(map(str, range(SEATS[variant])))):
                    line_up = tuple(text.split()[int(place)] for place in seating)
                    [(spec, _)] = specs(variant, 1, f"calibration/{text}/{board}", line_up, {})
                    state = play_out(spec, [house(name) for name in line_up]).state
                    games.append([round(luck, 1) for luck in luck_in(spec, state)])
                lucks[variant][text].append(games)
    return lucks


def rows() -> list[Row]:
    """Every row, in the order of the table."""
    pools: dict[str, Pool] = json.loads(POOLS.read_text())
    lucks: dict[str, Lucks] = json.loads(LUCKS.read_text())
    rows = [Row("margin, koikoi, 1 round of 4 boards", (93, 97), _margins("koikoi", pools["koikoi"], 1, 4))]
    rows += [
        Row(f"margin, {variant}, 5 rounds of 4 boards", (94, 96.5), _margins(variant, pools[variant], 5, 4))
        for variant in SEATS
    ]
    rows += [
        Row(f"margin, {variant}, 7 rounds of 20 boards", (94, 96), _margins(variant, pools[variant], 7, 20))
        for variant in SEATS
    ]
    rows += [
        Row(
            f"adjusted margin, {variant}, {rounds} rounds of {boards} boards",
            (94, 96.5),
            _margins(variant, pools[variant], rounds, boards, lucks[variant]),
        )
        for rounds, boards in ((5, 4), (7, 20))
        for variant in ADJUSTED
    ]
    for rounds, boards in ((5, 4), (7, 20), (9, 50)):
        games = f"{2 * rounds * boards} games"
        rows.append(Row(f"rating, the strength aimed at, {games}", (93, 97), _aims(pools["koikoi"], rounds, boards)))
    for rounds, boards in ((5, 4), (7, 20), (9, 50)):
        rows.append(Row(f"rating, the true strength, {2 * rounds * boards} games", (93, 97), _true(rounds, boards)))
    return rows


def measured(row: Row, leagues: int) -> tuple[float, float, dict[str, float]]:
    """The coverage in percent, its standard error, and the means of what else the leagues say."""
    results = [row.league(random.Random(f"{row.setting}/{number}")) for number in range(leagues)]
    covered = [100 * league.pop("covered") for league in results]
    means = {key: fmean(league[key] for league in results) for key in results[0]}
    return fmean(covered), stdev(covered) / math.sqrt(leagues), means


class _Field:
    """Bots of a pool: bot i is greedy on a board with the probability i / (n - 1).

    With `lucks` what is expected is what is left without them, and the boards are those whose luck is known.
    """

    def __init__(self, variant: str, pool: Pool, bots: int, lucks: Lucks | None = None) -> None:
        self.variant, self.seats = variant, SEATS[variant]
        self.names = [f"bot-{number:02}" for number in range(bots)]
        self.greedy = [number / (bots - 1) for number in range(bots)]
        self.luck: dict[MatchPlan, tuple[float, ...]] = {}
        none = [[0.0] * self.seats] * self.seats
        self.pool = {
            line_up: list(zip(boards, lucks[line_up], strict=False)) if lucks else [(games, none) for games in boards]
            for line_up, boards in pool.items()
        }
        self.expected: dict[tuple[str, ...], list[float]] = {}
        for line_up, boards in self.pool.items():
            sums = np.zeros(self.seats)
            for results, luck in boards:
                outcomes = self._outcomes(1, 1, 1, results, tuple("abc"[: self.seats]))
                for game, parts in zip(outcomes, luck, strict=True):
                    for bot, margin, part in zip(game.seating, game.margins, parts, strict=True):
                        sums["abc".index(bot)] += margin / game.parts - part
            self.expected[tuple(line_up.split())] = (sums / len(boards) / self.seats).tolist()

    def _outcomes(
        self, number: int, table: int, board: int, games: list[list[int]], bots: tuple[str, ...]
    ) -> list[MatchOutcome]:
        return [
            score_plan(MatchPlan(number, table, board, seating), balances, "COMPLETED")
            for seating, balances in zip(board_set(bots), games, strict=True)
        ]

    def table(
        self, number: int, table: int, bots: Sequence[int], boards: int, rng: random.Random
    ) -> list[MatchOutcome]:
        """Return the matches of a table; the luck in each is kept in `luck`."""
        played = []
        for board in range((table - 1) * boards + 1, table * boards + 1):
            chosen = [(HOUSE[rng.random() < self.greedy[bot]], self.names[bot]) for bot in bots]
            rng.shuffle(chosen)
            chosen.sort(key=lambda seat: HOUSE.index(seat[0]))
            games, lucks = rng.choice(self.pool[" ".join(kind for kind, _ in chosen)])
            outcomes = self._outcomes(number, table, board, games, tuple(name for _, name in chosen))
            self.luck.update(zip((outcome.plan for outcome in outcomes), map(tuple, lucks), strict=True))
            played += outcomes
        return played

    def margin(self, bot: int, others: Sequence[int]) -> float:
        """What a bot may expect against these."""
        total = 0.0
        for kinds in product((0, 1), repeat=len(others) + 1):
            chance = math.prod(
                self.greedy[name] if kind else 1 - self.greedy[name]
                for name, kind in zip((bot, *others), kinds, strict=True)
            )
            line_up = tuple(sorted((HOUSE[kind] for kind in kinds), key=HOUSE.index))
            means = [
                mean for mean, kind in zip(self.expected[line_up], line_up, strict=True) if kind == HOUSE[kinds[0]]
            ]
            total += chance * fmean(means)
        return total


def _swiss(
    names: Sequence[str],
    rounds: int,
    rng: random.Random,
    play_table: Callable[[int, int, tuple[str, str]], list[MatchOutcome]],
) -> list[MatchOutcome]:
    field = {name: Contender(name) for name in names}
    outcomes = []
    for number in range(1, rounds + 1):
        for table, (first, second) in enumerate(pair(field.values(), Lots(str(rng.random()))).tables, start=1):
            games = play_table(number, table, (first, second))
            outcomes += games
            half = [sum(game.half_points[game.seating.index(bot)] for game in games) for bot in (first, second)]
            for name, opponent, points in zip(
                (first, second), (second, first), by_place([(value,) for value in half]), strict=True
            ):
                bot = field[name]
                field[name] = bot._replace(
                    score=bot.score + points, met={**bot.met, opponent: bot.met.get(opponent, 0) + 1}
                )
    return outcomes


def _pods(field: _Field, rounds: int, boards: int, rng: random.Random) -> list[MatchOutcome]:
    outcomes = []
    for number in range(1, rounds + 1):
        order = list(range(len(field.names)))
        rng.shuffle(order)
        for table in range(len(order) // field.seats):
            bots = order[table * field.seats : (table + 1) * field.seats]
            outcomes += field.table(number, table + 1, bots, boards, rng)
    return outcomes


def _league(field: _Field, rounds: int, boards: int, rng: random.Random) -> list[MatchOutcome]:
    if field.seats > 2:
        return _pods(field, rounds, boards, rng)
    row = {name: number for number, name in enumerate(field.names)}
    return _swiss(
        field.names,
        rounds,
        rng,
        lambda number, table, bots: field.table(number, table, [row[bot] for bot in bots], boards, rng),
    )


def _margins(
    variant: str, pool: Pool, rounds: int, boards: int, lucks: Lucks | None = None
) -> Callable[[random.Random], dict[str, float]]:
    field = _Field(variant, pool, 16 if SEATS[variant] == 2 else 15, lucks)
    division = Division(variant, field.seats, rounds, boards, luck_value=LuckValue("policy", "00" * 32))
    row = {name: number for number, name in enumerate(field.names)}

    def league(rng: random.Random) -> dict[str, float]:
        field.luck.clear()
        outcomes = _league(field, rounds, boards, rng)
        met: dict[str, dict[tuple[int, int], tuple[int, ...]]] = {name: {} for name in field.names}
        for outcome in outcomes:
            for name in outcome.seating:
                met[name][outcome.round, outcome.table] = tuple(row[bot] for bot in outcome.seating if bot != name)
        covered, widths = [], []
        estimates = mean_margins(Columns([outcomes]))
        if lucks:
            without = adjusted(division, [PlayedRound(1, (), tuple(outcomes))], field.luck)
            assert without is not None
            estimates = without.margins
        for name, estimate in estimates.items():
            assert estimate.low is not None
            assert estimate.high is not None
            truth = fmean(field.margin(row[name], others) for others in met[name].values())
            covered.append(estimate.low <= truth <= estimate.high)
            widths.append(estimate.high - estimate.low)
        return {"covered": fmean(covered), "width": fmean(widths)}

    return league


def _rated(outcomes: list[MatchOutcome], true: dict[str, float]) -> dict[str, float]:
    """What the ratings say, where these are the true strengths, of mean 0 in Elo."""
    columns = Columns([outcomes])
    ratings = Strengths(columns).ratings()
    best = Separation(columns, ratings, "calibration").best()
    covered, widths = [], []
    for name, rating in ratings.items():
        assert rating.low is not None
        assert rating.high is not None
        covered.append(rating.low <= MEAN + true[name] <= rating.high)
        widths.append(rating.high - rating.low)
    differences = [
        (ratings[bot].mu - ratings[opponent].mu, true[bot] - true[opponent]) for bot, opponent in combinations(true, 2)
    ]
    leader = max(best, key=lambda name: best[name])
    return {
        "covered": fmean(covered),
        "width": fmean(widths),
        "said": sum(estimated * estimated for estimated, _ in differences),
        "is": sum(difference * difference for _, difference in differences),
        "both": sum(estimated * difference for estimated, difference in differences),
        "best": best[leader],
        "is best": float(true[leader] == max(true.values())),
    }


def _true(rounds: int, boards: int) -> Callable[[random.Random], dict[str, float]]:
    normal = NormalDist()

    def chance(value: float) -> float:
        """A logistic number from a normal one."""
        share = min(max(normal.cdf(value), 1e-12), 1 - 1e-12)
        return math.log(share / (1 - share))

    def league(rng: random.Random) -> dict[str, float]:
        strengths = [rng.gauss(0, SPREAD) for _ in range(16)]
        strength = {f"bot-{number:02}": drawn - fmean(strengths) for number, drawn in enumerate(strengths)}

        def table(number: int, table_number: int, bots: tuple[str, str]) -> list[MatchOutcome]:
            outcomes = []
            for board in range((table_number - 1) * boards + 1, table_number * boards + 1):
                first = rng.gauss(0, 1)
                second = SHARED_LUCK * first + math.sqrt(1 - SHARED_LUCK**2) * rng.gauss(0, 1)
                for seating, luck in ((bots, first), (bots[::-1], second)):
                    ahead = strength[seating[0]] - strength[seating[1]] + chance(luck) > 0
                    margins = (1, -1) if ahead else (-1, 1)
                    outcomes.append(
                        MatchOutcome(number, table_number, board, seating, (2, 0) if ahead else (0, 2), margins)
                    )
            return outcomes

        outcomes = _swiss(list(strength), rounds, rng, table)
        return _rated(outcomes, {name: ELO * logit for name, logit in strength.items()})

    return league


def _aims(pool: Pool, rounds: int, boards: int) -> Callable[[random.Random], dict[str, float]]:
    field = _Field("koikoi", pool, 16)
    scores = _scores(field)

    def league(rng: random.Random) -> dict[str, float]:
        outcomes = _league(field, rounds, boards, rng)
        met = np.zeros_like(scores)
        row = {name: number for number, name in enumerate(field.names)}
        for outcome in outcomes:
            bot, opponent = (row[name] for name in outcome.seating)
            met[bot, opponent] += 1
            met[opponent, bot] += 1
        return _rated(outcomes, dict(zip(field.names, _aimed_at(scores, met), strict=True)))

    return league


def _scores(field: _Field) -> Floats:
    """What each bot may expect of a game against each other, of 1."""
    halves = [
        by_place([(points,) for points in game])[game_number]
        for games, _ in field.pool["random greedy"]
        for game_number, game in enumerate(games)
    ]
    ahead = 1 - fmean(halves) / 2  # what greedy wins from random
    greedy = np.array(field.greedy)
    expected: Floats = 0.5 + (ahead - 0.5) * (greedy[:, None] - greedy[None])
    return expected


def _aimed_at(scores: Floats, met: Floats) -> list[float]:
    """The strengths, in Elo, by which everybody's expected score in these meetings is the one it really is."""
    strength = np.zeros(len(scores))
    for _ in range(50):
        expected = 1 / (1 + np.exp(strength[None] - strength[:, None]))
        information = met * expected * (1 - expected)
        hessian = np.diag(information.sum(axis=1)) - information
        strength = strength + np.linalg.pinv(hessian) @ (met * (scores - expected)).sum(axis=1)
    aims: list[float] = (ELO * (strength - strength.mean())).tolist()
    return aims


def lines(leagues: int, chosen: Sequence[Row]) -> Iterator[str]:
    """The table, a line at a time."""
    yield "| setting | wanted | covered | mean width | differences | best |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in chosen:
        covered, error, means = measured(row, leagues)
        differences = best = ""
        if "said" in means:
            differences = f"{math.sqrt(means['said'] / means['is']):.2f}, {means['both'] / means['said']:.2f}"
            best = f"{means['best']:.2f}, {means['is best']:.2f}"
        low, high = row.wanted
        yield (
            f"| {row.setting} | {low:g} to {high:g} | {covered:.1f} ± {error:.1f} | {means['width']:.1f} "
            f"| {differences} | {best} |"
        )


def main() -> None:
    """Print the table, or play the boards anew."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leagues", type=int, nargs="?", default=500, help="leagues of each setting (default 500)")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings whose name holds this")
    parser.add_argument("--play", action="store_true", help="play the boards of margins.json anew")
    parser.add_argument("--play-lucks", action="store_true", help="work out lucks.json anew")
    asked = parser.parse_args()
    if asked.play or asked.play_lucks:
        path, played = (POOLS, play) if asked.play else (LUCKS, play_lucks)
        path.write_text(json.dumps(played(), separators=(",", ":")) + "\n")
        return
    for line in lines(asked.leagues, [row for row in rows() if asked.only in row.setting]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
