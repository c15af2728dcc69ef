"""What many seasons do to a ladder's ratings: `python -m benchmarks.ladder_seasons [LADDERS]`.

Ladders of bots of known strengths play as many rounds of one board in one season or in many, by a Swiss pairing. Each
line has

- *slope*: how far apart the ratings are, for each Elo that the bots are truly apart, with the standard error over the
  ladders: 1 where no season draws them together;
- *bars*: the share of 95 % error bars that hold the truth, with the standard error over the ladders;
- *width*: the mean width of the bars, in Elo.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from arena.league.columns import Columns
from arena.league.ladder_ratings import LadderRatings
from arena.league.ladder_terms import Ladder
from arena.league.ratings import ELO, MEAN
from arena.league.values import Entrant
from benchmarks.simulated_leagues import Field, Format, ladder, league, names_of, normal


class Setting(NamedTuple):
    """A field of so many bots, and how many rounds it plays in all."""

    name: str
    field: Field
    bots: int
    rounds: int


SETTINGS = (
    Setting("200 Elo from each to the next", ladder(200), 4, 300),
    Setting("60 Elo from each to the next", ladder(60), 12, 300),
    Setting("normal, 174 Elo", normal(174), 16, 300),
)
SEASONS = (1, 3, 10, 30)


class Calibration(NamedTuple):
    """What the ratings of a ladder are worth: see the head of this file."""

    slope: float
    coverage: float
    width: float


def calibration(setting: Setting, seasons: int, rng: random.Random) -> Calibration:
    """Return what the ratings are worth when all rounds were played in so many seasons."""
    names = names_of(setting.bots)
    entrants = [Entrant(name) for name in names]
    strengths = setting.field(setting.bots, rng)
    terms = Ladder()
    for season in range(seasons):
        outcomes, _ = league(strengths, Format(setting.bots, setting.rounds // seasons, 1), rng)
        rated = LadderRatings(Columns([outcomes]), entrants, terms)
        if season < seasons - 1:
            terms = Ladder(start=rated.carried(dict(zip(names, names, strict=True)), ()), shared=rated.shared)
    ratings = rated.ratings()
    true = [ELO * (strength - fmean(strengths)) for strength in strengths]
    in_order = [ratings[name] for name in names]
    coverage = [
        rating.low is not None and rating.high is not None and rating.low <= MEAN + strength <= rating.high
        for rating, strength in zip(in_order, true, strict=True)
    ]
    slope = sum((rating.mu - MEAN) * strength for rating, strength in zip(in_order, true, strict=True)) / sum(
        strength * strength for strength in true
    )
    return Calibration(slope, fmean(coverage), fmean((rating.high or 0) - (rating.low or 0) for rating in in_order))


def lines(ladders: int, settings: Sequence[Setting] = SETTINGS) -> Iterator[str]:
    """Yield the table, a line at a time."""
    yield "| field | bots | seasons | rounds a season | slope | bars, % | width |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    for setting in settings:
        for seasons in SEASONS:
            drawn = (random.Random(f"{setting.name}/{seasons}/{number}") for number in range(ladders))
            leagues = [calibration(setting, seasons, rng) for rng in drawn]
            slope, coverage, width = zip(*leagues, strict=True)
            cells = f"{_text(slope, 1, 3)} | {_text(coverage, 100, 1)} | {fmean(width):.0f}"
            yield f"| {setting.name} | {setting.bots} | {seasons} | {setting.rounds // seasons} | {cells} |"


def _text(values: Sequence[float], unit: float, digits: int) -> str:
    error = stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{unit * fmean(values):.{digits}f} ± {unit * error:.{digits}f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ladders", type=int, nargs="?", default=40, help="ladders of each kind (default 40)")
    parser.add_argument("--only", default="", metavar="TEXT", help="fields whose name holds this")
    asked = parser.parse_args()
    for line in lines(asked.ladders, [setting for setting in SETTINGS if asked.only in setting.name]):
        print(line, flush=True)


if __name__ == "__main__":
    main()
