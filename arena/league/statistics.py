"""How sure the numbers are: mean margins with error bars, and what mirroring took out of luck.

The unit of chance is the board: the matches on it, of a mirrored set or at all the tables of a section, share their
cards, so they are never counted apart.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from statistics import NormalDist, variance

import msgspec
import numpy as np

from arena.league.columns import Columns, Floats, Ints, sums
from arena.league.values import MatchOutcome, PlayedRound

LEVEL = 0.95
MIN_FREEDOM = 3
"""Degrees of freedom below which no spread is stated."""
MIN_BOARD_SETS = 16
"""Of a division or a trial: with fewer, chance moves what they took out of luck by more than it is, and it is not
stated."""
_PRIOR_FREEDOM = 4
_NEIGHBOURS = 4  # tables of a section that each is compared with, for what a game has of its own


class Estimate(msgspec.Struct, frozen=True):
    """A mean margin in the variant's points a match, with its interval; fewer than four board sets give no interval."""

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


@cache
def t_quantile(share: float, freedom: float) -> float:
    """Student's t below which a share of the distribution lies; from 3 degrees of freedom within 0.1 % at 97.5 %.

    Abramowitz and Stegun, "Handbook of Mathematical Functions", 26.7.5.
    """
    x = NormalDist().inv_cdf(share)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + sum(term / freedom**power for power, term in enumerate(terms, start=1))


def estimate(mean: float, error: float, freedom: float, board_sets: int) -> Estimate:
    """Return a mean with the interval of its standard error, none below `MIN_FREEDOM` degrees of freedom."""
    if freedom < MIN_FREEDOM:
        return Estimate(mean, None, None, board_sets)
    reach = error * t_quantile((1 + LEVEL) / 2, freedom)
    return Estimate(mean, mean - reach, mean + reach, board_sets)


def mean_margins(columns: Columns) -> dict[str, Estimate]:
    """Return each bot's mean margin with 95 % error bars: Student's t from the spread of its board sets.

    The spread is that of the boards of one table, so that a stronger opponent at the next does not count as chance;
    where tables have too few boards for that, of all the bot's boards. It is drawn towards that of the division's other
    bots, as by a prior of `_PRIOR_FREEDOM` degrees of freedom, or as many as these have; Smyth, "Linear models and
    empirical Bayes methods for assessing differential expression in microarray experiments" (2004).
    """
    bots = len(columns.names)
    bot, table, margin = board_set_margins(columns)
    sets = np.bincount(bot, minlength=bots)
    mean = np.bincount(bot, weights=margin, minlength=bots) / sets
    tables, of_table = np.unique(table * bots + bot, return_inverse=True)
    within = margin - (np.bincount(of_table, weights=margin) / np.bincount(of_table))[of_table]
    freedom = sets - np.bincount(tables % bots, minlength=bots)
    pooled = freedom < MIN_FREEDOM
    freedom = np.where(pooled, sets - 1, freedom)
    deviation = np.where(pooled[bot], margin - mean[bot], within)
    squares = np.bincount(bot, weights=deviation**2, minlength=bots)
    enough = freedom >= MIN_FREEDOM
    # The bots of a table share its chance, so together they have one table's degrees of freedom.
    seats = sums(columns.bot, columns.seats[columns.match].astype(np.float64), bots) / np.bincount(columns.bot)
    whole = float(squares[enough].sum()) / max(int(freedom[enough].sum()), 1)
    others = np.maximum(float((freedom / seats)[enough].sum()) - freedom, 0)
    prior = np.minimum(others, _PRIOR_FREEDOM)
    variance_of_set = (squares + prior * whole) / np.maximum(freedom + prior, 1)
    error = np.sqrt(variance_of_set / sets)
    freedom = freedom + prior
    rows = zip(*(column.tolist() for column in (mean, error, freedom, enough, sets)), strict=True)
    return {
        name: estimate(value, off, degrees if is_enough else 0.0, count)
        for name, (value, off, degrees, is_enough, count) in zip(columns.names, rows, strict=True)
    }


def board_set_margins(columns: Columns) -> tuple[Ints, Ints, Floats]:
    """For each bot of each board set: the bot, the table and the mean margin a match, in order of table and board."""
    bots = len(columns.names)
    _, first, of_set = np.unique(columns.board_set * bots + columns.bot, return_index=True, return_inverse=True)
    margin: Floats = np.bincount(of_set, weights=columns.margin) / np.bincount(of_set)
    return columns.bot[first], columns.table[first], margin


def mirroring(columns: Columns) -> Mirroring | None:
    """Return what mirrored board sets took out, pooled over tables with at least two whole ones; None if unknown.

    Of a board set of n games take the mean margin of each seat, and that of each bot. With L and S the variances of the
    two over the board sets of a table, so that no bot's strength counts as chance, a game's own chance has the variance
    n S, and what the games share, which favours the seat, L - S. The correlation is the share of the latter. For two
    seats that is (L - S) / (L + S), with L of half the sum and S of half the difference of seat 0's margins.
    """
    if not columns.names:
        return None
    seats = columns.seats[columns.match]
    whole = np.bincount(columns.board_set)[columns.board_set] == seats**2
    board_sets = np.unique(columns.board_set[whole])
    table_of = np.zeros(int(columns.board_set.max()) + 1, dtype=np.int64)
    table_of[columns.board_set] = columns.table
    several = np.bincount(table_of[board_sets], minlength=int(columns.table.max()) + 1) > 1
    rows = np.flatnonzero(whole & several[columns.table])
    count = int(np.count_nonzero(several[table_of[board_sets]]))
    by_seat = _squares_in_tables(columns, rows, columns.seat)
    by_bot = _squares_in_tables(columns, rows, columns.bot)
    own_variance = float((seats[rows] * by_bot).sum())
    shared = float((by_seat - by_bot).sum())
    return _correlation(shared, own_variance, count)


def _squares_in_tables(columns: Columns, rows: Ints, part: Ints) -> Floats:
    """For each of the rows its share of the squared deviations, of a part's means on a board, from those at the table.

    A part is a seat or a bot; its mean on a board of n games stands in n rows.
    """
    parts = int(part.max()) + 1
    on_board = np.unique(columns.board_set[rows] * parts + part[rows], return_inverse=True)[1]
    at_table = np.unique(columns.table[rows] * parts + part[rows], return_inverse=True)[1]
    games = np.bincount(on_board)[on_board]
    of_board = np.bincount(on_board, weights=columns.margin[rows])[on_board] / games
    of_table = (np.bincount(at_table, weights=columns.margin[rows]) / np.bincount(at_table))[at_table]
    squares: Floats = (of_board - of_table) ** 2 / games
    return squares


def _correlation(shared: float, own_variance: float, board_sets: int) -> Mirroring | None:
    """Return the correlation and the factor; None with too few boards, or where chance gives what none can be."""
    whole = shared + own_variance
    if board_sets < MIN_BOARD_SETS or whole <= 0 or shared < -whole:
        return None
    return Mirroring(shared / whole, whole / own_variance if own_variance else None, board_sets)


def field_luck(rounds: Iterable[PlayedRound]) -> Mirroring | None:
    """Return what field board sets took out: how the margins of one seat of a board go together at different tables.

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
            for place, outcome in enumerate(outcomes):
                for name, margin in zip(outcome.seating, outcome.margins, strict=True):
                    margins[played.number, outcome.table, name].append(margin / outcome.parts)
                for compared in outcomes[place + 1 : place + 1 + _NEIGHBOURS]:
                    for seat, pair in enumerate(zip(outcome.seating, compared.seating, strict=True)):
                        difference = (outcome.margins[seat] - compared.margins[seat]) / outcome.parts
                        differences[played.number, *pair].append(difference)
    total, own_variance = _variance_within(margins.values()), _variance_within(differences.values()) / 2
    mirroring = None if math.isnan(own_variance) else _correlation(total - own_variance, own_variance, boards)
    if mirroring is None or mirroring.factor is None:
        return mirroring
    return msgspec.structs.replace(mirroring, factor=mirroring.factor / (1 + means / matches))


def _variance_within(samples: Iterable[Sequence[float]]) -> float:
    """The variance inside the samples, pooled; not a number, where none has two values."""
    several = [sample for sample in samples if len(sample) > 1]
    squares = sum(variance(sample) * (len(sample) - 1) for sample in several)
    return squares / sum(len(sample) - 1 for sample in several) if several else math.nan
