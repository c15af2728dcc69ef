"""Estimates as text, the same in the terminal and on pages: without error bars there is no number."""

from arena.league.ratings import LEAST_BOARD_SETS

NOT_YET = "not yet"
RATINGS_NOT_YET = f"Ratings: {NOT_YET}, they need {LEAST_BOARD_SETS} board sets a bot"


def margin_text(mean: float, high: float | None) -> str:
    """A mean margin with its 95 % error bars: `+3.4 ± 2.3`."""
    return NOT_YET if high is None else f"{mean:+.1f} ± {high - mean:.1f}"


def percent_text(share: float) -> str:
    """A share or a probability: `29%`, `<1%` for one that only rounds to 0."""
    return "<1%" if 0 < share < 0.01 else f"{100 * share:.0f}%"


def rating_text(mu: float, high: float | None) -> str:
    """A rating with its 95 % error bars: `1580 ± 76`."""
    return NOT_YET if high is None else f"{mu:.0f} ± {high - mu:.0f}"
