"""The all-round table: how bots stand over all divisions of a league.

A division gives a bot the share of the division's other bots that it stands before, one that it is equal to counting
half: 1 for the first place, 0 for the last, whatever the size of the field and the variant's points. The sum over the
divisions ranks the bots; a division that a bot did not enter gives it nothing, so the table is of all-rounders.

Equal sums are separated by the best division of each, then the second best and so on, then by the seeded lot.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

import msgspec

from arena.league.errors import ResultsError
from arena.league.lots import Lots
from arena.league.standings import TIE_BREAKS, Standing

Places = Sequence[Sequence[str]]
"""A division's bots, the best first, those that share a place together."""


class AllRound(msgspec.Struct, frozen=True):
    """A row of the all-round table; `divisions` are the points of each variant entered, `points` their sum."""

    rank: int
    name: str
    points: float
    divisions: dict[str, float]


def places(rows: Sequence[Standing]) -> tuple[tuple[str, ...], ...]:
    """The places of a division's table; bots that only the lot separates share one."""
    ordered = sorted(rows, key=lambda row: row.rank)
    but_the_lot = attrgetter("match_points", *TIE_BREAKS[:-1])
    return tuple(tuple(row.name for row in tied) for _, tied in groupby(ordered, key=but_the_lot))


def all_round(divisions: Mapping[str, Places], lots: Lots) -> tuple[AllRound, ...]:
    """The table over all divisions, by variant, best first; ResultsError when a division names a bot twice."""
    points: dict[str, dict[str, Fraction]] = {}
    for variant, division in sorted(divisions.items()):
        for name, share in _shares(variant, division).items():
            points.setdefault(name, {})[variant] = share

    def order(name: str) -> tuple[Fraction, list[Fraction], bytes]:
        shares = sorted(-share for share in points[name].values())
        return sum(shares, Fraction()), shares, lots.of(name)

    return tuple(
        AllRound(
            rank,
            name,
            float(sum(points[name].values(), Fraction())),
            {variant: float(share) for variant, share in points[name].items()},
        )
        for rank, name in enumerate(sorted(points, key=order), start=1)
    )


def _shares(variant: str, division: Places) -> dict[str, Fraction]:
    bots = sum(len(tied) for tied in division)
    shares: dict[str, Fraction] = {}
    before = 0
    for tied in division:
        behind = bots - before - len(tied)
        for name in tied:
            # A bot alone in its division stands before nobody.
            shares[name] = Fraction(2 * behind + len(tied) - 1, max(2 * (bots - 1), 1))
        before += len(tied)
    if len(shares) != bots:
        raise ResultsError(f"the division {variant} names a bot twice")
    return shares
