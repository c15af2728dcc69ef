"""Ratings by margins: by how many points a match a bot is better than the mean of its field, whomever it met.

The mean margin knows nothing of the opponents. Here every bot has one number, and the margins of a table are expected
to be the differences of these: least squares over all boards, each board set being one observation (Massey,
"Statistical models applied to the rating of sports teams", 1997). Each bot is rated against opponents whose strengths
are spread as the field's are (`network`).

- *Boards.* The variance of what a line-up of bots says is measured over its own boards and drawn towards that of all
  boards, as by a prior of `_PRIOR_FREEDOM` degrees of freedom; the degrees of freedom of each bot's bar are
  Satterthwaite's. So bots whose games vary more have wider bars, and few boards are not taken for many.
- *Styles.* A bot may suit one opponent better than its strength says, so that a beats b, b beats c and c beats a. The
  variance of that is estimated from how far the line-ups are off the ratings (DerSimonian and Laird, 1986). The rating
  is of a bot against all others equally often, of which those that it has met are a part, so the more of them it has
  met, the less that counts.

Bots are rated that the tables connect with more than half of the field; the others cannot be compared with it yet. In
fields of more than `DENSE` bots the prior is normal, and covariances come from the meetings nearby.
"""

import math
from typing import NamedTuple

import numpy as np

from arena.league.columns import Columns, Floats, Ints, sums
from arena.league.network import Network, against_the_field, pooled
from arena.league.statistics import MIN_FREEDOM, Estimate, board_set_margins, estimate

DENSE = 256
_PRIOR_FREEDOM = 4.0
_FEW = 8
"""Degrees of freedom within line-ups, of a division, below which only the deviations from the ratings are counted."""
_MIN_VARIANCE = 1e-6
_NO_FREEDOM, _MAX_FREEDOM = 1e-3, 1e6
_DECIMALS = 6
_STEPS = 100


class _LineUps(NamedTuple):
    """What the bots of each line-up, those that sat at a table, were better than the mean of these.

    `bot`, `line_up` and `better` have a row for each bot of each line-up, in order of these. The others have one for
    each line-up: how many `seats` it has, its `matches` and board `sets`, the sum of the `squares` of what the boards
    are off and how many of these are independent (`freedom`).
    """

    bot: Ints
    line_up: Ints
    better: Floats
    seats: Ints
    matches: Floats
    sets: Floats
    squares: Floats
    freedom: Floats


class _Variances(NamedTuple):
    """Of one match at any table; of each line-up's mean over its boards, and the degrees of freedom of these."""

    match: float
    of_mean: Floats
    freedom: Floats
    total: float


def margin_ratings(columns: Columns) -> dict[str, Estimate]:
    """Rate the bots of a division, in the variant's points a match, 0 being the mean of those that are rated.

    A bot that cannot be compared with the field yet has 0 without an interval. Numbers are rounded to the sixth
    decimal, since machines differ in the last digits.
    """
    names = columns.names
    if not names:
        return {}
    sets = np.bincount(board_set_margins(columns)[0], minlength=len(names)).tolist()
    ratings = {name: Estimate(0.0, None, None, sets[row]) for row, name in enumerate(names)}
    rows = _connected(columns)
    if rows is None:
        return ratings
    line_ups = _line_ups(columns, rows)
    rated, bot = np.unique(line_ups.bot, return_inverse=True)
    bars = _rated(len(rated), line_ups._replace(bot=bot))
    numbers = zip(rated.tolist(), *(column.tolist() for column in bars), strict=True)
    for row, mean, error, freedom in numbers:
        bar = estimate(mean, error, freedom, sets[row])
        low, high = (None if end is None else round(end, _DECIMALS) for end in (bar.low, bar.high))
        ratings[names[row]] = Estimate(round(mean, _DECIMALS) + 0.0, low, high, sets[row])
    return ratings


def _connected(columns: Columns) -> Ints | None:
    """Return the rows of the bots that tables connect with more than half of the field, None where there are none."""
    group = np.arange(len(columns.names))
    while True:
        # The lowest number at a table becomes that of the groups of all who sit there.
        of_table = np.full(int(columns.table.max()) + 1, len(group))
        np.minimum.at(of_table, columns.table, group[columns.bot])
        joined = np.arange(len(group))
        np.minimum.at(joined, group[columns.bot], of_table[columns.table])
        while (joined[joined] != joined).any():
            joined = joined[joined]
        if (joined[group] == group).all():
            break
        group = joined[group]
    sizes = np.bincount(group)
    if 2 * sizes.max() <= len(group):
        return None
    return np.flatnonzero(group[columns.bot] == sizes.argmax())


def _line_ups(columns: Columns, rows: Ints) -> _LineUps:
    bots = len(columns.names)
    of_table = _line_up_numbers(columns, rows)
    bot, table, margin = board_set_margins(columns)
    counted = of_table[table] >= 0
    bot, line_up, margin = bot[counted], of_table[table[counted]], margin[counted]
    keys, of_key, counts = np.unique(line_up * bots + bot, return_inverse=True, return_counts=True)
    seats = np.bincount(keys // bots)
    better = margin * ((seats - 1) / seats)[line_up]
    mean = sums(of_key, better) / counts
    sets = sums(keys // bots, counts.astype(np.float64)) / seats
    match_rows = np.unique(columns.match[rows], return_index=True)[1]
    matches = sums(of_table[columns.table[rows[match_rows]]], np.ones(len(match_rows)))
    squares = sums(line_up, (better - mean[of_key]) ** 2)
    return _LineUps(keys % bots, keys // bots, mean, seats, matches, sets, squares, (sets - 1) * (seats - 1))


def _line_up_numbers(columns: Columns, rows: Ints) -> Ints:
    """Return the number of each table's line-up, by table; -1 for tables of none of these rows."""
    keys = np.unique(columns.table[rows] * len(columns.names) + columns.bot[rows])
    table, bot = keys // len(columns.names), keys % len(columns.names)
    number = np.full(int(columns.table.max()) + 1, -1)
    sizes = np.bincount(table, minlength=len(number))
    numbered = 0
    for seats in np.unique(sizes[table]).tolist():
        of_size = sizes[table] == seats
        line_ups, of_table = np.unique(bot[of_size].reshape(-1, seats), axis=0, return_inverse=True)
        number[table[of_size][::seats]] = numbered + of_table.reshape(-1)
        numbered += len(line_ups)
    return number


def _rated(bots: int, line_ups: _LineUps) -> tuple[Floats, Floats, Floats]:
    """Return each bot's rating, its standard error and the degrees of freedom of that."""
    network, of_pair = _network(bots, line_ups)
    seats = line_ups.seats
    fitted = _least_squares(network, of_pair, line_ups)
    off = line_ups.better - fitted[line_ups.bot]
    off = off - (sums(line_ups.line_up, off) / seats)[line_ups.line_up]
    off_squares = sums(line_ups.line_up, off**2)
    off_freedom = float(max((seats - 1).sum() - (bots - 1), 0))
    of_line_ups = _variances(line_ups, off_squares, off_freedom)
    styles = _styles(network, of_pair, line_ups, off_squares, off_freedom, of_line_ups)
    # Points over this are of the size of logits: a game of two has the variance 4 then, and the strengths no more.
    unit = max(math.sqrt(of_line_ups.match / 2), float(fitted.std()) / 2, 1e-6)
    weights = line_ups.matches * unit**2 / max(of_line_ups.match, _MIN_VARIANCE * unit**2)
    pull = sums(line_ups.bot, weights[line_ups.line_up] * line_ups.better / unit, bots)
    precision = (weights / seats)[of_pair]
    of_mean, style = of_line_ups.of_mean / unit**2, styles / unit**2
    if bots > DENSE:
        mean, error = _in_large_field(
            network, precision / (1 + _excess(line_ups, weights, of_mean, style)), pull, precision
        )
        return unit * mean, unit * error, np.full(bots, of_line_ups.total)
    rated = against_the_field(network, precision, pull)
    variances: list[Floats] = []
    unsure = []
    starts = np.flatnonzero(np.diff(of_pair, prepend=-1))
    freedom = of_line_ups.freedom[of_pair[starts]]
    of_boards = (weights**2 * of_mean / seats)[of_pair]
    for fit in rated:
        parts = np.add.reduceat(fit.of_pairs**2 * of_boards, starts, axis=1)
        of_styles = style * _style_weights(network, fit.of_pairs * precision, seats[of_pair])
        variances.append(parts.sum(axis=1) + of_styles + fit.of_field)
        # The line-ups have prior degrees in common, so together they have no more than the whole.
        whole = np.maximum(parts**2 @ (1 / freedom), parts.sum(axis=1) ** 2 / of_line_ups.total)
        unsure.append(fit.weight * (whole + of_styles**2 / max(off_freedom, 1.0)))
    bars = pooled(rated, variances)
    of_variance = np.sum(unsure, axis=0)
    has_bar = (of_variance > 0) & (of_line_ups.total >= MIN_FREEDOM)
    degrees = np.where(has_bar, bars.error**4 / np.where(has_bar, of_variance, 1), of_line_ups.total)
    # Not a hair less than whole degrees, which decide whether a bar is stated.
    return unit * bars.mean, unit * bars.error, np.minimum(degrees + 1e-9, _MAX_FREEDOM)


def _network(bots: int, line_ups: _LineUps) -> tuple[Network, Ints]:
    """Return every two bots of each line-up, in order of these, and the line-up of each pair."""
    first = np.cumsum(line_ups.seats) - line_ups.seats
    pairs = []
    for seats in np.unique(line_ups.seats).tolist():
        of_size = np.flatnonzero(line_ups.seats == seats)
        seat, opposite = np.triu_indices(seats, 1)
        rows = first[of_size][:, None]
        pairs.append(
            (
                np.repeat(of_size, len(seat)),
                line_ups.bot[rows + seat].reshape(-1),
                line_ups.bot[rows + opposite].reshape(-1),
            )
        )
    of_pair, first_bot, second_bot = (np.concatenate(column) for column in zip(*pairs, strict=True))
    return Network(bots, first_bot, second_bot), of_pair


def _least_squares(network: Network, of_pair: Ints, line_ups: _LineUps) -> Floats:
    """Return the ratings that are nearest to the margins, each board set having the weight of its matches."""
    pull = sums(line_ups.bot, line_ups.matches[line_ups.line_up] * line_ups.better, network.bots)
    weights = (line_ups.matches / line_ups.seats)[of_pair]
    if network.bots > DENSE:
        return network.solved(weights, np.full(network.bots, 1e-6), pull, np.zeros(network.bots))
    solution: Floats = np.linalg.solve(network.laplacian(weights) + 1, pull).astype(np.float64)
    return solution


def _variances(line_ups: _LineUps, off_squares: Floats, off_freedom: float) -> _Variances:
    games = line_ups.matches / line_ups.sets
    total = float(line_ups.freedom.sum())
    if total < _FEW:
        squares = float((line_ups.matches * off_squares + games * line_ups.squares).sum())
        total = max(total + off_freedom, _NO_FREEDOM)
        match = squares / max(total, 1.0)
        return _Variances(match, match / line_ups.matches, np.full(len(games), total), total)
    match = float((games * line_ups.squares).sum()) / total
    prior = np.minimum(total - line_ups.freedom, _PRIOR_FREEDOM)
    freedom = line_ups.freedom + prior
    of_set = (line_ups.squares + prior * match / games) / freedom
    return _Variances(match, of_set / line_ups.sets, freedom, total)


def _styles(
    network: Network, of_pair: Ints, line_ups: _LineUps, off_squares: Floats, off_freedom: float, variances: _Variances
) -> float:
    """Return the variance of what suits the bots of a line-up, beside their strengths and the chance of boards."""
    if off_freedom < 1 or float(line_ups.freedom.sum()) < _FEW:
        return 0.0
    weights = line_ups.matches / max(variances.match, 1e-12)
    seats = line_ups.seats
    surplus = float((weights * off_squares).sum()) - off_freedom
    whole = float((weights * (seats - 1)).sum())
    if network.bots > DENSE:
        worth = whole * off_freedom / float((seats - 1).sum())
    else:
        inverse = np.linalg.inv(network.laplacian((weights / seats)[of_pair]) + 1 / network.bots)
        worth = whole - float((inverse * network.laplacian((weights**2 / seats)[of_pair])).sum())
    return max(surplus / worth, 0.0) if worth > 0 else 0.0


def _style_weights(network: Network, coefficients: Floats, seats: Ints) -> Floats:
    """Return the variance of each rating that comes of styles of variance 1, against all others equally often."""
    bots = network.bots
    pairs = np.arange(len(seats))
    off = coefficients.copy()
    # Of a pair that met more than once, at tables of several, each meeting is a part.
    _, of_two, times = np.unique(network.first * bots + network.second, return_inverse=True, return_counts=True)
    share = 1 / (bots * times[of_two])
    off[network.first, pairs] -= share
    off[network.second, pairs] += share
    met = sums(network.first, 1 / times[of_two], bots) + sums(network.second, 1 / times[of_two], bots)
    return off**2 @ seats + float(seats.mean()) * (bots - 1 - met) / bots**2


def _excess(line_ups: _LineUps, weights: Floats, of_mean: Floats, style: float) -> float:
    """Return by how much the variances of line-ups exceed those that the weights stand for, on average."""
    share = weights * (line_ups.seats - 1)
    return max(float((share * (of_mean + style) * weights).sum() / share.sum()), _MIN_VARIANCE) - 1


def _in_large_field(network: Network, weights: Floats, pull: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """Return the ratings and standard errors of a large field, each bot's own prior being taken out again."""
    pull = pull * float(weights.sum() / precision.sum())
    spread, mean = 0.25, np.zeros(network.bots)
    for _ in range(_STEPS):
        variance, _ = network.tree_covariance(weights, 1 / spread)
        mean = network.solved(weights, np.full(network.bots, 1 / spread), pull, mean)
        before, spread = spread, max(float((mean**2 + variance).mean()), 1e-6)
        if abs(spread - before) < 1e-6 * before:
            break
    shrinkage = np.maximum(1 - variance / spread, 1e-6)
    mean = mean / shrinkage
    return mean - mean.mean(), np.sqrt(variance / shrinkage)
