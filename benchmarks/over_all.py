"""How often the bars of ratings over all variants hold the truth: `python -m benchmarks.over_all [LEAGUES]`.

Leagues of several variants are simulated. Each bot has a strength as a player of such games, and in each variant one
that is off from it by a normal deviation of its own. The truth is the former, about the mean of the field: what a
league of other variants would have shown. The columns are those of `benchmarks.ratings`, a kind being a rank.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import product
from statistics import fmean
from typing import NamedTuple

from arena.league.columns import Columns
from arena.league.over_all import over_all
from arena.league.ratings import ELO, MEAN, Strengths
from benchmarks.ratings import Bar, bar, cells
from benchmarks.simulated_leagues import Field, Format, clusters, league, names_of, normal


class Setting(NamedTuple):
    """A league of so many variants, in which a bot's strengths have this standard deviation, in Elo."""

    field: str
    variants: int
    between: float
    format_: Format


FIELDS: dict[str, Field] = {
    "close, normal of 17 Elo": normal(17),
    "normal of 87 Elo": normal(87),
    "two clusters": clusters(2, 260),
}
SETTINGS = [
    Setting(field, variants, between, format_)
    for field, variants, between, format_ in product(
        FIELDS, (2, 3, 5), (0, 40, 80, 150), (Format(4, 3, 20), Format(8, 5, 4), Format(16, 7, 20))
    )
]


def bars_of(setting: Setting, rng: random.Random) -> list[Bar]:
    """Simulate one league and return the bars of its bots over all variants."""
    names = names_of(setting.format_.bots)
    strengths = sorted(FIELDS[setting.field](len(names), rng))
    divisions = []
    for _ in range(setting.variants):
        of_variant = [strength + rng.gauss(0, setting.between / ELO) for strength in strengths]
        outcomes, _ = league(of_variant, setting.format_, rng)
        divisions.append(Strengths(Columns([outcomes])).ratings())
    rated = over_all(divisions)
    mean = fmean(strengths)
    return [
        bar(rank, MEAN + ELO * (strength - mean), rated[name].low, rated[name].high)
        for rank, (name, strength) in enumerate(zip(names, strengths, strict=True))
    ]


def lines(leagues: int, settings: Sequence[Setting]) -> Iterator[str]:
    """Yield the table, a line at a time."""
    yield "| field | variants | Elo between variants | league | all | by bot | width | open |"
    yield "| --- " * 8 + "|"
    for setting in settings:
        leagues_bars = [bars_of(setting, random.Random(f"{setting}/{number}")) for number in range(leagues)]
        field, variants, between, format_ = setting
        yield f"| {field} | {variants} | {between:g} | {format_} | {' | '.join(cells(leagues_bars))} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leagues", type=int, nargs="?", default=200, help="leagues of each setting (default 200)")
    parser.add_argument("--only", default="", metavar="TEXT", help="settings whose line holds this")
    asked = parser.parse_args()
    names = [
        f"{setting.field}, {setting.variants} variants, {setting.between:g} Elo, {setting.format_}"
        for setting in SETTINGS
    ]
    chosen = [setting for setting, name in zip(SETTINGS, names, strict=True) if asked.only in name]
    for text in lines(asked.leagues, chosen):
        print(text, flush=True)


if __name__ == "__main__":
    main()
