"""Hachihachi's odds: every dealt hand, exact fields and years, and years that are dealt."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from reference_cards import CARDS
from reference_hachihachi_hands import dearest

from core_ext.enumerate import hand_counts
from core_ext.odds import odds
from core_ext.variants import hachihachi_odds

RULES = Path(__file__).parents[2] / "docs" / "rules" / "hachihachi.md"
COLUMNS = (None, "aka", "tanichi", "toichi", "hikaichi", "karasu")
TABLE = """
- 54461388 4384404 2414232 2145984 1053432 826704
sanbon 4025772 209436 136548 117240 95964 35040
tatesanbon 1497072 94680 54936 52968 5904 10440
kuttsuki 1473048 100512 52758 46896 23916 13590
teshi 118632 768 1782 1584 2454 1500
haneken 84804 4176 2349 2088 1218 405
ichinishi 29776 144 486 432 572 270
shiso 500 0 9 8 10 1
futasanbon 19702 642 504 420 492 0
sanbon_tatesanbon 16424 684 420 394 78 80
futatatesanbon 2154 114 66 66 0 0
"""
RATIOS = """
- 1.35195 16.7934 30.4979 34.3102 69.8945 89.0634
sanbon 18.2894 351.559 539.218 628.020 767.257 2101.29
tatesanbon 49.1821 777.662 1340.27 1390.07 12471.0 7052.59
kuttsuki 49.9842 732.540 1395.60 1570.05 3078.65 5417.89
teshi 620.651 95871.2 41318.2 46483.0 30003.7 49086.1
haneken 868.226 17631.5 31344.9 35263.0 60450.8 181800
ichinishi 2472.77 511313 151500 170438 128722 272700
shiso 147258 0 8181008 9203634 7362907 73629072
futasanbon 3737.14 114687 146089 175307 149653 0
sanbon_tatesanbon 4483.02 107645 175307 186876 943962 920363
futatatesanbon 34182.5 645869 1115592 1115592 0 0
"""
"""One hand in so many, as the source prints it."""
ROW_SUMS = {"sanbon": 4620000, "tatesanbon": 1716000, "kuttsuki": 1710720, "teshi": 126720, "haneken": 95040}


def rows(text: str) -> dict[tuple[str | None, str | None], str]:
    lines = [line.split() for line in text.split("\n") if line]
    return {
        (None if line[0] == "-" else line[0], poverty): cell
        for line in lines
        for poverty, cell in zip(COLUMNS, line[1:], strict=True)
        if cell != "0"
    }


@pytest.fixture(scope="module")
def counted():
    return hachihachi_odds.dealt_hands()


def test_all_73629072_dealt_hands_count_as_the_table_says(counted):
    assert counted == {cell: int(hands) for cell, hands in rows(TABLE).items()}
    assert sum(counted.values()) == 73_629_072
    for number, total in ROW_SUMS.items():
        assert sum(hands for cell, hands in counted.items() if cell[0] == number) == total


def test_the_rules_have_the_same_table(counted):
    text = RULES.read_text().split("**How often.**")[1].split("\n\n")[1]
    lines = [[cell.strip(" `").replace(",", "") for cell in line.strip("|").split("|")] for line in text.split("\n")]
    written = "\n".join(" ".join(line) for line in lines[2:]).replace("none", "0").replace("no number", "-")
    assert lines[0][2:] == list(COLUMNS[1:])
    assert {cell: int(hands) for cell, hands in rows(written).items()} == counted


def test_the_counts_have_the_sources_ratios_but_for_one_that_is_rounded_wrongly(counted):
    wrong = set()
    for cell, printed in rows(RATIOS).items():
        decimals = len(printed.partition(".")[2])
        if f"{73_629_072 / counted[cell]:.{decimals}f}" != printed:
            wrong.add(cell)
    assert wrong == {("teshi", "karasu")}


def test_random_hands_are_read_for_counting_as_the_reference_reads_them(counted):
    rng = random.Random(8)
    seen = dict.fromkeys(counted, 0)
    for _ in range(4000):
        reading = dearest(rng.sample(CARDS, 7))
        seen[(reading.number, reading.poverty) if reading else (None, None)] += 1
    for cell, hands in counted.items():
        expected = 4000 * hands / 73_629_072
        assert abs(seen[cell] - expected) <= 5 * expected**0.5 + 3


def test_every_way_of_reading_is_counted_once():
    counts = hand_counts("hachihachi")
    assert len(counts) >= len(rows(TABLE))
    assert sum(counts) == 73_629_072


def test_the_chances_of_fields_are_exact():
    none, dai, zetsu = map(hachihachi_odds.kind_chances, range(3))
    assert [round(100 * float(chance), 4) for chance in none] == [49.6797, 26.6501, 23.6702]
    assert [round(100 * float(chance), 4) for chance in dai] == [0, 76.3298, 23.6702]
    assert zetsu == (0, 0, 1)
    assert all(isinstance(chance, Fraction) and sum(chances) == 1 for chances in (none, dai) for chance in chances)


def test_a_years_expected_months_and_its_bound_end_are_exact():
    months, bound = hachihachi_odds.year()
    assert [round(float(expected), 4) for expected in months] == [5.7206, 3.3273, 2.9521]
    assert sum(months) == 12
    assert round(100 * float(bound), 4) == 4.4059


def test_years_that_are_dealt_agree_within_their_error():
    dealt = hachihachi_odds.simulated(40_000)
    exact = hachihachi_odds.fields()
    for kind, expected in exact["expected_months"].items():
        assert abs(dealt["expected_months"][kind] - expected) < 4 * dealt["months_error"][kind]
        assert 0 < dealt["months_error"][kind] < 0.02
    assert abs(dealt["bound_year"] - exact["bound_year"]) < 4 * dealt["bound_year_error"]


def test_the_odds_are_plain_json_and_there_for_variants_that_have_them():
    told = odds("hachihachi", years=10)
    assert json.loads(json.dumps(told)) == told
    assert set(told) == {"dealt_hands", "all_hands", "fields", "simulated"}
    assert {"number": "sanbon", "poverty": "aka", "hands": 209436} in told["dealt_hands"]
    assert {"number": "sanbon", "poverty": None, "hands": 4025772} in told["dealt_hands"]
    assert set(odds("hachihachi")) == {"dealt_hands", "all_hands", "fields"}
    assert odds("sangohana") == {"dealt_hands": [], "all_hands": 0}
    (teshi,) = odds("koikoi")["dealt_hands"]
    assert teshi["id"] == "teshi"
