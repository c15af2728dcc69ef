"""Ratings by the Bradley-Terry model of Weng and Lin with full pairing (openskill), and how far they may be off.

A bot's version is frozen, so its strength does not drift: nothing is added to its deviation between matches (`tau` is
0), and a rating is an estimate of one number from all matches so far. The model knows nothing of cards that matches
share, so its own deviation is too sure; what is shown are error bars from a bootstrap over board sets.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from openskill.models import BradleyTerryFull

from arena.league.errors import StatisticsError
from arena.league.statistics import LEVEL, RESAMPLES
from arena.league.values import MatchOutcome

BoardSet = tuple[MatchOutcome, ...]
_Floats = npt.NDArray[np.float64]
_Ints = npt.NDArray[np.signedinteger[Any]]

_DECIMALS = 6
_AT_ONCE = 200_000
"""How many matches of all leagues are rated together: what bounds the memory."""


class Rating(msgspec.Struct, frozen=True):
    """A bot's rating on openskill's scale, where a bot that never played has 25 with a deviation of 25 / 3.

    `low` and `high` are the ends of the error bars of `mu`; a single board set in all gives none.
    """

    mu: float
    sigma: float
    low: float | None
    high: float | None
    matches: int


@cache
def _model() -> BradleyTerryFull:
    return BradleyTerryFull(tau=0.0)


def board_sets(outcomes: Iterable[MatchOutcome]) -> tuple[BoardSet, ...]:
    """The matches of one division by the board they were played on, in order of round and board.

    The matches of a field board set are those of all tables that have the board.
    """
    found: dict[tuple[int, int], list[MatchOutcome]] = defaultdict(list)
    for outcome in outcomes:
        found[outcome.round, outcome.board].append(outcome)
    return tuple(
        tuple(sorted(found[key], key=lambda outcome: (outcome.table, outcome.seating))) for key in sorted(found)
    )


def over_all(divisions: Mapping[str, Iterable[MatchOutcome]]) -> tuple[BoardSet, ...]:
    """The board sets of a league's divisions, by variant, in one order: by round, then variant and board."""
    tagged = [
        (board_set[0].round, variant, place, board_set)
        for variant, outcomes in divisions.items()
        for place, board_set in enumerate(board_sets(outcomes))
    ]
    return tuple(board_set for _, _, _, board_set in sorted(tagged, key=lambda row: row[:3]))


def ratings(sets: Sequence[BoardSet], seed: str, resamples: int = RESAMPLES, level: float = LEVEL) -> dict[str, Rating]:
    """Each bot's rating after these board sets in this order, with error bars; the seed decides the bars alone.

    Every match is rated by the places of its bots, equal half points being a draw. For the bars the board sets are
    drawn anew with replacement `resamples` times, kept in order, and rated from the start; the bars hold the middle
    `level` of a bot's ratings. Numbers are rounded to the sixth decimal, since machines differ in the last digits.
    """
    if resamples < 1 or not 0 < level < 1:
        raise StatisticsError("error bars need at least one resample and a level between 0 and 1")
    matches = Counter(name for board_set in sets for outcome in board_set for name in outcome.seating)
    leagues = _Leagues(sorted(matches), resamples + 1)
    drawn = _drawn(len(sets), resamples, seed)
    for layer in _layers([{name for outcome in one for name in outcome.seating} for one in sets]):
        for start in range(0, len(layer), leagues.at_once):
            part = layer[start : start + leagues.at_once]
            leagues.rate_sets([sets[place] for place in part], drawn[part])
    edges = np.quantile(leagues.mu[:, 1:], [(1 - level) / 2, (1 + level) / 2], axis=1).round(_DECIMALS)
    found = {}
    for name, row in leagues.row.items():
        mu, sigma = leagues.mu[row, 0].round(_DECIMALS), leagues.sigma[row, 0].round(_DECIMALS)
        low, high = (float(edge) for edge in edges[:, row]) if len(sets) > 1 else (None, None)
        found[name] = Rating(float(mu), float(sigma), low, high, matches[name])
    return found


def _drawn(sets: int, resamples: int, seed: str) -> npt.NDArray[np.uint8]:
    """How often each board set is in each league: once in the first, which is the one that was played.

    In each of the others these are the counts of drawing as many board sets as there are, each alike.
    """
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest())))
    drawn = np.ones((sets, resamples + 1), dtype=np.uint8)
    left = np.full(resamples, sets)
    for place in range(sets):
        drawn[place, 1:] = times = generator.binomial(left, 1 / (sets - place))
        left -= times
    return drawn


def _layers(bots: Sequence[Collection[str]]) -> list[list[int]]:
    """The places of what may be rated together: no two have a bot in common, and each bot's own keep their order."""
    depth: dict[str, int] = defaultdict(int)
    layers: list[list[int]] = []
    for place, names in enumerate(bots):
        at = max(depth[name] for name in names)
        depth.update(dict.fromkeys(names, at + 1))
        if at == len(layers):
            layers.append([])
        layers[at].append(place)
    return layers


class _Leagues:
    """The model's update of many leagues at once: `mu` and `sigma` are by bot, then by league.

    One match at a time openskill takes 25 microseconds, which hundreds of resamples make minutes. The tests hold this
    update equal to openskill's.
    """

    def __init__(self, names: Sequence[str], leagues: int) -> None:
        model = _model()
        self.row = {name: row for row, name in enumerate(names)}
        self.mu = np.full((len(names), leagues), model.mu)
        self.sigma = np.full((len(names), leagues), model.sigma)
        self.at_once = max(1, _AT_ONCE // leagues)

    def rate_sets(self, sets: Sequence[BoardSet], drawn: npt.NDArray[np.uint8]) -> None:
        """Rate board sets without a common bot, each as often as it is `drawn` in each league."""
        layers: dict[tuple[int, int], list[tuple[int, MatchOutcome]]] = defaultdict(list)
        for place, board_set in enumerate(sets):
            for depth, layer in enumerate(_layers([outcome.seating for outcome in board_set])):
                for at in layer:
                    layers[depth, len(board_set[at].seating)].append((place, board_set[at]))
        steps = [
            (
                np.array([place for place, _ in matches]),
                np.array([[self.row[name] for name in outcome.seating] for _, outcome in matches]).T,
                np.array([outcome.half_points for _, outcome in matches]).T,
            )
            for _, matches in sorted(layers.items(), key=lambda item: item[0])
        ]
        for times in range(int(drawn.max())):
            for places, rows, half_points in steps:
                match, league = np.nonzero(drawn[places] > times)
                self._rate(rows[:, match], half_points[:, match], league)

    def _rate(self, rows: _Ints, half_points: _Ints, league: _Ints) -> None:
        """Rate one match a column, each of the bots in its `rows` in its own league."""
        model = _model()
        mu, sigma = self.mu[rows, league], self.sigma[rows, league]
        square = sigma**2
        step, shrink = np.zeros_like(mu), np.zeros_like(mu)
        for one, other in combinations(range(len(rows)), 2):
            spread: _Floats = square[one] + square[other] + 2 * model.beta**2
            root = np.sqrt(spread)
            expected = 1 / (1 + np.exp((mu[other] - mu[one]) / root))
            won = (1 + np.sign(half_points[one] - half_points[other])) / 2
            step[one] += square[one] / root * (won - expected)
            step[other] -= square[other] / root * (won - expected)
            information = expected * (1 - expected) / (spread * root)
            shrink[one] += sigma[one] * square[one] * information
            shrink[other] += sigma[other] * square[other] * information
        self.mu[rows, league] = mu + step
        self.sigma[rows, league] = sigma * np.sqrt(np.maximum(1 - shrink, model.kappa))
