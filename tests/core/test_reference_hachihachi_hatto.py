"""Hachihachi's 飛込み and 法度, by its reference."""

from collections.abc import Sequence

import pytest
from hachihachi_scene import LAST_CARD, Entry, engine_agrees, january, legal_at, texts
from reference_hachihachi_hatto import Sight, helped, is_exempt
from reference_hachihachi_money import (
    KAN,
)

from core_ext import ALL

# 飛込み


def test_a_dive_is_paid_by_all_and_the_month_goes_on() -> None:
    hands = ("1R 2R 3R 8L 9A 10A 12L", "6A 6x 6y 7A 8A 11A 4R", "2A 4A 5R 7R 9R 10R 11L")
    plans = ("8L 1R 2R 9A 3R stop", "declare 6A 6x 6y", "4A 9R")
    entry = january(hands, "1x 2x 3x 6R 5x 7x", "8x 9x 10x 12x 11x 12y 1y", plans)
    assert entry["winner"] == 0
    assert entry["scores"] == [168 - 24 - 12 - 1, 48 + 24 - 84, -24 - 12 - 84]


DIVER = ("1R 2R 3R 8L 9A 10A 12L", "6R 4A 5A 7A 8A 11A 4R", "6A 6x 6y 2A 5R 9R 10R")
DIVER_FIELD = "1x 2x 3x 5x 7x 12x"
DIVER_STOCK = "8x 8y 9x 9y 10x 10y 11x 11R 12y 12z 4x 4y 1y 1L"


def test_a_dive_that_was_not_stopped_or_was_fed_is_paid_alone() -> None:
    plans = ("12L 9A 8L 1R 2R 3R stop", "4A 5A 6R 7A", "declare 6x 6y 6A 5R")
    entry = january(DIVER, DIVER_FIELD, DIVER_STOCK, plans)
    assert "6R*6x" in legal_at(entry, 5), "seat 1 could have stopped it"
    assert entry["scores"] == [168 - 24 - 1, -84 - 24 - 24, -84 + 48 + 24]


def test_a_dive_fed_while_the_three_are_still_in_hand_is_paid_alone() -> None:
    plans = ("9A 12L 8L 1R 2R 3R stop", "6R 4A 5A 7A", "declare 6A 6x 6y 5R")
    entry = january(DIVER, DIVER_FIELD, DIVER_STOCK, plans)
    assert entry["scores"] == [168 - 24 - 1, -84 - 24 - 24, -84 + 48 + 24]


DIVE_AT_THE_END = ("4A 5A 7A 9A 10A 11A 11R", "6R 3R 8L 4R 5R 7R 9R", "6A 6x 6y 1R 2x 3x 12x")
DIVE_AT_THE_END_FIELD = "1L 2R 3L 12L 4x 5x"
DIVE_AT_THE_END_STOCK = "4y 5y 7x 7y 9x 9y 10x 10y 10R 11L 11x 1x 1y 2A 2y 12y 12z 8A 8x 8y"
NEUTRAL = "4A 5A 7A 9A 10A 11A 11R"


def dive_at_the_end(offender: str, diver: str) -> Entry:
    """Seat 2 declares 三本 on a field of 絶場 and may dive; 赤短 (3R) and 四光 (8L) are feared too."""
    plans = (NEUTRAL, offender, f"declare {diver}")
    return january(DIVE_AT_THE_END, DIVE_AT_THE_END_FIELD, DIVE_AT_THE_END_STOCK, plans, below="3y")


def test_the_cheapest_of_nothing_but_hatto_cards_is_exempt_for_a_dive_too() -> None:
    entry = dive_at_the_end("4R 5R 7R 9R 6R 3R 8L", "1R 2x 3x 12x 6A 6x 6y")
    each = 4 * KAN * (2 + 1 + 7)
    assert entry["scores"] == [-each, -each, 2 * each - 1], "三本, 飛込み and 赤短 from both"


def test_not_stopping_a_dive_is_never_exempt_not_even_by_the_last_card() -> None:
    entry = dive_at_the_end("4R 5R 7R 9R 8L 3R 6R", "1R 2x 6x 6y 3x 12x 6A")
    assert texts(entry).endswith("1:6R 2:6A*6R")
    hand, dive, poems_paid = (4 * KAN * kan for kan in (2, 1, 7))
    assert entry["scores"][0] == -hand
    assert entry["scores"][1] == -hand - 2 * dive - 2 * poems_paid, "3R was dearer than 6R, so not exempt either"


# 法度

FED = ("1R 2R 3x 8L 9A 10A 12L", "3R 4A 5A 6A 7A 8A 11A", "2A 4R 5R 6R 7R 9R 10R")
FED_FIELD = "1x 2x 5x 6x 7x 12x"
FED_STOCK = "8x 9x 10x 11x 12y 4x 4y"


def test_the_card_itself_played_for_a_yaku_that_lacks_one_pays_alone_r1() -> None:
    entry = january(FED, FED_FIELD, FED_STOCK, ("1R 2R 3x stop", "4A 3R", "4R 5R"))
    assert entry["scores"] == [167, -168, 0]


def test_the_shadow_pays_alone_when_the_other_two_are_in_piles() -> None:
    hands = ("1R 2R 3R 8L 9A 10A 12L", "3x 4A 5A 6A 7A 8A 11A", "2A 3L 5R 6R 7R 9R 10R")
    entry = january(hands, "1x 2x 3y 5x 6x 7x", "8x 9x 10x 11x 12x 12y 4x", ("1R 2R 3R stop", "4A 3x", "3L 5R"))
    assert texts(entry).endswith("1:3x 2:5R*5x 0:3R*3x 0:stop")
    assert entry["scores"] == [167, -168, 0]


def test_no_shadow_while_others_of_the_month_are_out() -> None:
    hands = ("1R 2R 3R 8L 9A 10A 12L", "3x 4A 5A 6A 7A 8A 11A", "2A 3L 5R 6R 7R 9R 10R")
    entry = january(hands, "1x 2x 4x 5x 6x 7x", "8x 9x 10x 11x 12x 12y 4y", ("1R 2R 3R stop", "4A 3x", "5R 6R"))
    assert texts(entry).endswith("1:3x 2:6R*6x 0:3R*3x 0:stop")
    assert entry["scores"] == [167, -84, -84]


def test_one_card_may_be_the_card_of_one_yaku_and_the_shadow_of_another() -> None:
    """The source's example: two pine chaff are taken, 1R is played and taken by 1L for 四光 and 赤短."""
    hands = ("1L 2R 4A 3L 8L 12L 5A", "1R 5R 6A 7A 8A 11A 4R", "2A 1x 7R 6R 9R 10R 9A")
    plans = ("2R 3L 8L 12L 1L stop", "5R 6A 7A 1R", "1x 7R 6R 9R")
    entry = january(hands, "1y 2x 3R 8x 12x 11x", "4x 5x 6x 7x 9x 10x 4y 5y 6y 7y 9y 10y 2y 3x 3y", plans)
    assert entry["yaku"] == [["shiko", 12], ["akatan", 7]]
    assert entry["scores"] == [455, -456, 0]


def test_a_card_played_while_two_are_lacking_is_no_hatto_r5() -> None:
    entry = january(FED, FED_FIELD, FED_STOCK, ("1R 2R 3x stop", "3R 4A", "4R 5R"))
    assert entry["scores"] == [167, -84, -84]


def test_a_shadow_played_while_two_are_lacking_is_no_hatto_r5() -> None:
    """Both are taken in one turn, 3x with 3R from the hand and 2x with the turned 2R."""
    hands = ("1R 4R 3R 8L 9A 10A 12L", "3x 4A 5A 6A 7A 8A 11A", "2A 3L 5R 6R 7R 9R 10R")
    plans = ("1R 4R 3R stop", "4A 3x", "3L 5R")
    entry = january(hands, "1x 2x 3y 5x 6x 7x", "8x 9x 10x 11x 12x 12y 2R", plans)
    assert texts(entry).endswith("1:3x 2:5R*5x 0:3R*3x 0:stop")
    assert (entry["yaku"], entry["scores"]) == ([["akatan", 7]], [167, -84, -84])


def test_a_card_taken_in_a_later_turn_is_hatto_all_the_same_r5() -> None:
    entry = january(FED, FED_FIELD, FED_STOCK, ("1R 2R 9A 3x stop", "4A 3R 5A", "4R 5R 6R"))
    assert texts(entry).endswith("0:9A*9x 1:5A 2:6R*6x 0:3x*3R 0:stop")
    assert entry["scores"] == [167, -168, 0]


def test_a_yaku_by_hatto_that_pays_half_is_half_for_the_offender_too() -> None:
    entry = january(FED, FED_FIELD, FED_STOCK, ("1R 2R 3x koi cancel", "4A 3R", "4R 5R"))
    assert entry["ended"] == "cancel"
    assert entry["scores"] == [83, -84, 0]


def test_what_is_made_beside_a_yaku_by_hatto_is_paid_by_all() -> None:
    hands = ("1R 2R 3x 7A 10A 9A 12L", "3R 4A 5A 6R 8A 8L 11A", "2A 4R 5R 9R 7R 10R 11L")
    plans = ("1R 2R 7A 10A 3x stop", "4A 5A 8A 3R", "4R 5R 9R 7R")
    entry = january(hands, "1x 2x 7x 10x 6A 5x", "8x 4x 8y 9x 12x 12y 9y 11x 11R 1y 1L 12z 6x", plans)
    assert entry["yaku"] == [["akatan", 7], ["inoshikacho", 6]]
    assert entry["scores"] == [168 + 144 - 1, -168 - 72, -72]


LATER = ("1R 2R 3x 6R 9R 10R 12L", "3R 4A 5A 6A 7A 8A 11A", "2A 4R 5R 7R 8L 10A 9A")


def test_what_is_made_in_later_turns_is_on_the_same_offender() -> None:
    plans = ("1R 2R 3x koi 6R 9R 10R stop", "4A 3R 5A 7A 8A", "4R 5R 7R 8L 2A")
    entry = january(LATER, "1x 2x 6x 9x 10x 12x", "4x 4y 5x 5y 7x 7y 8x 8y 11x 11R 11L 12y 12z 1y 1L 2y", plans)
    assert entry["yaku"] == [["nanatan", 10], ["akatan", 7], ["aotan", 7]]
    assert entry["scores"] == [575, -576, 0]


FOUR_LIGHTS = ("1L 3L 8L 12x 11L 9A 10R", "12L 4A 5A 6R 7R 8A 11A", "2A 4R 5R 9R 6A 10A 2R")
FOUR_LIGHTS_STOCK = "4x 4y 5y 7x 7y 6y 9x 9y 10x 10y 1y 1R"


def test_goko_in_place_of_shiko_is_on_the_same_offender_as_a_whole() -> None:
    plans = ("1L 3L 8L 12x koi 11L stop", "4A 5A 12L 6R", "4R 5R 6A 9R")
    entry = january(FOUR_LIGHTS, "1x 3x 8x 5x 6x 11x", FOUR_LIGHTS_STOCK, plans)
    assert (entry["yaku"], entry["scores"]) == ([["goko", 20]], [479, -480, 0])


def test_shiko_by_hatto_that_is_goko_when_the_turn_ends_is_no_hatto_r6() -> None:
    hands = ("1L 3L 8L 12x 2R 9A 10R", FOUR_LIGHTS[1], "2A 4R 5R 9R 6A 10A 7A")
    plans = ("1L 3L 8L 12x stop", "4A 5A 12L", "4R 5R 6A")
    entry = january(hands, "1x 3x 8x 5x 6x 11L", "4x 4y 5y 7x 7y 6y 9x 9y 10x 11x", plans)
    assert (entry["yaku"], entry["scores"]) == ([["goko", 20]], [1919, -960, -960])


def test_goko_that_lacks_one_light_alone_is_hatto() -> None:
    hands = ("1L 3L 8L 12x 11x 9A 10R", FOUR_LIGHTS[1], "2A 4R 5R 9R 6A 10A 7A")
    plans = ("1L 3L 8L 11x 12x stop", "4A 5A 8A 12L", "4R 5R 6A 9R")
    entry = january(hands, "1x 3x 8x 5x 6x 11L", "4x 4y 5y 7x 7y 6y 9x 9y 10x 10y 2x 2y 1y", plans)
    assert (entry["yaku"], entry["scores"]) == ([["goko", 20]], [1919, -1920, 0])


def test_of_two_offenders_each_pays_its_own_and_the_latest_what_follows_r6() -> None:
    hands = ("1R 2R 3x 6R 9R 10x 11R", "3R 4A 5A 6A 7A 8A 11A", "2A 4R 5R 7R 8L 10R 9A")
    plans = ("1R 2R 3x koi 6R 9R 10x koi 11R", "4A 3R 5A 7A 8A 6A", "4R 5R 7R 8L 10R 2A")
    entry = january(hands, "1x 2x 6x 9x 12x 11x", "4x 4y 5x 5y 7x 7y 8x 8y 12L 12y 12z 1y 1L 2y", plans)
    assert entry["yaku"] == [["nanatan", 10], ["akatan", 7], ["aotan", 7]]
    assert entry["scores"] == [575, -168, -408]


def test_of_two_offenders_in_one_turn_the_one_taken_last_pays_what_follows_and_grows_r6() -> None:
    hands = ("1R 2R 3x 6R 9R 11R 4x", "3R 4A 5A 6A 7A 8A 7R", "2A 10R 5R 8L 10A 9A 1L")
    plans = ("1R 2R 6R 9R 3x koi 11R koi 4x", "5A 7A 7R 3R", "5R 8L 1L 10R")
    stock = "7x 7y 5x 5y 8x 8y 11A 11L 12y 12z 1y 4y 10x 2y 3L 12L"
    entry = january(hands, "1x 2x 6x 9x 12x 11x", stock, plans)
    assert texts(entry).endswith("0:4x*4R"), "七短 grew from 10 to 11 with the last card"
    assert entry["yaku"] == [["nanatan", 11], ["akatan", 7], ["aotan", 7]]
    assert entry["scores"] == [599, -168, -24 * (11 + 7)]


def test_a_standing_sage_goes_before_hatto() -> None:
    hands = ("1R 2R 3R 8L 9A 10R 12L", "4A 5A 10A 8A 11A 11L 4x", "6A 7A 10x 4R 5R 9R 2A")
    plans = ("1R 2R 3R koi", "4A 5A 10A", "6A 7A 10x")
    entry = january(hands, "1x 2x 3x 5x 6x 7x", "8x 9x 4y 12x 11x 12y 1y 1L 5y 7y", plans)
    assert texts(entry).endswith("1:10A 0:pass 2:10x*10A")
    assert entry["scores"] == [84 - 144, -42, 144 - 42 - 1], "seat 1 pays nothing for the card it fed"


def test_a_standing_sage_goes_before_hatto_for_a_dive_too() -> None:
    hands = ("1R 2R 3R 8L 9A 10A 12L", "6A 6x 6y 7A 8A 11A 4R", "2A 4A 5R 7R 9R 10R 6R")
    plans = ("1R 2R 3R koi pass pass 8L pass cancel", "declare 7A 6A 6x 6y", "6R 4A 9R")
    entry = january(hands, "1x 2x 3x 4x 5x 7x", "8x 9x 10x 12x 11x 12y 1y", plans)
    assert texts(entry).endswith("1:6y*6x 0:cancel")
    assert "2:6R " in texts(entry), "the fourth card stayed on the field"
    assert entry["scores"] == [2 * 42 - 24 - 24 - 1, -42 + 48 + 24, -42 - 24]


def test_the_last_card_is_exempt() -> None:
    assert january(*LAST_CARD)["scores"] == [-84, -84, 167]


CORNERED = ("3R 10A 4A 5A 8A 9A 11A", "1R 2R 6A 7A 3x 10x 12L", "4R 5R 8L 9R 11L 1L 2A")
CORNERED_STOCK = "4y 5y 8x 8y 9x 9y 11R 11x 12x 12y 12z 1y"
CORNERED_PLAN = "4A 5A 8A 9A 11A"


@pytest.mark.parametrize(
    ("fed", "taken", "row", "scores"),
    [("10A", "10x", "inoshikacho", [-72, 143, -72]), ("3R", "3x", "akatan", [-168, 167, 0])],
)
def test_of_nothing_but_hatto_cards_the_one_for_the_least_is_exempt_by_itself_r12(
    fed: str, taken: str, row: str, scores: list[int]
) -> None:
    plans = (f"{CORNERED_PLAN} {fed}", f"1R 2R 6A 7A 12L {taken} stop", "4R 5R 8L 9R 11L")
    entry = january(CORNERED, "1x 2x 6x 7x 4x 5x", CORNERED_STOCK, plans, below="3L 3y 10R 10y")
    assert (entry["yaku"][0][0], entry["scores"]) == (row, scores)


EVEN = ("3R 10R 4A 5A 8A 2A 11A", "1R 2R 3x 12L 7A 9A 4R", "6R 9R 10x 1L 5R 8L 11L")
EVEN_STOCK = "4y 5y 8x 8y 11R 11x 12x 12y 12z 7x 7y"


@pytest.mark.parametrize(
    ("fed", "ends", "scores"),
    [
        ("10R", ("1R 2R 12L 7A 9A 4R", "6R 9R 1L 5R 8L 10x stop"), [-84, -84, 167]),
        ("3R", ("1R 2R 12L 7A 9A 3x stop", "6R 9R 1L 5R 8L"), [-168, 167, 0]),
    ],
)
def test_of_equal_hatto_cards_the_one_for_the_seat_before_is_exempt(
    fed: str, ends: tuple[str, str], scores: list[int]
) -> None:
    plans = (f"4A 5A 8A 2A 11A {fed}", *ends)
    entry = january(EVEN, "1x 2x 6x 9x 4x 5x", EVEN_STOCK, plans, below="3L 3y 10A 10y")
    assert entry["scores"] == scores


@pytest.mark.parametrize(
    ("kept", "ribbons", "stock", "below"),
    [
        ("3R", "6R 9R 10x 1L 5R 8L 11L", "4y 5y 8x 8y 11R 11x 12x 12y 12z 7x 3L", "7y 3y 10A 10y"),
        ("3y", "6R 9R 10x 3R 5R 8L 11L", "3L 5y 8x 8y 1L 11x 12x 12y 12z 7x 7y", "4y 11R 10A 10y"),
    ],
    ids=["takes 3L from the field", "3R is in a third pile"],
)
def test_a_card_that_helps_nobody_leaves_no_other_exempt(kept: str, ribbons: str, stock: str, below: str) -> None:
    hands = (f"{kept} 10R 4A 5A 8A 2A 11A", EVEN[1], ribbons)
    plans = ("4A 5A 8A 2A 11A 10R", "1R 2R 12L 7A 9A 4R", f"6R 9R {ribbons.split()[3]} 5R 8L 10x stop")
    entry = january(hands, "1x 2x 6x 9x 4x 5x", stock, plans, below=below)
    assert entry["scores"] == [-168, 0, 167]


def test_a_card_for_both_other_seats_counts_as_one_for_the_seat_before_when_a_dive_is_paid() -> None:
    """7A would help seat 1 to 猪鹿蝶 and seat 2 to its dive, 6R seat 2 to 青短."""
    hands = ("7A 6R 1R 4A 5A 8x 11A", "6A 10A 2R 3R 8A 12L 4R", "9R 10R 7R 7x 7y 5R 8L")
    plans = ("4A 5A 8x 11A 7A 1R 6R", "6A 10A 2R 3R 8A 12L 4R", "declare 9R 10R 5R 8L 7x 7R 7y")
    stock = "12x 12y 12z 11x 11R 11L 4x 4y 8y 5x 5y 9y 2y 3y 2A 3L 9A"
    entry = january(hands, "6x 10x 10y 2x 3x 9x", stock, plans, below="1L 6y 1x 1y")
    [dive] = [
        event for event in engine_agrees(entry, {}).events(ALL) if (event.kind, event.name) == ("pay", "tobikomi")
    ]
    assert dive.values == (-12, -12, 24)


# 赤短 (3R) and 青短 (10R) on one side; on the other 猪鹿蝶 (7A), and of the same month the declared three of a dive.
EVEN_WITH_A_DIVE = ("3R 7A 10R 4A 5A 8x 11A", "1R 2R 6R 9R 3x 8A 12L", "6A 10A 7R 7x 7y 4R 5R")
EVEN_WITH_A_DIVE_STOCK = "12x 12y 12z 11x 11R 11L 4x 4y 8y 5x 5y 8L 1y 2y 9y"


@pytest.mark.parametrize(
    ("fed", "before", "after", "scores"),
    [
        ("3R", "1R 2R 6R 9R 3x stop", "declare 6A 10A 4R 5R 7R", [-36 - 84, 2 * 36 - 84, -36 + 2 * 84 - 1]),
        ("7A", "declare 6A 10A 4R 5R 7x stop", "1R 2R 6R 9R 3x", [-36 - 72, -36 - 72, 2 * 36 + 2 * 72 - 1]),
    ],
)
def test_a_dive_is_a_kan_when_equal_hatto_cards_are_weighed(
    fed: str, before: str, after: str, scores: list[int]
) -> None:
    player, ribbons, animals = EVEN_WITH_A_DIVE
    hands = (player, animals, ribbons) if fed == "3R" else (player, ribbons, animals)
    plans = (f"4A 5A 8x 11A {fed}", after, before)
    entry = january(hands, "1x 2x 6x 6y 9x 10x", EVEN_WITH_A_DIVE_STOCK, plans, below="3L 3y 10y")
    assert entry["scores"] == scores


def sight(hand: str, field: str, piles: tuple[str, str, str], threes: Sequence[tuple[int, int]] = ()) -> Sight:
    """What seat 0 sees."""
    return Sight(0, hand.split(), field.split(), [pile.split() for pile in piles], threes)


def test_a_card_helps_to_the_sum_of_what_all_seats_could_make_of_it() -> None:
    seen = sight("1R 10A", "", ("1x 1y", "2R 3R 6A 7A", "3L 8L 12L"), [(2, 10)])
    assert helped("1R", seen) == {1: ["akatan"], 2: ["shiko"]}
    assert helped("10A", seen) == {1: ["inoshikacho"], 2: ["tobikomi"]}
    assert not is_exempt("1R", seen), "7 + 12 against 6 + 1"
    assert is_exempt("10A", seen)


def test_a_card_for_both_other_seats_counts_as_one_for_the_seat_before() -> None:
    both = sight("1R 9R 10R", "", ("1x 1y", "2R 3R", "3L 8L 12L 6R"))
    assert helped("9R", both) == {}
    equal = sight("10A 6R", "", ("", "6A 7A", "9R 10R"), [(2, 10)])
    assert helped("10A", equal) == {1: ["inoshikacho"], 2: ["tobikomi"]}
    assert helped("6R", equal) == {2: ["aotan"]}
    assert is_exempt("10A", equal)
    assert is_exempt("6R", equal)


def test_the_light_that_makes_goko_counts_for_goko_alone() -> None:
    seen = sight("12L 10R", "", ("", "1L 3L 8L 11L", "6R 9R"))
    assert helped("12L", seen) == {1: ["goko"]}


def test_a_card_that_would_take_something_is_no_hatto_so_nothing_is_exempt() -> None:
    assert helped("3R", sight("3R 10R", "3x", ("", "1R 2R", "6R 9R"))) == {}
    assert not is_exempt("10R", sight("3R 10R", "3x", ("", "1R 2R", "6R 9R")))


def test_what_is_made_beside_a_second_offence_stays_with_the_first_offender_r6() -> None:
    hands = ("1R 2R 3x 6R 9R 10x 12L", "3R 4A 5A 6A 7A 8A 11A", "2A 4R 5R 7R 8L 10R 9A")
    plans = ("1R 2R 3x koi 6R 9R 10x stop", "4A 3R 5A 7A 8A", "4R 5R 7R 8L 10R")
    stock = "4x 4y 5x 5y 7x 7y 8x 8y 1L 3L 12y 12z 1y 3y 2y 11x"
    entry = january(hands, "1x 2x 6x 9x 12x 11R", stock, plans)
    assert entry["yaku"] == [["nanatan", 10], ["akatan", 7], ["aotan", 7]], "七短 by the turned 11x, after 10R"
    assert entry["scores"] == [575, -24 * (7 + 10), -24 * 7]
