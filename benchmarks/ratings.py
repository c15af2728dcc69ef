"""How often error bars of ratings hold the true strength, by bot: `python -m benchmarks.ratings [LEAGUES]`.

Leagues of bots of known strengths are simulated in every kind of field, and the bars that the league's own code gives
are compared with what is known. Bots of the same strength in a league are of one kind, the others are kinds of their
own, by their rank (in large fields, by sixteenths of the ranks). For ratings by results, then for ratings by margins,
each line has

- *all*: the share of bars that hold the truth, over all bots of all leagues;
- *by bot*: the same for the kind of bot whose bars hold it least often, and for that whose bars hold it most often,
  with the standard error that the number of leagues leaves to such a share;
- *width*: the mean width of the bars, in Elo or in points, of which 2,565 are the standard deviation of a game's margin
  between equal bots;
- *open*: the share of bots that are rated more or less than a number, or not at all.
"""

import argparse
import math
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from arena.league.columns import Columns
from arena.league.margin_rating import margin_ratings
from arena.league.ratings import ELO, MEAN, Strengths
from benchmarks.simulated_leagues import UNIT, Field, Format, clusters, ladder, league, names_of, normal, outlier

FIELDS: Mapping[str, Field] = {
    "close": normal(17),
    "normal": normal(87),
    "wide": normal(174),
    "two clusters": clusters(2, 260),
    "three clusters": clusters(3, 170),
    "ladder": ladder(40),
    "outlier": outlier(520),
}
FORMATS = (
    Format(4, 3, 6),
    Format(4, 7, 20),
    Format(8, 5, 4),
    Format(8, 7, 20, shared=0.8),
    Format(16, 3, 6),
    Format(16, 5, 4),
    Format(16, 5, 4, shared=0.8),
    Format(16, 7, 20, shared=-0.4),
    Format(16, 7, 20, shared=0.0),
    Format(16, 7, 20, shared=0.4),
    Format(16, 7, 20, shared=0.8),
    Format(15, 5, 4, seats=3),
    Format(16, 7, 10, seats=4),
)
LARGE = Format(300, 9, 4)
"""More bots than are rated with the covariance of all."""
SETTINGS = [(field, format_) for field in FIELDS for format_ in FORMATS]
SETTINGS += [(field, LARGE) for field in ("close", "normal", "two clusters", "outlier")]
_KINDS = 16


class Bar(NamedTuple):
    """One bar of a league; `kind` is that of its bot."""

    kind: int
    covered: bool
    width: float | None


Bars = dict[str, list[Bar]]
"""By the kind of rating."""


def bars_of(field: str, format_: Format, rng: random.Random) -> Bars:
    """Simulate one league and return all of its bars."""
    strengths = sorted(FIELDS[field](format_.bots, rng))
    outcomes, _ = league(strengths, format_, rng)
    columns = Columns([outcomes])
    mean = fmean(strengths)
    kinds = [strengths.index(strength) * min(_KINDS, len(strengths)) // len(strengths) for strength in strengths]
    ratings = Strengths(columns).ratings()
    margins = margin_ratings(columns)
    bars: Bars = {"Elo": [], "points": []}
    for name, strength, kind in zip(names_of(format_.bots), strengths, kinds, strict=True):
        rating, margin = ratings[name], margins[name]
        bars["Elo"].append(bar(kind, MEAN + ELO * (strength - mean), rating.low, rating.high))
        bars["points"].append(bar(kind, UNIT * (strength - mean), margin.low, margin.high))
    return bars


def bar(kind: int, true: float, low: float | None, high: float | None) -> Bar:
    """Return the bar of a bot whose true rating is known."""
    covered = (low is None or low <= true) and (high is None or true <= high)
    return Bar(kind, covered, None if low is None or high is None else high - low)


def cells(leagues: Sequence[Sequence[Bar]]) -> list[str]:
    """Return what one kind of rating is worth: see the head of this file."""
    shares = [fmean(bar.covered for bar in bars) for bars in leagues]
    by_kind: dict[int, list[float]] = defaultdict(list)
    for bars in leagues:
        kinds = defaultdict(list)
        for bar in bars:
            kinds[bar.kind].append(bar.covered)
        for kind, covered in kinds.items():
            by_kind[kind].append(fmean(covered))
    ordered = sorted((fmean(covered), _error(covered)) for covered in by_kind.values())
    widths = [bar.width for bars in leagues for bar in bars if bar.width is not None]
    number = sum(map(len, leagues))
    return [
        _percent(fmean(shares), _error(shares)),
        f"{_percent(*ordered[0])}, {_percent(*ordered[-1])}",
        f"{fmean(widths):.0f}" if widths else "",
        f"{100 * (1 - len(widths) / number):.0f} %",
    ]


def _error(covered: Sequence[float]) -> float:
    """Return the standard error of a mean over leagues."""
    return stdev(covered) / math.sqrt(len(covered)) if len(covered) > 1 else math.nan


def _percent(share: float, error: float) -> str:
    return f"{100 * share:.1f} ± {100 * error:.1f}"


def measured(field: str, format_: Format, leagues: int) -> dict[str, list[list[Bar]]]:
    """Return the bars of so many leagues, by the kind of rating, then by league."""
    by_kind: dict[str, list[list[Bar]]] = defaultdict(list)
    for number in range(leagues):
        for kind, bars in bars_of(field, format_, random.Random(f"{field}/{format_}/{number}")).items():
            by_kind[kind].append(bars)
    return by_kind


def lines(leagues: int, settings: Sequence[tuple[str, Format]]) -> Iterator[str]:
    """Yield the table, a line at a time."""
    heads = [f"{kind}: {head}" for kind in ("Elo", "points") for head in ("all", "by bot", "width", "open")]
    yield f"| field | league | {' | '.join(heads)} |"
    yield "| --- | --- |" + " --- |" * len(heads)
    for field, format_ in settings:
        by_kind = measured(field, format_, leagues)
        yield f"| {field} | {format_} | {' | '.join(cell for bars in by_kind.values() for cell in cells(bars))} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leagues", type=int, nargs="?", default=400, help="leagues of each setting (default 400)")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings whose line holds this")
    asked = parser.parse_args()
    for text in lines(asked.leagues, [setting for setting in SETTINGS if asked.only in f"{setting[0]}, {setting[1]}"]):
        print(text, flush=True)


if __name__ == "__main__":
    main()
