"""How often tables tell equal bots apart, and what `best` is worth: `python -m benchmarks.separation [LEAGUES]`.

Leagues of bots of known strengths are simulated, and the places and probabilities that the league's own code gives are
compared with what is known. It prints a line for each setting:

- *wrong*: the share of leagues with a place below another although no bot of that other place is stronger than its
  first bot. In fields of equal bots that is any second place.
- *seen*: of the pairs of bots that differ, the share at different places, in the order of their strengths.
- *favourite*: the probability of being the strongest that the favourite was given, and how often it was; of n bots that
  are equally strong each counts as the nth part. The other columns have the same of all bots, by that probability.

The last line is that of all leagues together.
"""

import argparse
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from statistics import fmean
from typing import NamedTuple

from arena.league.columns import Columns
from arena.league.ratings import Strengths
from arena.league.separation import Separation
from benchmarks.simulated_leagues import Field, Format, clusters, leaders, league, names_of, normal, outlier

BINS = (0.1, 0.3, 0.6)

FIELDS: Mapping[str, Field] = {
    "equal": normal(0),
    "two clusters, 260 Elo": clusters(2, 260),
    "three clusters, 170 Elo": clusters(3, 170),
    "three equal bots 200 Elo above equal ones": leaders(3, 200),
    "one bot 520 Elo above equal ones": outlier(520),
    "one bot 520 Elo below equal ones": outlier(-520),
    "normal, 17 Elo": normal(17),
    "normal, 35 Elo": normal(35),
    "normal, 87 Elo": normal(87),
    "normal, 174 Elo": normal(174),
}
EQUAL = (
    *(Format(bots, 3, 6) for bots in (3, 5, 8, 16, 32)),
    *(Format(bots, 5, 4) for bots in (3, 5, 8, 16, 32)),
    *(Format(bots, 7, 20) for bots in (2, 3, 5, 8, 16, 32)),
    Format(16, 7, 20, shared=-0.4),
    Format(16, 7, 20, shared=0.8),
    Format(16, 9, 50),
    Format(15, 5, 4, seats=3),
    Format(16, 7, 10, seats=4),
    Format(16, 7, 20, forfeits=0.05, withdrawals=4),
)
OTHERS = (Format(8, 5, 4), Format(16, 3, 6), Format(16, 5, 4), Format(16, 7, 20), Format(32, 7, 20))
SETTINGS = [("equal", format_) for format_ in EQUAL] + [
    (field, format_) for field in FIELDS if field != "equal" for format_ in OTHERS
]


class Claims(NamedTuple):
    """What the table of a league said: see the head of this file."""

    wrong: bool
    seen: float | None
    best: list[tuple[float, float]]
    """For each bot its probability of being the strongest, and 1 if it was; of several each has its part of 1."""


def claims_of(field: str, format_: Format, rng: random.Random) -> Claims:
    """What the table of one league of this field said."""
    strengths = FIELDS[field](format_.bots, rng)
    outcomes, order = league(strengths, format_, rng)
    strength = dict(zip(names_of(format_.bots), strengths, strict=True))
    columns = Columns([outcomes])
    separation = Separation(columns, Strengths(columns).ratings(), str(rng.random()))
    best, places = separation.best(), separation.places(order)
    strongest = max(strengths)
    pairs = [
        places[bot] < places[opponent]
        for bot, opponent in permutations(places, 2)
        if strength[bot] > strength[opponent]
    ]
    return Claims(
        _is_wrong(places, strength),
        fmean(pairs) if pairs else None,
        [(chance, (strength[name] == strongest) / strengths.count(strongest)) for name, chance in best.items()],
    )


def _is_wrong(places: Mapping[str, int], strength: Mapping[str, float]) -> bool:
    """Whether a place is below another of which no bot is stronger than its first bot."""
    at_place: dict[int, list[str]] = {}
    for name, place in places.items():
        at_place.setdefault(place, []).append(name)
    groups = [at_place[place] for place in sorted(at_place)]
    return any(max(strength[name] for name in above) <= strength[below[0]] for above, below in pairwise(groups))


def measured(field: str, format_: Format, leagues: int) -> list[Claims]:
    """What the tables of so many leagues said."""
    return [claims_of(field, format_, random.Random(f"{field}/{format_}/{number}")) for number in range(leagues)]


def line(field: str, format_: str, claims: Sequence[Claims]) -> str:
    """A line of the table."""
    wrong = fmean(table.wrong for table in claims)
    error = math.sqrt(wrong * (1 - wrong) / len(claims))
    seen = [table.seen for table in claims if table.seen is not None]
    cells = [f"{100 * wrong:.1f} ± {100 * error:.1f} %", f"{fmean(seen):.0%}" if seen else ""]
    favourites = [max(table.best) for table in claims if table.best]
    chances = [chance for table in claims for chance in table.best]
    cells.append(_reliability(favourites))
    for low, high in pairwise((0.0, *BINS, 1.01)):
        cells.append(_reliability([(chance, is_best) for chance, is_best in chances if low <= chance < high]))
    return f"| {field} | {format_} | {' | '.join(cells)} |"


def _reliability(chances: Sequence[tuple[float, float]]) -> str:
    if not chances:
        return ""
    return f"{fmean(chance for chance, _ in chances):.2f}, {fmean(is_best for _, is_best in chances):.2f}"


def lines(leagues: int, settings: Sequence[tuple[str, Format]]) -> Iterator[str]:
    """The table, a line at a time."""
    bins = " | ".join(f"{low:g} to {high:g}" for low, high in pairwise((0.0, *BINS, 1.0)))
    yield f"| field | league | wrong | seen | favourite | {bins} |"
    yield "| --- | --- | --- | --- | --- |" + " --- |" * (len(BINS) + 1)
    whole: list[Claims] = []
    for field, format_ in settings:
        claims = measured(field, format_, leagues)
        whole += claims
        yield line(field, str(format_), claims)
    yield line("together", "", whole)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("leagues", type=int, nargs="?", default=400, help="leagues of each setting (default 400)")
    parser.add_argument(
        "--only", action="append", metavar="TEXT", help="settings whose line holds this, or another one"
    )
    asked = parser.parse_args()
    chosen = [
        setting for setting in SETTINGS if any(text in f"{setting[0]}, {setting[1]}" for text in asked.only or [""])
    ]
    for text in lines(asked.leagues, chosen):
        print(text, flush=True)


if __name__ == "__main__":
    main()
