"""Koikoi45's odds: what the dealt field multiplies a month by."""

import json
from fractions import Fraction
from itertools import combinations
from math import comb

from core_ext import ALL, State
from core_ext.cards import LIGHTS
from core_ext.odds import odds
from core_ext.variants.koikoi45_odds import field_chances


def test_the_chances_of_the_fields_multipliers_are_exact():
    chances = field_chances()
    assert list(chances) == [1, 2, 4, 8, 16, 32]
    assert sum(chances.values()) == 1
    fields = dict.fromkeys(chances, 0)
    for lights in (chosen for size in range(6) for chosen in combinations(LIGHTS, size)):
        fields[2 ** len(lights)] += comb(40, 8 - len(lights))
    assert chances == {multiplier: Fraction(count, comb(45, 8)) for multiplier, count in fields.items()}
    assert [round(100 * float(chance), 4) for chance in chances.values()] == [
        35.6778,
        43.2458,
        17.8071,
        3.0526,
        0.212,
        0.0046,
    ]


def test_deals_multiply_as_often_as_the_chances_say():
    deals = 3_000
    seen = dict.fromkeys(field_chances(), 0)
    for number in range(deals):
        events = State.new("koikoi45", None, number).events(ALL)
        (dealt,) = [event.cards for event in events if event.kind == "deal"]
        multiplier = 2 ** len(set(dealt) & set(LIGHTS))
        assert [event.values for event in events if event.kind == "field"] == [(2 * multiplier,)], "January doubles too"
        seen[multiplier] += 1
    for multiplier, chance in field_chances().items():
        expected = deals * float(chance)
        assert abs(seen[multiplier] - expected) <= 5 * expected**0.5 + 3


def test_the_odds_hold_dealt_hands_and_multipliers_as_plain_json():
    told = odds("koikoi45")
    assert json.loads(json.dumps(told)) == told
    assert [row["id"] for row in told["dealt_hands"]] == ["teshi", "nikoniko"]
    assert told["all_hands"] == comb(45, 8)
    assert round(told["multipliers"]["expected"]["months 2 to 11"], 4) == 2.2136
    assert told["multipliers"]["expected"]["months 1 and 12"] == 2 * told["multipliers"]["expected"]["months 2 to 11"]
