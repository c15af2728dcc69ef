"""Estimates with their 95 % error bars, and how they are written: the same in the terminal and on pages."""

from collections.abc import Callable

import msgspec

from arena.league.ratings import MIN_BOARD_SETS, Rating
from arena.league.statistics import Estimate

NONE = "–"
NOT_YET = "not yet"
LESS_THAN = "less than {}"
MORE_THAN = "more than {}"
RATINGS_NOT_YET = f"Ratings: {NOT_YET}, they need {MIN_BOARD_SETS} board sets a bot"

Say = Callable[[str], str]
"""Tells a message in a reader's language."""


class Interval(msgspec.Struct, frozen=True):
    """An estimate with the ends of its error bars; one end is None where only the other is known.

    Without `high` the results only say that it is more than `low`, without `low` that it is less than `high`.
    """

    value: float
    low: float | None
    high: float | None

    @classmethod
    def of_margin(cls, estimate: Estimate | None) -> "Interval | None":
        """Return the interval of a mean margin, None for a bot that has played no match."""
        return None if estimate is None else cls(estimate.mean, estimate.low, estimate.high)

    @classmethod
    def of_rating(cls, rating: Rating | None) -> "Interval | None":
        """Return the interval of a rating, None for a bot that has played no match."""
        return None if rating is None else cls(rating.mu, rating.low, rating.high)

    @property
    def is_known(self) -> bool:
        """Whether enough was played for an end of the error bars: without one the number is not shown."""
        return not (self.low is None and self.high is None)


def margin_text(margin: Interval | None, say: Say = str) -> str:
    """Write a mean margin: `+3.4 ± 2.3`."""
    return _text(margin, "+.1f", ".1f", say)


def rating_text(rating: Interval | None, say: Say = str) -> str:
    """Write a rating: `1580 ± 76`, `more than 1900`."""
    return _text(rating, ".0f", ".0f", say)


def percent_text(share: float | None) -> str:
    """Write a share or a probability: `29%`, `<1%` for one that only rounds to 0."""
    if share is None:
        return NONE
    return "<1%" if 0 < share < 0.01 else f"{100 * share:.0f}%"


def number_text(value: float | None) -> str:
    """Write a number of points with at most two decimals."""
    return NONE if value is None else f"{value:.2f}".rstrip("0").rstrip(".")


def signed_text(value: float | None) -> str:
    """Write a number of points with its sign: `+3.4`."""
    return NONE if value is None else f"{value:+.1f}"


def _text(interval: Interval | None, of_value: str, of_reach: str, say: Say) -> str:
    """Write an interval: `±` where its ends are as far away to the last digit written, each of them where not."""
    if interval is None:
        return NONE
    value, low, high = interval.value, interval.low, interval.high
    if low is None:
        return say(NOT_YET) if high is None else say(LESS_THAN).format(format(high, of_value))
    if high is None:
        return say(MORE_THAN).format(format(low, of_value))
    above, below = format(high - value, of_reach), format(value - low, of_reach)
    return f"{value:{of_value}} ± {above}" if above == below else f"{value:{of_value}} +{above} −{below}"
