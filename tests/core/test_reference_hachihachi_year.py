"""Hachihachi's fields, 四三, year's end and record sheet, by its reference; its years are the engine's too."""

import random
from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

import pytest
from hachihachi_scene import (
    POEMS,
    POEMS_PLANS,
    POEMS_STOCK,
    dealt,
    engine_agrees_on_all,
    first_draws,
    legal_at,
    texts,
)
from reference_hachihachi import check, play
from reference_hachihachi_money import (
    DAI,
    DAI_LIGHTS,
    KAN,
    SHO,
    START,
    ZETSU,
    ZETSU_LIGHTS,
    Payment,
    Rate,
    difference_scores,
    field_kind,
    scores_of,
    year_result,
)
from reference_rigged import Decks, Plans, Policy
from reference_table import Transcript


def year(decks: Decks, policy: Policy | None = None, **options: Any) -> Transcript:
    """A year by the reference, from its first draws to its end; the engine plays it again and must agree."""
    match = play(options, random.Random(2), decks=decks, policy=policy)
    check(match)
    engine_agrees_on_all(match)
    return match


# Fields


@pytest.mark.parametrize(
    ("bind", "field", "kind", "carried"),
    [
        (SHO, "11L 1x", ZETSU, SHO),
        (SHO, "11L 12L", ZETSU, ZETSU),
        (SHO, "11L 1L 3L", ZETSU, SHO),
        (SHO, "1L", DAI, SHO),
        (SHO, "1L 8L", DAI, DAI),
        (SHO, "1L 3L 8L", DAI, DAI),
        (SHO, "1x", SHO, SHO),
        (DAI, "12L", ZETSU, SHO),
        (DAI, "12L 1L 3L", ZETSU, SHO),
        (DAI, "11L 12L", ZETSU, ZETSU),
        (DAI, "3L 8L", DAI, DAI),
        (DAI, "3L", DAI, SHO),
        (DAI, "1x", DAI, SHO),
        (ZETSU, "11L 12L", ZETSU, ZETSU),
        (ZETSU, "11L", ZETSU, SHO),
        (ZETSU, "1L 3L", ZETSU, SHO),
        (ZETSU, "1x", ZETSU, SHO),
    ],
)
def test_the_lights_dealt_and_the_bind_decide_the_field(bind: int, field: str, kind: int, carried: int) -> None:
    assert field_kind(bind, field.split()) == (kind, carried)


def test_the_expected_months_of_a_year_are_exact() -> None:
    lights = sorted(ZETSU_LIGHTS | DAI_LIGHTS)
    fields = [set(chosen) for size in range(6) for chosen in combinations(lights, size)]
    months = [0.0, 0.0, 0.0]
    binds = {SHO: 1.0}
    for _ in range(12):
        after = {SHO: 0.0, DAI: 0.0, ZETSU: 0.0}
        for bind, chance in binds.items():
            for field in fields:
                kind, carried = field_kind(bind, field)
                share = chance * comb(43, 6 - len(field)) / comb(48, 6)
                months[kind] += share
                after[carried] += share
        binds = after
    assert [round(expected, 4) for expected in months] == [5.7206, 3.3273, 2.9521]
    assert round(100 * (1 - binds[SHO]), 4) == 4.4059


# 四三

SHISO = "1L 1R 1x 1y 2A 2R 2x"


def with_shiso(month: int, hands: Sequence[str], **options: Any) -> Transcript:
    decks = {0: first_draws(0), month: dealt(hands)}
    return year(decks, Plans({}, defaults="declare declare:karasu stop pass"), **options)


def test_a_declared_shiso_ends_the_year_and_takes_ginmi_and_pot() -> None:
    match = with_shiso(1, (SHISO, "3L 3R 3x 4A 5A 8L 9A", "4R 5R 6R 7R 9R 10A 11A"))
    (entry,) = match["months"]
    assert texts(entry) == "0:declare 1:declare", "all are asked before it holds"
    assert (entry["ended"], entry["winner"], entry["yaku"]) == ("declare", 0, [["shiso", 40]])
    assert entry["scores"] == [960 - 24, -480 + 48, -480 - 24], "netted, and no point for the pot"
    assert match["result"] == [98, -46, -52]
    assert match["placing"] == [1, 2, 3]


def test_shiso_in_a_later_month_has_the_pot_of_the_months_before_and_may_still_come_last() -> None:
    match = with_shiso(3, ("", "", SHISO), menu="E")
    assert len(match["months"]) == 3
    assert sum(match["totals"]) == 3 * START - 2
    assert match["result"][2] == -match["result"][0] - match["result"][1]
    trailing = year_result([START + 3000, START - 1000, START - 2002], 2, (0, 1, 2), shiso=2)
    assert trailing == [240, -93, -147]


def test_shiso_goes_before_a_draw() -> None:
    assert year_result([START] * 3, 0, (0, 1, 2), shiso=1) == [-10, 20, -10]


def test_two_declared_shiso_make_the_year_void() -> None:
    match = with_shiso(2, (SHISO, "3L 3R 3x 3y 4A 4R 4x", ""))
    entry = match["months"][-1]
    assert (entry["month"], entry["ended"], entry["winner"], entry["yaku"]) == (2, "void", None, [])
    assert entry["scores"] == [0, 0, 0]
    assert (match["result"], match["placing"]) == ([0, 0, 0], [1, 1, 1])


def test_a_shiso_that_is_not_declared_is_played_on() -> None:
    decks = {0: first_draws(0), 1: dealt((SHISO, "", ""))}
    match = year(decks, Plans({}))
    assert match["months"][0]["actions"][0] == {"seat": 0, "action": "pass", "legal": ["pass", "declare"]}
    assert len(match["months"]) == 12


def test_a_shiso_with_willow_readings_names_both_its_parts() -> None:
    match = with_shiso(1, ("11L 11A 11R 11x 12x 12y 12z", "4A 5A 6A 7A 8A 10R 1L", POEMS[2].replace("10R", "10A")))
    entry = match["months"][0]
    readings = ("number", "tanichi", "toichi", "hikaichi", "karasu")
    assert legal_at(entry, 0) == ["pass", *(f"declare:{reading}" for reading in readings)]
    assert sorted(entry["yaku"]) == [["karasu", 4], ["shiso", 40]]


# The year


BOUND = (POEMS[0].replace("12L", "7x"), POEMS[1].replace("11L", "7y"), POEMS[2])


def test_a_bind_of_two_zetsu_lights_makes_the_next_month_zetsu() -> None:
    decks = {
        0: first_draws(0),
        1: dealt(BOUND, "1x 2x 3x 11L 12L 5x", "8x 9x 10x 12x 8y"),
        2: dealt(POEMS, "1x 2x 3x 5x 6x 7x", POEMS_STOCK),
        3: dealt(POEMS, "1x 2x 3x 5x 6x 7x", POEMS_STOCK),
    }
    plans = {1: ("1R 2R 3R stop", "4A 7A", "4R 9R"), 2: POEMS_PLANS, 3: POEMS_PLANS}
    match = year(decks, Plans(plans))
    assert [entry["scores"][1] for entry in match["months"][:3]] == [-336, -336, -84]


BINDING = dealt(BOUND, "11L 12L 1x 2x 3x 5x")
FREE = dealt(POEMS, "1x 2x 3x 5x 6x 7x")


def test_a_bound_year_goes_on_past_december_with_etsunen_only() -> None:
    decks = {12: BINDING, 13: BINDING, 14: FREE}
    assert len(year(decks)["months"]) == 12
    match = year(decks, etsunen=True)
    assert [entry["month"] for entry in match["months"]] == list(range(1, 15))
    assert sum(match["totals"]) == 3 * START - 14
    free = year({12: FREE, 11: FREE}, etsunen=True)
    assert len(free["months"]) == 12


def test_a_year_that_stays_bound_stops_after_month_48_r8() -> None:
    match = year(dict.fromkeys(range(12, 60), BINDING), etsunen=True)
    assert len(match["months"]) == 48
    assert all(entry["attempt"] == 0 for entry in match["months"])


def test_the_source_year_ends_13_71_and_minus_84_r7() -> None:
    won = [8 * KAN + 189, 72 * KAN - 250, -80 * KAN + 61]
    assert sum(won) == 0
    stones = (5, 3, 4)
    balances = [START + points - stone for points, stone in zip(won, stones, strict=True)]
    assert year_result(balances, sum(stones), (2, 0, 1)) == [13, 71, -84]


def test_the_pot_goes_to_the_last_seat_is_halved_by_two_and_its_odd_point_goes_to_the_top() -> None:
    low = START - 4 * KAN
    assert year_result([low - 12, START, START + 84], 12, (0, 1, 2)) == [-14, -10, 24]
    assert year_result([low - 12, START, START + 84], 11, (0, 1, 2)) == [-14, -10, 24]
    assert year_result([low - 1, START, START + 40], 13, (0, 1, 2)) == [-13, -10, 23]
    assert year_result([low - 6, low - 6, START + 95], 12, (0, 1, 2)) == [-14, -14, 28]
    assert year_result([low - 6, low - 6, START + 95], 11, (0, 1, 2)) == [-14, -14, 28]
    assert year_result([low - 5, low - 5, START + 97], 13, (0, 1, 2)) == [-13, -13, 26]


def test_a_tie_for_the_top_goes_to_the_last_dealer_then_to_the_next() -> None:
    balances = [START + 100, START + 100, START - 212]
    assert year_result(balances, 12, (0, 1, 2))[0] > year_result(balances, 12, (0, 1, 2))[1]
    assert year_result(balances, 12, (1, 2, 0))[1] > year_result(balances, 12, (1, 2, 0))[0]
    assert year_result(balances, 12, (2, 0, 1))[0] > year_result(balances, 12, (2, 0, 1))[1]


def test_three_equal_seats_make_the_year_a_draw() -> None:
    assert year_result([START - 4] * 3, 12, (0, 1, 2)) == [0, 0, 0]


# The source's record sheet: the payments of each month and, where it was played out, the card points.
A, B, C = range(3)


def paid(to: int, kan: int, field: int, alone: int | None = None, half: bool = False) -> Payment:
    points = Rate("A", field).points(kan)
    return Payment(to, points // 2 if half else points, alone)


SHEET_LINES: list[tuple[int, list[Payment], list[float]]] = [
    (1, [paid(C, 2, DAI)], [-4, -4, 8]),  # 三本
    (1, [paid(B, 7, DAI)], [-14, 28, -14]),  # 赤短; the line is lost, the totals force it
    (2, [paid(B, 3, SHO)], [-3, 6, -3]),  # 短一
    (2, [paid(B, 1, SHO)], [-1, 2, -1]),  # 抜け
    (3, [paid(A, 3 + 2, DAI)], [20, -10, -10]),  # 短一三本
    (3, [paid(A, 1, DAI)], [4, -2, -2]),  # 飛込み
    (3, [paid(A, 1, DAI)], [4, -2, -2]),  # 抜け
    (4, [paid(A, 12 + 2, DAI)], [56, -28, -28]),  # 素十七, which strikes out a 空素
    (5, [paid(C, 7 + 10, SHO)], [-17, -17, 34]),  # 青短 and 七短 by 下げ
    (6, [paid(A, 2, ZETSU)], [16, -8, -8]),  # 三本
    (7, [paid(B, 4, SHO)], [-4, 8, -4]),  # 光一
    (7, [paid(A, 2, SHO)], [4, -2, -2]),  # 三本
    (7, [paid(A, 1, SHO, alone=B)], [2, -2, 0]),  # 飛込み by 法度
    (8, [paid(B, 3, SHO)], [-3, 6, -3]),  # 立三本
    (8, [paid(B, 1, SHO, alone=C)], [0, 2, -2]),  # 飛込み under a 下げ
    (8, [paid(C, 7, SHO, half=True)], [-3.5, -3.5, 7]),  # 青短, cancelled
    (10, [paid(B, 2, ZETSU)], [-8, 16, -8]),  # 赤
    (10, [paid(B, 12, ZETSU)], [-48, 96, -48]),  # 四光
    (11, [paid(B, 3, DAI)], [-6, 12, -6]),  # 短一
    (11, [paid(B, 7, DAI, half=True)], [-7, 14, -7]),  # 赤短, whose 下げ fell
    (11, [paid(A, 6, DAI, alone=B)], [24, -24, 0]),  # 猪鹿蝶, paid by that 下げ
    (12, [paid(A, 2, DAI)], [8, -4, -4]),  # 赤
    (12, [paid(C, 6, DAI)], [-12, -12, 24]),  # 猪鹿蝶
]
SHEET_CARDS: dict[int, tuple[int, list[int], list[int]]] = {
    2: (SHO, [78, 89, 97], [-10, 1, 9]),
    3: (DAI, [118, 62, 84], [60, -52, -8]),
    6: (ZETSU, [121, 39, 104], [132, -196, 64]),
    7: (SHO, [101, 76, 87], [13, -12, -1]),
    9: (SHO, [88, 103, 73], [0, 15, -15]),
}
SHEET_NEXT_DEALERS = [B, C, A, A, C, A, A, C, B, B, A, C]


@pytest.mark.parametrize(("month", "payments", "kan"), SHEET_LINES)
def test_each_line_of_the_record_sheet_is_paid_so_r7(month: int, payments: list[Payment], kan: list[float]) -> None:
    assert scores_of(payments) == [KAN * each for each in kan], f"month {month}"


@pytest.mark.parametrize("month", SHEET_CARDS)
def test_each_months_card_points_of_the_record_sheet_are_paid_so_r7(month: int) -> None:
    field, points, expected = SHEET_CARDS[month]
    assert difference_scores(points, Rate("A", field)) == expected


def test_the_record_sheet_adds_up_to_its_year_r7() -> None:
    totals = [0, 0, 0]
    for _, payments, _ in SHEET_LINES:
        totals = [total + score for total, score in zip(totals, scores_of(payments), strict=True)]
    for _, _, scores in SHEET_CARDS.values():
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
    assert totals == [8 * KAN + 189, 72 * KAN - 250, -80 * KAN + 61]
    stones = [SHEET_NEXT_DEALERS.count(seat) for seat in (A, B, C)]
    assert stones == [5, 3, 4]
    balances = [START + total - stone for total, stone in zip(totals, stones, strict=True)]
    last_order = (SHEET_NEXT_DEALERS[-2], B, C)
    assert year_result(balances, sum(stones), last_order) == [13, 71, -84]
