"""How sure the numbers are: mean margins with bootstrap error bars, and what mirroring took out of luck.

The unit of chance is the board: the matches on it, of a mirrored set or at all the tables of a section, share their
cards, so they are never resampled apart.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from arena.league.errors import StatisticsError
from arena.league.values import MatchOutcome, PlayedRound

RESAMPLES = 2_000
LEVEL = 0.95
_AT_ONCE = 500  # bots whose resamples are kept together: what bounds the memory
_NEIGHBOURS = 4  # tables of a section that each is compared with, for what a game has of its own


class Estimate(msgspec.Struct, frozen=True):
    """A mean margin in the variant's points a match, with its interval; one board set alone gives no interval."""

    mean: float
    low: float | None
    high: float | None
    board_sets: int


class Mirroring(msgspec.Struct, frozen=True):
    """What it gave to play a board more than once.

    `correlation` is that of two games of a board, of the margins that one seat had in them: the share of a game's
    variance that is the luck of cards and seats common to both. `factor` is how many games on boards of their own one
    such game is worth, for mirrored games 1 / (1 - correlation); None when nothing but luck was seen. `board_sets` is
    how many boards this was seen on.
    """

    correlation: float
    factor: float | None
    board_sets: int


def board_set_margins(outcomes: Iterable[MatchOutcome]) -> dict[str, list[float]]:
    """For each bot the mean margin a match of each of its board sets, in order of round, table and board."""
    margins: dict[tuple[int, int, int], dict[str, list[float]]] = defaultdict(dict)
    for outcome in outcomes:
        unit = outcome.parts
        board_set = margins[outcome.round, outcome.table, outcome.board]
        for name, margin in zip(outcome.seating, outcome.margins, strict=True):
            if name in board_set:
                board_set[name].append(margin / unit)
            else:
                board_set[name] = [margin / unit]
    means: dict[str, list[float]] = defaultdict(list)
    for key in sorted(margins):
        for name, values in margins[key].items():
            means[name].append(sum(values) / len(values))
    return dict(means)


def mean_margins(outcomes: Iterable[MatchOutcome], seed: str) -> dict[str, Estimate]:
    """Each bot's mean margin with 95 % error bars; the same outcomes and seed give the same bars in any order."""
    margins = board_set_margins(outcomes)
    names = list(margins)
    found: dict[str, Estimate] = {}
    for start in range(0, len(names), _AT_ONCE):
        part = names[start : start + _AT_ONCE]
        estimates = _bootstraps([margins[name] for name in part], [f"{seed}\n{name}" for name in part])
        found.update(zip(part, estimates, strict=True))
    return found


def bootstrap(sample: Sequence[float], seed: str, resamples: int = RESAMPLES, level: float = LEVEL) -> Estimate:
    """The mean of a sample and its percentile bootstrap interval.

    The sample is drawn anew `resamples` times with replacement; the interval holds the middle `level` of the means.
    """
    if not sample or resamples < 1 or not 0 < level < 1:
        raise StatisticsError("an estimate needs a sample, at least one resample and a level between 0 and 1")
    return _bootstraps([sample], [seed], resamples, level)[0]


def _bootstraps(
    samples: Sequence[Sequence[float]], seeds: Sequence[str], resamples: int = RESAMPLES, level: float = LEVEL
) -> list[Estimate]:
    """The estimate of each sample, drawn anew by its own seed."""
    means = np.empty((len(samples), resamples))
    for row, (sample, seed) in enumerate(zip(samples, seeds, strict=True)):
        means[row] = _resampled_means(np.asarray(sample, dtype=np.float64), seed, resamples)
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=1).tolist()
    return [
        Estimate(
            mean=float(np.mean(sample)),
            low=low[row] if len(sample) > 1 else None,
            high=high[row] if len(sample) > 1 else None,
            board_sets=len(sample),
        )
        for row, sample in enumerate(samples)
    ]


def _resampled_means(values: npt.NDArray[np.float64], seed: str, resamples: int) -> npt.NDArray[np.float64]:
    generator = np.random.Generator(np.random.PCG64(int.from_bytes(hashlib.sha256(seed.encode()).digest())))
    drawn = generator.integers(len(values), size=(resamples, len(values)))
    means: npt.NDArray[np.float64] = values.take(drawn).mean(axis=1)
    return means


def mirroring(outcomes: Iterable[MatchOutcome]) -> Mirroring | None:
    """What mirrored board sets took out, pooled over tables with at least two whole ones; None without any chance.

    Of a board set of n games take the mean margin of each seat, and that of each bot. With L and S the variances of the
    two over the board sets of a table, so that no bot's strength counts as chance, a game's own chance has the variance
    n S, and what the games share, which favours the seat, L - S. The correlation is the share of the latter. For two
    seats that is (L - S) / (L + S), with L of half the sum and S of half the difference of seat 0's margins.
    """
    games: dict[tuple[int, int], dict[int, list[MatchOutcome]]] = defaultdict(lambda: defaultdict(list))
    for outcome in outcomes:
        games[outcome.round, outcome.table][outcome.board].append(outcome)
    shared = own = 0.0
    count = 0
    for boards in games.values():
        sets = [board_set for _, board_set in sorted(boards.items()) if len(board_set) == len(board_set[0].seating)]
        if len(sets) > 1:
            seats = len(sets[0])
            by_seat, by_bot = (_squares(means) for means in zip(*map(_mean_margins, sets), strict=True))
            shared += by_seat - by_bot
            own += seats * by_bot
            count += len(sets)
    if shared + own == 0:
        return None
    return Mirroring(shared / (shared + own), (shared + own) / own if own else None, count)


def field_luck(rounds: Iterable[PlayedRound]) -> Mirroring | None:
    """What field board sets took out: how the margins of one seat of a board go together at different tables.

    V is the variance of a bot's margins over its boards at a table, so that its strength does not count as chance. Two
    bots of different tables that sat in the same seat on several boards differ there by their strength, which is always
    the same, and by twice what a game has of its own, S. So the correlation is 1 - S / V; against the mean of k other
    tables a margin has S + S / k, so the factor is V over that.

    Forfeited matches are left out, and so are rounds without two tables on a board; None without any chance.
    """
    margins: dict[tuple[int, int, str], list[float]] = defaultdict(list)
    differences: dict[tuple[int, str, str], list[float]] = defaultdict(list)
    boards = matches = 0
    means = 0.0
    for played in rounds:
        on_board: dict[int, list[MatchOutcome]] = defaultdict(list)
        for outcome in played.outcomes:
            if outcome.forfeiter is None:
                on_board[outcome.board].append(outcome)
        for outcomes in on_board.values():
            outcomes.sort(key=lambda outcome: outcome.table)
            others = len(outcomes) - 1
            if not others:
                continue
            boards += 1
            matches += len(outcomes)
            means += len(outcomes) / others
            for place, one in enumerate(outcomes):
                for name, margin in zip(one.seating, one.margins, strict=True):
                    margins[played.number, one.table, name].append(margin / one.parts)
                for other in outcomes[place + 1 : place + 1 + _NEIGHBOURS]:
                    for seat, pair in enumerate(zip(one.seating, other.seating, strict=True)):
                        difference = (one.margins[seat] - other.margins[seat]) / one.parts
                        differences[played.number, *pair].append(difference)
    total, own = _variance_within(margins.values()), _variance_within(differences.values()) / 2
    if not total or math.isnan(own):
        return None
    return Mirroring(1 - own / total, total / (own * (1 + means / matches)) if own else None, boards)


def _variance_within(samples: Iterable[Sequence[float]]) -> float:
    """The variance inside the samples, pooled; not a number, where none has two values."""
    several = [sample for sample in samples if len(sample) > 1]
    squares = sum(_squares([[value] for value in sample]) for sample in several)
    return squares / sum(len(sample) - 1 for sample in several) if several else math.nan


def _mean_margins(board_set: Sequence[MatchOutcome]) -> tuple[list[float], list[float]]:
    """The mean margins of a board set by seat, and by bot in the order of their names."""
    unit = len(board_set) * board_set[0].parts
    by_bot: dict[str, int] = defaultdict(int)
    for outcome in board_set:
        for name, margin in zip(outcome.seating, outcome.margins, strict=True):
            by_bot[name] += margin
    by_seat = [sum(margins) / unit for margins in zip(*(outcome.margins for outcome in board_set), strict=True)]
    return by_seat, [by_bot[name] / unit for name in sorted(by_bot)]


def _squares(rows: Sequence[Sequence[float]]) -> float:
    """The squared deviations from the mean row; each table gives as many degrees of freedom to both its variances."""
    total = 0.0
    for column in zip(*rows, strict=True):
        mean = sum(column) / len(column)
        total += sum((value - mean) ** 2 for value in column)
    return total
