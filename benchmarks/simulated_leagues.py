"""Leagues of bots of known strengths, for the programs that measure what tables are worth.

Each seat of a game performs by its bot's strength plus luck, so that two bots win from each other as the Bradley-Terry
model says. The luck of a seat is partly that of its cards, which it shares with the other games of the board. Margins
are differences of performances, of `UNIT` points to one unit of log odds.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from arena.league.boards import board_set
from arena.league.columns import Floats
from arena.league.lots import Lots
from arena.league.pairing import Contender, pair
from arena.league.ratings import ELO
from arena.league.results import WIN, by_place, score_plan
from arena.league.values import MatchOutcome, MatchPlan

UNIT = 1_000

_NORMAL: Floats = np.linspace(-6, 6, 12_001)
_GUMBEL: Floats = np.array([-math.log(-math.log(NormalDist().cdf(value))) for value in _NORMAL.tolist()])
"""Luck of Gumbel's distribution, the difference of two of which is logistic, at the same quantiles as `_NORMAL`."""

Field = Callable[[int, random.Random], list[float]]
"""The strengths of so many bots, in log odds."""


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


def normal(elo: float) -> Field:
    """Return a field whose strengths are normally distributed, with this standard deviation."""
    return lambda bots, rng: [rng.gauss(0, elo / ELO) for _ in range(bots)]


def clusters(number: int, elo: float) -> Field:
    """Return a field of so many groups of equal bots, each so much stronger than the one before."""
    return lambda bots, _: [elo / ELO * (bot * number // bots) for bot in range(bots)]


def ladder(elo: float) -> Field:
    """Return a field in which each bot is so much stronger than the one before."""
    return lambda bots, _: [elo / ELO * bot for bot in range(bots)]


def leaders(number: int, elo: float) -> Field:
    """Return a field in which so many equal bots lead others, equal too, by so much."""
    return lambda bots, _: [0.0] * (bots - number) + [elo / ELO] * number


def outlier(elo: float) -> Field:
    """Return a field of equal bots but for the last one, which is so much stronger, or weaker."""
    return lambda bots, _: [0.0] * (bots - 1) + [elo / ELO]


def names_of(bots: int) -> list[str]:
    """Return the names of so many bots, in the order of their strengths in a field."""
    return [f"bot-{number:0{len(str(bots))}}" for number in range(bots)]


def league(strengths: Sequence[float], format_: Format, rng: random.Random) -> tuple[list[MatchOutcome], list[str]]:
    """Return the matches of a league and the order of its table by match points, then by game points."""
    names = names_of(len(strengths))
    strength = dict(zip(names, strengths, strict=True))
    field = {name: Contender(name) for name in names}
    leaving = {name: rng.randint(1, format_.rounds) for name in rng.sample(names, format_.withdrawals)}
    points = dict.fromkeys(names, 0)
    generator = np.random.default_rng(rng.getrandbits(64))
    outcomes: list[MatchOutcome] = []
    for number in range(1, format_.rounds + 1):
        playing = [bot for bot in field.values() if leaving.get(bot.name, number) >= number]
        tables, byes = _tables(playing, format_.seats, rng)
        for bye in byes:
            field[bye] = field[bye]._replace(score=field[bye].score + WIN, byes=field[bye].byes + 1)
        for table, bots in enumerate(tables, start=1):
            games = play_table(number, table, bots, strength, format_, generator)
            outcomes += games
            half_points = [sum(game.half_points[game.seating.index(name)] for game in games) for name in bots]
            for name, half, won in zip(bots, half_points, by_place([(value,) for value in half_points]), strict=True):
                met = dict(field[name].met)
                for opponent in bots:
                    if opponent != name:
                        met[opponent] = met.get(opponent, 0) + 1
                field[name] = field[name]._replace(score=field[name].score + won, met=met)
                points[name] += half
    return outcomes, sorted(names, key=lambda name: (-field[name].score, -points[name]))


def _tables(
    playing: Sequence[Contender], seats: int, rng: random.Random
) -> tuple[Sequence[tuple[str, ...]], Sequence[str]]:
    """Return a Swiss pairing, and who has byes; of more than two seats, pods in the order of the scores."""
    if seats == 2:
        pairing = pair(playing, Lots(str(rng.random())))
        return pairing.tables, pairing.byes
    order = sorted(playing, key=lambda bot: (-bot.score, rng.random()))
    return [
        tuple(bot.name for bot in order[start : start + seats]) for start in range(0, len(order) - seats + 1, seats)
    ], ()


def play_table(
    number: int,
    table: int,
    bots: Sequence[str],
    strength: Mapping[str, float],
    format_: Format,
    generator: np.random.Generator,
) -> list[MatchOutcome]:
    """Return the matches of a table with mirrored boards."""
    seatings = board_set(tuple(bots))
    shape = (format_.boards, len(seatings), len(bots))
    cards = generator.standard_normal((shape[0], 1, shape[2])) * math.sqrt(abs(format_.shared))
    if format_.shared < 0:
        cards = cards * np.where(np.arange(shape[1]) % 2, -1, 1)[:, None]
    luck = generator.standard_normal(shape) * math.sqrt(1 - abs(format_.shared))
    by_seat = np.array([[strength[name] for name in seating] for seating in seatings])
    performances = np.rint(UNIT * (by_seat + np.interp(cards + luck, _NORMAL, _GUMBEL))).astype(np.int64)
    fails = generator.random(shape[:2]) < format_.forfeits
    first = (table - 1) * format_.boards + 1
    outcomes = []
    for board, games in enumerate(performances.tolist()):
        for game, (seating, balances) in enumerate(zip(seatings, games, strict=True)):
            at_fault = int(generator.integers(len(bots))) if fails[board, game] else None
            plan = MatchPlan(number, table, first + board, seating)
            outcomes.append(score_plan(plan, balances, "COMPLETED" if at_fault is None else "TIMEOUT", at_fault))
    return outcomes
