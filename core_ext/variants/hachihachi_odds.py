"""The odds of ``hachihachi``, exact: hands by enumeration, fields by counting lights, a year as a Markov chain."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

from core_ext.cards import LIGHTS
from core_ext.enumerate import hand_counts
from core_ext.variants.hachihachi_settlement import fields_of_year, kind_of_field
from core_ext.variants.hachihachi_table import BY_NUMBER, BY_POVERTY, FIELDS, MONTHS

FIELD_CARDS = 6
DECK = 48
KINDS = tuple(kind for kind, _ in FIELDS)

Chances = tuple[Fraction, Fraction, Fraction]
"""By kind of field, or by bind (no bind first)."""


def tables() -> dict[str, object]:
    """What ``arena tables`` shows beside yaku and options."""
    hands = dealt_hands()
    rows = [{"number": number, "poverty": poverty, "hands": count} for (number, poverty), count in hands.items()]
    return {"dealt_hands": rows, "all_hands": sum(hands.values()), "fields": fields()}


def dealt_hands() -> dict[tuple[str | None, str | None], int]:
    """How many of all hands are each dealt hand (by number, by poverty), each read for the dearest; first, none."""
    counts = hand_counts("hachihachi")
    names = (None, *(row.id for row in BY_NUMBER + BY_POVERTY))
    return {(names[kind // 16], names[kind % 16]): hands for kind, hands in enumerate(counts) if hands}


def fields() -> dict[str, object]:
    """The chances of each kind of field, by the bind carried in, and what a year without ``etsunen`` is made of."""
    binds = ("none", *KINDS[1:])
    months, bound = year()
    return {
        "chances": {bind: _named(kind_chances(number)) for number, bind in enumerate(binds)},
        "expected_months": _named(months),
        "bound_year": float(bound),
    }


def simulated(years: int, seed: str = "years") -> dict[str, object]:
    """The same of years that are dealt, each mean with its standard error."""
    dealt = Counter(fields_of_year(f"{seed}/{year}") for year in range(years))
    means, errors = {}, {}
    for number, kind in enumerate(KINDS):
        mean = sum(months[number] * count for (months, _), count in dealt.items()) / years
        square = sum(months[number] ** 2 * count for (months, _), count in dealt.items()) / years
        means[kind] = mean
        errors[kind] = sqrt((square - mean**2) / years)
    chance = sum(count for (_, bind), count in dealt.items() if bind) / years
    return {
        "years": years,
        "expected_months": means,
        "months_error": errors,
        "bound_year": chance,
        "bound_year_error": sqrt(chance * (1 - chance) / years),
    }


def kind_chances(bind: int) -> Chances:
    """How likely a month is each kind, under a bind carried in."""
    chances = [Fraction(0)] * 3
    for kind, _, chance in _deals(bind):
        chances[kind] += chance
    return chances[0], chances[1], chances[2]


def year() -> tuple[Chances, Fraction]:
    """The months of each kind that a year can expect, and how likely it ends bound."""
    months = [Fraction(0)] * 3
    binds = [Fraction(1), Fraction(0), Fraction(0)]
    for _ in range(MONTHS):
        carried = [Fraction(0)] * 3
        for bind, before in enumerate(binds):
            for kind, after, chance in _deals(bind):
                months[kind] += before * chance
                carried[after] += before * chance
        binds = carried
    return (months[0], months[1], months[2]), 1 - binds[0]


def _deals(bind: int) -> Iterator[tuple[int, int, Fraction]]:
    """Every set of lights that a field can show: its kind, the bind it carries on, its chance."""
    dull = DECK - len(LIGHTS)
    for size in range(len(LIGHTS) + 1):
        chance = Fraction(comb(dull, FIELD_CARDS - size), comb(DECK, FIELD_CARDS))
        for lights in combinations(LIGHTS, size):
            kind, carried = kind_of_field(lights, bind)
            yield kind, carried, chance


def _named(chances: Chances) -> dict[str, float]:
    return dict(zip(KINDS, map(float, chances), strict=True))
