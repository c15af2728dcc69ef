"""How sure the numbers are: mean margins with bootstrap error bars, and what mirroring took out of luck.

The unit of chance is the board set, one board played in every order of the seats: its matches share their cards, so
they are never resampled apart.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from arena.league.errors import StatisticsError
from arena.league.values import MatchOutcome

RESAMPLES = 2_000
LEVEL = 0.95


class Estimate(msgspec.Struct, frozen=True):
    """A mean margin in the variant's points a match, with its interval; one board set alone gives no interval."""

    mean: float
    low: float | None
    high: float | None
    board_sets: int


class Mirroring(msgspec.Struct, frozen=True):
    """What mirroring gave.

    `correlation` is that of the two games of a board set, each seen from seat 0: the share of a game's variance that
    is the luck of cards and seats common to both. `factor` is how many unmirrored games one mirrored game is worth,
    1 / (1 - correlation); None when nothing but luck was seen.
    """

    correlation: float
    factor: float | None
    board_sets: int


def board_set_margins(outcomes: Iterable[MatchOutcome]) -> dict[str, list[float]]:
    """For each bot the mean margin a match of each of its board sets, in order of round, table and board."""
    margins: dict[tuple[int, int, int], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        board_set = margins[outcome.round, outcome.table, outcome.board]
        for name, margin in zip(outcome.seating, outcome.margins, strict=True):
            board_set[name].append(margin / outcome.parts)
    means: dict[str, list[float]] = defaultdict(list)
    for key in sorted(margins):
        for name, values in margins[key].items():
            means[name].append(sum(values) / len(values))
    return dict(means)


def mean_margins(outcomes: Iterable[MatchOutcome], seed: str) -> dict[str, Estimate]:
    """Each bot's mean margin with 95 % error bars; the same outcomes and seed give the same bars in any order."""
    return {name: bootstrap(margins, f"{seed}\n{name}") for name, margins in board_set_margins(outcomes).items()}


def bootstrap(sample: Sequence[float], seed: str, resamples: int = RESAMPLES, level: float = LEVEL) -> Estimate:
    """The mean of a sample and its percentile bootstrap interval.

    The sample is drawn anew `resamples` times with replacement; the interval holds the middle `level` of the means.
    """
    if not sample or resamples < 1 or not 0 < level < 1:
        raise StatisticsError("an estimate needs a sample, at least one resample and a level between 0 and 1")
    values = np.asarray(sample, dtype=np.float64)
    mean = float(values.mean())
    if len(values) < 2:
        return Estimate(mean, None, None, len(values))
    means = _resampled_means(values, seed, resamples)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return Estimate(mean, float(low), float(high), len(values))


def _resampled_means(values: npt.NDArray[np.float64], seed: str, resamples: int) -> npt.NDArray[np.float64]:
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest())))
    drawn = generator.integers(len(values), size=(resamples, len(values)))
    means: npt.NDArray[np.float64] = values[drawn].mean(axis=1)
    return means


def mirroring(outcomes: Iterable[MatchOutcome]) -> Mirroring | None:
    """The correlation of mirrored games of two seats, pooled over tables with at least two board sets.

    For a board set with seat 0's margins x and y, (x + y) / 2 is what favoured the seat and (x - y) / 2 what favoured a
    bot. With L and S the variances of the two inside the tables, so that no bot's strength counts as chance, the
    correlation is (L - S) / (L + S). None when no table has two board sets, or no margin ever varied.
    """
    games: dict[tuple[int, int], dict[int, list[MatchOutcome]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        games[outcome.round, outcome.table][outcome.board].append(outcome)
    luck = skill = 0.0
    count = 0
    for boards in games.values():
        sets = [_seat_margins(pair) for _, pair in sorted(boards.items()) if len(pair) == 2]
        if len(sets) > 1:
            luck += _squares([(x + y) / 2 for x, y in sets])
            skill += _squares([(x - y) / 2 for x, y in sets])
            count += len(sets)
    if luck + skill == 0:
        return None
    return Mirroring((luck - skill) / (luck + skill), (luck + skill) / (2 * skill) if skill else None, count)


def _seat_margins(pair: Sequence[MatchOutcome]) -> tuple[int, int]:
    """Seat 0's margins, the game of the bot first in the alphabet first."""
    first, second = sorted(pair, key=lambda outcome: outcome.seating)
    return first.margins[0], second.margins[0]


def _squares(values: Sequence[float]) -> float:
    """The sum of squared deviations from the mean; each table gives as many degrees of freedom to both variances."""
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values)
