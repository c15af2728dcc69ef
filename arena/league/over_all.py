"""Ratings over all divisions: a bot's strength differs from variant to variant, and that is part of what is not known.

A rating over all variants is of the bot as a player of such games, of which the variants of a league are a sample: its
rating in a variant is off from it by the error of that rating and by how much the variant suits the bot. The variance
of the latter is estimated from all bots together, as the one with which the ratings of the divisions are as far apart
as they are (Paule and Mandel, 1982); the degrees of freedom are Satterthwaite's.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arena.league.columns import Floats, Ints, sums
from arena.league.ratings import MEAN, Rating
from arena.league.statistics import LEVEL, MIN_FREEDOM, t_quantile

_STEPS = 60
_WIDEST = 1_000.0
"""The largest standard deviation between variants that is looked for, in Elo."""
_DECIMALS = 6


class _Rated(NamedTuple):
    """The ratings of all divisions about 1500, a row for each bot of each division."""

    bot: Ints
    division: Ints
    rating: Floats
    variance: Floats

    def fitted(self, between: float) -> tuple[Floats, Floats]:
        """Each bot's mean over its divisions, each division having a mean of its own, and the weights of the rows."""
        weight = 1 / (self.variance + between)
        of_bot, of_division = sums(self.bot, weight), sums(self.division, weight)
        offset: Floats = np.zeros(len(of_division))
        mean: Floats = np.zeros(len(of_bot))
        for _ in range(_STEPS):
            mean = sums(self.bot, weight * (self.rating - offset[self.division])) / of_bot
            mean = mean - mean.mean()
            before = offset
            offset = sums(self.division, weight * (self.rating - mean[self.bot])) / of_division
            if np.abs(offset - before).max() < 1e-9:
                break
        return mean, weight

    def squares(self, between: float) -> float:
        """The weighted squares by which the ratings of the divisions are off from those of the bots."""
        mean, weight = self.fitted(between)
        off = self.rating - mean[self.bot]
        offset = sums(self.division, weight * off) / sums(self.division, weight)
        return float((weight * (off - offset[self.division]) ** 2).sum())


def over_all(divisions: Sequence[dict[str, Rating]]) -> dict[str, Rating]:
    """Rate the bots over all divisions from their ratings in each; a bot that entered one alone has that one's."""
    played = [ratings for ratings in divisions if ratings]
    if len(played) < 2:
        return dict(played[0]) if played else {}
    names = sorted(set().union(*played))
    number = {name: row for row, name in enumerate(names)}
    rows = [
        (number[name], place, rating.mu - MEAN, rating.sigma**2 * len(ratings) / max(len(ratings) - 1, 1))
        for place, ratings in enumerate(played)
        for name, rating in ratings.items()
    ]
    bot, division, rating, variance = (np.array(column) for column in zip(*rows, strict=True))
    rated = _Rated(bot, division, rating, np.maximum(variance, 1.0))
    freedom = len(rows) - len(names) - (len(played) - 1)
    between = _between(rated, freedom) if freedom > 0 else 0.0
    mean, weight = rated.fitted(between)
    whole = sums(bot, weight)
    centred = 1 - 1 / len(names)
    error = np.sqrt(centred / whole)
    # How much of a bot's variance is that between variants, of which few degrees of freedom are known.
    share = sums(bot, weight * between * weight) / whole
    degrees = np.maximum(freedom / np.maximum(share, 1e-3) ** 2, MIN_FREEDOM)
    has_bars = any(
        rating.low is not None or rating.high is not None for ratings in played for rating in ratings.values()
    )
    combined = {}
    for name, row in number.items():
        mine = [ratings[name] for ratings in played if name in ratings]
        reach = t_quantile((1 + LEVEL) / 2, float(degrees[row])) * float(error[row])
        mu = MEAN + float(mean[row])
        bounded = [rating for rating in mine if rating.low is not None or rating.high is not None]
        lost_all = bool(bounded) and all(rating.low is None for rating in bounded)
        won_all = bool(bounded) and all(rating.high is None for rating in bounded)
        combined[name] = Rating(
            round(mu, _DECIMALS),
            round(float(error[row]), _DECIMALS),
            None if not has_bars or lost_all else round(mu - reach, _DECIMALS),
            None if not has_bars or won_all else round(mu + reach, _DECIMALS),
            sum(rating.matches for rating in mine),
        )
    return combined


def _between(rated: _Rated, freedom: int) -> float:
    """The variance between variants: that with which the weighted squares are their degrees of freedom."""
    low, high = 0.0, _WIDEST**2
    # The median of chi-squared, not its mean: with few degrees of freedom the mean is often too small a guess.
    wanted = freedom * (1 - 2 / (9 * freedom)) ** 3
    if rated.squares(0.0) <= wanted:
        return 0.0
    for _ in range(_STEPS):
        middle = (low + high) / 2 if low else math.sqrt(max(low, 1.0) * high)
        if rated.squares(middle) > wanted:
            low = middle
        else:
            high = middle
        if high - low < 1e-6 * high:
            break
    return (low + high) / 2
