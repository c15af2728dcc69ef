"""How often tables tell equal bots apart, and what `best` is worth: `python -m benchmarks.separation [LEAGUES]`.

Leagues of bots of known strengths are simulated, and the places and probabilities that the league's own code gives are
compared with what is known. Each seat of a game performs by its bot's strength plus luck, so that two bots win from
each other as the Bradley-Terry model says; the luck of a seat is partly that of its cards, which it shares with the
other games of the board. It prints a line for each setting:

- *wrong*: the share of leagues with a place below another although no bot of that other place is stronger than its
  first bot. In fields of equal bots that is any second place.
- *seen*: of the pairs of bots that differ, the share at different places, in the order of their strengths.
- *favourite*: the probability of being the strongest that the favourite was given, and how often it was; of n bots that
  are equally strong each counts as the nth part. The other columns have the same of all bots, by that probability.
"""

import argparse
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from statistics import NormalDist, fmean
from typing import NamedTuple

from arena.league.boards import board_set
from arena.league.columns import Columns
from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from arena.league.ratings import ELO, Strengths
from arena.league.results import WIN, by_place, score_plan
from arena.league.separation import Separation
from arena.league.values import MatchOutcome, MatchPlan

BINS = (0.1, 0.3, 0.6)
_NORMAL = NormalDist()


class Format(NamedTuple):
    """A league: `shared` is the correlation of the luck of a seat in two games of a board, `forfeits` their share."""

    bots: int
    rounds: int
    boards: int
    seats: int = 2
    shared: float = 0.3
    forfeits: float = 0.0
    withdrawals: int = 0

    def __str__(self) -> str:
        text = f"{self.bots} bots, {self.rounds} x {self.boards}"
        if self.seats > 2:
            text += f", {self.seats} seats"
        if self.shared != self._field_defaults["shared"]:
            text += f", shared luck {self.shared:g}"
        if self.forfeits:
            text += f", {self.forfeits:.0%} forfeits"
        if self.withdrawals:
            text += f", {self.withdrawals} withdraw"
        return text


def _normal(elo: float) -> Callable[[int, random.Random], list[float]]:
    return lambda bots, rng: [rng.gauss(0, elo / ELO) for _ in range(bots)]


def _clusters(number: int, elo: float) -> Callable[[int, random.Random], list[float]]:
    return lambda bots, _: [elo / ELO * (bot * number // bots) for bot in range(bots)]


FIELDS: Mapping[str, Callable[[int, random.Random], list[float]]] = {
    "equal": _normal(0),
    "two clusters, 260 Elo": _clusters(2, 260),
    "three clusters, 170 Elo": _clusters(3, 170),
    "one bot 520 Elo above equal ones": lambda bots, _: [0.0] * (bots - 1) + [520 / ELO],
    "one bot 520 Elo below equal ones": lambda bots, _: [0.0] * (bots - 1) + [-520 / ELO],
    "normal, 17 Elo": _normal(17),
    "normal, 35 Elo": _normal(35),
    "normal, 87 Elo": _normal(87),
    "normal, 174 Elo": _normal(174),
}
EQUAL = (
    *(Format(bots, 3, 6) for bots in (3, 5, 8, 16, 32)),
    *(Format(bots, 5, 4) for bots in (3, 5, 8, 16, 32)),
    *(Format(bots, 7, 20) for bots in (2, 3, 5, 8, 16, 32)),
    Format(16, 7, 20, shared=-0.4),
    Format(16, 7, 20, shared=0.8),
    Format(16, 9, 50),
    Format(15, 5, 4, seats=3),
    Format(16, 7, 10, seats=4),
    Format(16, 7, 20, forfeits=0.05, withdrawals=4),
)
OTHERS = (Format(8, 5, 4), Format(16, 3, 6), Format(16, 5, 4), Format(16, 7, 20), Format(32, 7, 20))
SETTINGS = [("equal", format_) for format_ in EQUAL] + [
    (field, format_) for field in FIELDS if field != "equal" for format_ in OTHERS
]


class Said(NamedTuple):
    """What the table of a league said: see the head of this file."""

    wrong: bool
    seen: float | None
    best: list[tuple[float, float]]
    """For each bot its probability of being the strongest, and 1 if it was; of several each has its part of 1."""


def league(strengths: Sequence[float], format_: Format, rng: random.Random) -> tuple[list[MatchOutcome], list[str]]:
    """The matches of a league and the order of its table by match points, then by game points."""
    names = [f"bot-{number:02}" for number in range(len(strengths))]
    strength = dict(zip(names, strengths, strict=True))
    field = {name: Contender(name) for name in names}
    leaving = {name: rng.randint(1, format_.rounds) for name in rng.sample(names, format_.withdrawals)}
    points = dict.fromkeys(names, 0)
    outcomes: list[MatchOutcome] = []
    for number in range(1, format_.rounds + 1):
        playing = [bot for bot in field.values() if leaving.get(bot.name, number) >= number]
        tables, byes = _tables(playing, format_.seats, rng)
        for bye in byes:
            field[bye] = field[bye]._replace(score=field[bye].score + WIN, byes=field[bye].byes + 1)
        for table, bots in enumerate(tables, start=1):
            games = _table(number, table, bots, strength, format_, rng)
            outcomes += games
            own = [sum(game.half_points[game.seating.index(name)] for game in games) for name in bots]
            for name, half, won in zip(bots, own, by_place([(value,) for value in own]), strict=True):
                met = dict(field[name].met)
                for other in bots:
                    if other != name:
                        met[other] = met.get(other, 0) + 1
                field[name] = field[name]._replace(score=field[name].score + won, met=met)
                points[name] += half
    return outcomes, sorted(names, key=lambda name: (-field[name].score, -points[name]))


def _tables(
    playing: Sequence[Contender], seats: int, rng: random.Random
) -> tuple[Sequence[tuple[str, ...]], Sequence[str]]:
    """A Swiss pairing, and who has byes; of more than two seats, pods in the order of the scores."""
    if seats == 2:
        pairing = pair(playing, Lots(str(rng.random())))
        return pairing.tables, pairing.byes
    order = sorted(playing, key=lambda bot: (-bot.score, rng.random()))
    return [tuple(bot.name for bot in order[at : at + seats]) for at in range(0, len(order) - seats + 1, seats)], ()


def _table(
    number: int, table: int, bots: Sequence[str], strength: Mapping[str, float], format_: Format, rng: random.Random
) -> list[MatchOutcome]:
    outcomes = []
    own = math.sqrt(1 - abs(format_.shared))
    for board in range((table - 1) * format_.boards + 1, table * format_.boards + 1):
        cards = [rng.gauss(0, math.sqrt(abs(format_.shared))) for _ in bots]
        for game, seating in enumerate(board_set(tuple(bots))):
            sign = -1 if format_.shared < 0 and game % 2 else 1
            performances = [
                round(1_000 * (strength[name] + _gumbel(sign * luck + rng.gauss(0, own))))
                for name, luck in zip(seating, cards, strict=True)
            ]
            at_fault = rng.randrange(len(seating)) if rng.random() < format_.forfeits else None
            plan = MatchPlan(number, table, board, seating)
            outcomes.append(score_plan(plan, performances, "COMPLETED" if at_fault is None else "TIMEOUT", at_fault))
    return outcomes


def _gumbel(normal: float) -> float:
    """Luck of Gumbel's distribution, the difference of two of which is logistic, from that of the normal one."""
    return -math.log(-math.log(min(max(_NORMAL.cdf(normal), 1e-12), 1 - 1e-12)))


def said_of(field: str, format_: Format, rng: random.Random) -> Said:
    """What the table of one league of this field said."""
    strengths = FIELDS[field](format_.bots, rng)
    outcomes, order = league(strengths, format_, rng)
    strength = {f"bot-{number:02}": value for number, value in enumerate(strengths)}
    columns = Columns([outcomes])
    separation = Separation(columns, Strengths(columns).ratings(), str(rng.random()))
    best, places = separation.best(), separation.places(order)
    strongest = max(strengths)
    pairs = [places[one] < places[other] for one, other in permutations(places, 2) if strength[one] > strength[other]]
    return Said(
        _is_wrong(places, strength),
        fmean(pairs) if pairs else None,
        [(chance, (strength[name] == strongest) / strengths.count(strongest)) for name, chance in best.items()],
    )


def _is_wrong(places: Mapping[str, int], strength: Mapping[str, float]) -> bool:
    """Whether a place is below another of which no bot is stronger than its first bot."""
    at_place: dict[int, list[str]] = {}
    for name, place in places.items():
        at_place.setdefault(place, []).append(name)
    groups = [at_place[place] for place in sorted(at_place)]
    return any(max(strength[name] for name in above) <= strength[below[0]] for above, below in pairwise(groups))


def measured(field: str, format_: Format, leagues: int) -> list[Said]:
    """What the tables of so many leagues said."""
    return [said_of(field, format_, random.Random(f"{field}/{format_}/{number}")) for number in range(leagues)]


def line(field: str, format_: Format, said: Sequence[Said]) -> str:
    """A line of the table."""
    wrong = fmean(one.wrong for one in said)
    error = math.sqrt(wrong * (1 - wrong) / len(said))
    seen = [one.seen for one in said if one.seen is not None]
    cells = [f"{100 * wrong:.1f} ± {100 * error:.1f} %", f"{fmean(seen):.0%}" if seen else ""]
    favourites = [max(one.best) for one in said if one.best]
    chances = [chance for one in said for chance in one.best]
    cells.append(_reliability(favourites))
    for low, high in pairwise((0.0, *BINS, 1.01)):
        cells.append(_reliability([(chance, is_best) for chance, is_best in chances if low <= chance < high]))
    return f"| {field} | {format_} | {' | '.join(cells)} |"


def _reliability(chances: Sequence[tuple[float, float]]) -> str:
    if not chances:
        return ""
    return f"{fmean(chance for chance, _ in chances):.2f}, {fmean(is_best for _, is_best in chances):.2f}"


def lines(leagues: int, settings: Sequence[tuple[str, Format]]) -> Iterator[str]:
    """The table, a line at a time."""
    bins = " | ".join(f"{low:g} to {high:g}" for low, high in pairwise((0.0, *BINS, 1.0)))
    yield f"| field | league | wrong | seen | favourite | {bins} |"
    yield "| --- | --- | --- | --- | --- |" + " --- |" * (len(BINS) + 1)
    for field, format_ in settings:
        yield line(field, format_, measured(field, format_, leagues))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leagues", type=int, nargs="?", default=400, help="leagues of each setting (default 400)")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings whose line holds this")
    asked = parser.parse_args()
    chosen = [(field, format_) for field, format_ in SETTINGS if asked.only in f"{field}, {format_}"]
    for text in lines(asked.leagues, chosen):
        print(text, flush=True)


if __name__ == "__main__":
    main()
