"""The odds of ``koikoi45``, exact: dealt hands by enumeration, the field's multiplier by counting its lights."""

from fractions import Fraction
from math import comb

from core_ext.cards import LIGHTS
from core_ext.odds import dealt_hands
from core_ext.variants.koikoi45_table import CARDS

FIELD_CARDS = 8


def tables() -> dict[str, object]:
    """What ``arena tables`` shows beside yaku and options."""
    chances = field_chances()
    expected = sum(multiplier * chance for multiplier, chance in chances.items())
    return dealt_hands("koikoi45") | {
        "multipliers": {
            "field": {str(multiplier): float(chance) for multiplier, chance in chances.items()},
            "expected": {"months 2 to 11": float(expected), "months 1 and 12": 2 * float(expected)},
        }
    }


def field_chances() -> dict[int, Fraction]:
    """How likely the lights on the dealt field multiply a month by so much: two for each of them."""
    lights = len(LIGHTS)
    fields = comb(CARDS, FIELD_CARDS)
    return {
        2**count: Fraction(comb(lights, count) * comb(CARDS - lights, FIELD_CARDS - count), fields)
        for count in range(lights + 1)
    }
