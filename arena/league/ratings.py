"""Ratings by the Bradley-Terry model of Weng and Lin with full pairing (openskill), and how far they may be off.

A bot's version is frozen, so its strength does not drift: nothing is added to its deviation between matches (`tau` is
0), and a rating is an estimate of one number from all matches so far. The model knows nothing of cards that matches
share, so its own deviation is too sure; what is shown are error bars from a bootstrap over board sets.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, groupby
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
_AT_ONCE = 20_000
"""How many matches of all leagues are rated together: few enough to stay in the processor's cache."""


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
    ordered = sorted(outcomes, key=lambda one: (one.round, one.board, one.table, one.seating))
    return tuple([tuple(board_set) for _, board_set in groupby(ordered, key=lambda one: (one.round, one.board))])


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
    if not sets:
        return {}
    seatings = [[outcome.seating for outcome in board_set] for board_set in sets]
    matches = Counter(chain.from_iterable(chain.from_iterable(seatings)))
    leagues = _Leagues(sorted(matches), resamples + 1)
    drawn = _drawn(len(sets), resamples, seed)
    for layer in _layers([set(chain.from_iterable(of_set)) for of_set in seatings]):
        for start in range(0, len(layer), leagues.at_once):
            part = layer[start : start + leagues.at_once]
            leagues.rate_sets([sets[place] for place in part], drawn[part])
    edges = np.quantile(leagues.mu[:, 1:], [(1 - level) / 2, (1 + level) / 2], axis=1)
    columns = (leagues.mu[:, 0], leagues.sigma[:, 0], *edges)
    mu, sigma, low, high = (column.round(_DECIMALS).tolist() for column in columns)
    if len(sets) == 1:
        low = high = [None] * len(mu)
    return {name: Rating(mu[row], sigma[row], low[row], high[row], matches[name]) for name, row in leagues.row.items()}


def _drawn(sets: int, resamples: int, seed: str) -> npt.NDArray[np.uint8]:
    """How often each board set is in each league: once in the first, which is the one that was played.

    In each of the others these are the counts of drawing as many board sets as there are, each alike.
    """
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest())))
    drawn = np.ones((sets, resamples + 1), dtype=np.uint8)
    for league in range(1, resamples + 1):
        drawn[:, league] = np.bincount(generator.integers(sets, size=sets), minlength=sets)
    return drawn


def _layers(bots: Sequence[Collection[str]]) -> list[list[int]]:
    """The places of what may be rated together: no two have a bot in common, and each bot's own keep their order."""
    depth: dict[str, int] = defaultdict(int)
    layers: list[list[int]] = []
    for place, names in enumerate(bots):
        at = max([depth[name] for name in names])
        for name in names:
            depth[name] = at + 1
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
                drawn[[place for place, _ in matches]],
                np.array([[self.row[name] for name in outcome.seating] for _, outcome in matches]).T,
                _won(np.array([outcome.half_points for _, outcome in matches]).T),
            )
            for _, matches in sorted(layers.items(), key=lambda item: item[0])
        ]
        leagues = self.mu.shape[1]
        for times in range(int(drawn.max())):
            for often, rows, won in steps:
                again = often > times
                counts = np.count_nonzero(again, axis=1)
                # A match and league that is rated again, as an index: that of the match gives way to that of each bot.
                shift = (rows - np.arange(len(often))) * leagues
                self._rate(np.flatnonzero(again) + np.repeat(shift, counts, axis=1), np.repeat(won, counts, axis=1))

    def _rate(self, at: _Ints, won: _Floats) -> None:
        """Rate one match a column, with its bots `at` these numbers, and for each two of them what the first won."""
        model = _model()
        mu, sigma = self.mu.take(at), self.sigma.take(at)
        square = sigma**2
        step, shrink = np.zeros_like(mu), np.zeros_like(mu)
        for (one, other), points in zip(combinations(range(len(at)), 2), won, strict=True):
            spread: _Floats = square[one] + square[other] + 2 * model.beta**2
            root = np.sqrt(spread)
            expected = 1 / (1 + np.exp((mu[other] - mu[one]) / root))
            excess = points - expected
            step[one] += square[one] / root * excess
            step[other] -= square[other] / root * excess
            information = expected * (1 - expected) / (spread * root)
            shrink[one] += sigma[one] * square[one] * information
            shrink[other] += sigma[other] * square[other] * information
        self.mu.put(at, mu + step)
        self.sigma.put(at, sigma * np.sqrt(np.maximum(1 - shrink, model.kappa)))


def _won(half_points: _Ints) -> _Floats:
    """For each two of the bots (rows) in each match (column): 1, a half or 0, as the first came before the second."""
    return np.array([(1 + np.sign(one - other)) / 2 for one, other in combinations(half_points, 2)])
