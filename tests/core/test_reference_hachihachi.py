"""Hachihachi's months, by its reference: captured yaku, 下げ, hands played out."""

import random

import pytest
from hachihachi_scene import (
    LAST_CARD,
    POEMS,
    POEMS_PLANS,
    POEMS_STOCK,
    dealt,
    engine_agrees,
    first_draws,
    first_month,
    january,
    legal_at,
    piles_of,
    poems,
    recorded,
    texts,
)
from reference_cards import CHAFF, month_of
from reference_hachihachi import YAKU_KAN, check, play, yaku_of
from reference_hachihachi_money import (
    DAI,
    KAN,
    SHO,
    ZETSU,
    Payment,
    Rate,
    card_points,
    difference_scores,
    made_even,
    scores_of,
)
from reference_table import arranged_deck

from core_ext import ALL

# Captured yaku


@pytest.mark.parametrize(
    ("pile", "rows"),
    [
        ("1L 3L 8L 11L 12L", {"goko": 20}),
        ("1L 3L 8L 12L", {"shiko": 12}),
        ("1L 3L 8L 11L", {}),
        ("2A 5A 6A 7A 9A", {"goun": 12}),
        ("1R 2R 4R 5R 6R 7R 11R", {"nanatan": 10}),
        ("1R 2R 4R 5R 6R 7R 9R 11R", {"nanatan": 11}),
        ("1R 2R 3R", {"akatan": 7}),
        ("6R 9R 10R", {"aotan": 7}),
        ("6A 7A 10A", {"inoshikacho": 6}),
        ("1R 2R 3R 6R 9R 10R 7R", {"nanatan": 10, "akatan": 7, "aotan": 7}),
        ("1R 2R 4R 6A 7A 11A", {}),
    ],
)
def test_a_pile_is_worth_its_captured_yaku(pile: str, rows: dict[str, int]) -> None:
    assert yaku_of(pile.split()) == rows


def test_every_captured_yaku_has_a_row() -> None:
    assert list(YAKU_KAN) == ["goko", "shiko", "goun", "nanatan", "akatan", "aotan", "inoshikacho"]


MENUS = {
    "A": (84, 168, 336),
    "B": (84, 168, 252),
    "C": (84, 126, 168),
    "D": (84, 168, 168),
    "E": (84, 84, 84),
    "F": (84, 96, 108),
}


@pytest.mark.parametrize("field", [SHO, DAI, ZETSU])
@pytest.mark.parametrize("menu", MENUS)
def test_a_captured_yaku_pays_by_menu_and_field(menu: str, field: int) -> None:
    entry = poems(field, menu=menu)
    each = MENUS[menu][field]
    assert entry["yaku"] == [["akatan", 7]], "before the field"
    assert entry["scores"] == [2 * each - 1, -each, -each], "the next dealer's point included"


@pytest.mark.parametrize("field", [SHO, DAI, ZETSU])
@pytest.mark.parametrize("menu", MENUS)
def test_half_a_yaku_is_half_of_what_menu_and_field_make_it(menu: str, field: int) -> None:
    entry = poems(field, ("1R 2R 3R koi cancel", "4A 11L", "4R 9R"), menu=menu)
    half = MENUS[menu][field] // 2
    assert (entry["ended"], entry["yaku"]) == ("cancel", [["akatan", 7]])
    assert entry["scores"] == [2 * half - 1, -half, -half]


def test_menu_f_adds_to_each_part_of_a_hand_and_to_each_yaku_but_not_to_dives_and_escapes() -> None:
    assert Rate("F", ZETSU).points(3) == 5 * KAN, "the source's 立三本"
    assert Rate("F", ZETSU).points(7) == 9 * KAN, "and its 青短"
    assert Rate("F", DAI).points(13, yaku=2) == 15 * KAN
    assert Rate("F", ZETSU).points(1, yaku=0) == KAN
    assert difference_scores([118, 62, 84], Rate("F", ZETSU)) == [30, -26, -4]
    hands = ("1R 2R 3R 8L 9A 10A 12L", "4A 5A 6A 7A 8A 11A 11L", "5R 5x 5y 4R 10R 7R 9x")
    entry = january(
        hands, "1x 2x 3x 1L 6x 7x", "8x 9y 10x 12x 11x 12y 1y", ("1R 2R 3R", "4A 11L", "declare 9x 7R"), menu="F"
    )
    assert entry["actions"][0]["action"] == "declare"
    hand, poems_paid = (5 + 2) * KAN, (7 + 1) * KAN
    assert entry["scores"] == [2 * poems_paid - hand - 1, -poems_paid - hand, 2 * hand - poems_paid]


# Dealing, landing, the order of questions


def test_draws_that_tie_for_the_earliest_month_are_drawn_again() -> None:
    decks = {0: arranged_deck((48, "3x 3y 7x 9A 2x"))}
    match = play({}, random.Random(3), decks=decks)
    assert match["first"] == {"draws": [[0, "3x"], [1, "3y"], [2, "7x"], [0, "9A"], [1, "2x"]], "dealer": 1}
    check(match)


def test_four_of_a_month_on_the_field_go_to_the_dealer_after_the_field_was_read() -> None:
    hands = ("1R 2R 6R 8L 9A 10A 12L", "4A 5A 6A 7A 8A 11A 11L", "2A 4R 5R 7x 7R 9R 10R")
    entry = january(hands, "1x 2x 3L 3R 3x 3y", POEMS_STOCK, ("1R 2R stop", "4A", "4R"))
    assert entry["yaku"] == [["akatan", 7]], "with the dealer's 3R, in its second turn"
    assert entry["scores"] == [335, -168, -168], "the curtain made it 大場"


def test_the_fourth_card_takes_all_three_on_the_field_r2() -> None:
    entry = january(POEMS, "1L 1x 1y 2x 3x 5x", POEMS_STOCK.replace("1y", "4x"), POEMS_PLANS)
    assert "1R*1L,1x,1y" in legal_at(entry, 0)
    assert not {"1R", "1R*1L", "1R*1x"} & set(legal_at(entry, 0))


def test_questions_come_in_order_and_actions_are_listed_in_theirs() -> None:
    entry = poems(plans=("1R 2R 3R koi cancel", "4A 11L 5A", "4R 9R"))
    assert texts(entry) == "0:1R*1x 1:4A 2:4R*4A 0:2R*2x 1:11L 2:9R*9x 0:3R*3x 0:koi 1:5A*5x 0:cancel"
    assert legal_at(entry, 0) == ["1R*1x", "2R*2x", "3R*3x", "8L", "9A", "10A", "12L"]
    assert legal_at(entry, 7) == ["stop", "koi"]
    assert legal_at(entry, 9) == ["cancel", "pass"]


def test_dealt_hands_are_asked_in_turn_order_and_only_of_seats_that_have_one() -> None:
    hands = ("1L 1R 1x 2A 3L 8L 9A", "4A 5A 6A 7A 8A 11A 12L", "11R 2x 3x 4x 5x 6x 7x")
    decks = {0: first_draws(1), 1: dealt(hands)}
    entry = play({}, random.Random(1), decks=decks)["months"][0]
    assert [action["seat"] for action in entry["actions"][:3]] == [2, 0, 1]
    assert legal_at(entry, 0) == ["pass", "declare:tanichi", "declare:karasu"]
    assert legal_at(entry, 1) == ["pass", "declare"]


# 下げ

BLUES_TOO = ("1R 2R 3R 6R 9R 10R 12L", "4A 5A 6A 7A 8A 11A 11L", "2A 4R 5R 7R 8L 10A 9A")
BLUES_TOO_STOCK = "4x 4y 5x 5y 7x 7y 8x 8y 11x 11R 12x 12y 12z 1y 1L 2y"


def test_a_new_yaku_after_koi_pays_everything_in_full() -> None:
    plans = ("1R 2R 3R koi 6R 9R 10R stop", "8A 11L 5A 7A 4A", "8L 4R 5R 7R 2A")
    entry = january(BLUES_TOO, "1x 2x 3x 6x 9x 10x", BLUES_TOO_STOCK, plans)
    assert (entry["ended"], entry["yaku"]) == ("stop", [["akatan", 7], ["aotan", 7]])
    assert entry["scores"] == [335, -168, -168]


def test_the_last_card_with_no_new_yaku_cancels_by_force_and_pays_half() -> None:
    entry = poems(plans=("1R 2R 3R koi 8L 10A 12L 9A", "4A 11L 8A 7A 6A 5A", "4R 9R 7R 10R 5R 2A"))
    assert (entry["ended"], entry["winner"], entry["yaku"]) == ("cancel", 0, [["akatan", 7]])
    assert entry["actions"][-1]["action"] == "9A*9y", "nobody is asked"
    assert entry["scores"] == [83, -42, -42]
    asked = [action["action"] for action in entry["actions"] if action["legal"] == ["cancel", "pass"]]
    assert asked == ["pass"] * 11, "after every turn but the one of the koi and the last"


def test_the_last_card_of_another_seat_cancels_nothing() -> None:
    hands = (*POEMS[:2], POEMS[2].replace("6R", "6y"))
    deck = dealt(hands, "1x 2x 3x 5x 6x 7x", "9x 10x 8x 11x 12y 12x 1y", below="6R")
    plans = ("1R 2R 3R koi 8L 12L 9A 10A", "4A 11L 8A 7A 6A 5A", "4R 9R 7R 10R 5R 2A")
    entry = first_month({0: first_draws(1), 1: deck}, plans, {})
    assert texts(entry).endswith("1:11A 0:pass 2:6y 0:pass 0:10A*10y"), "seat 0 plays last and is asked till then"
    assert (entry["ended"], entry["winner"], entry["scores"]) == ("cancel", 0, [83, -42, -42])


OTHER_ENDS = ("1R 2R 3R 8L 9A 10R 12L", "4A 5A 6A 7A 10A 8A 11L", "2A 4R 5R 6R 7R 9R 11A")


def test_anothers_yaku_stops_by_itself_and_the_seat_of_the_sage_pays_it_alone_r1_r4() -> None:
    plans = ("1R 2R 3R koi", "6A 7A 10A", "4R 5R")
    entry = january(OTHER_ENDS, "1x 2x 3x 10x 6x 7x", "8x 9x 12x 12y 11x 11R 1y", plans)
    assert texts(entry).endswith("0:3R*3x 0:koi 1:10A*10x"), "no stop, no koi, no cancel is asked"
    assert (entry["ended"], entry["winner"], entry["yaku"]) == ("stop", 1, [["inoshikacho", 6]])
    own_half, paid_alone = 42, 2 * 72
    assert entry["scores"] == [2 * own_half - paid_alone, paid_alone - own_half - 1, -own_half]


def test_a_dive_of_another_is_paid_by_the_seat_of_the_sage() -> None:
    hands = ("1R 2R 3R 8L 9A 10A 12L", "6A 6x 6y 7A 8A 11A 4R", "2A 4A 5R 7R 9R 10R 11L")
    plans = ("1R 2R 3R koi pass pass 8L pass cancel", "declare 6A 7A 6x 6y", "4A 9R 10R")
    entry = january(hands, "1x 2x 3x 6R 5x 7x", "8x 9x 10x 12x 11x 12y 1y", plans)
    assert texts(entry).endswith("1:6y*6x 0:cancel")
    assert entry["scores"] == [2 * 42 - 24 - 24 - 1, -42 + 48 + 24, -42 - 24]


def test_a_dive_of_the_seat_of_the_sage_itself_is_paid_by_all() -> None:
    hands = ("1R 2R 3R 6A 6x 6y 8L", "4R 7A 8A 9A 10A 11A 12L", "2A 4A 5R 7R 9R 10R 11L")
    plans = ("declare 1R 2R 3R koi 6A 6x 6y cancel", "4R 7A 8A 9A 10A", "4A 5R 9R 10R 7R")
    entry = january(hands, "1x 2x 3x 6R 5x 7x", "8x 9x 10x 12x 11x 12y 1y 3y 2y", plans)
    assert texts(entry).endswith("0:6y*6x 0:cancel")
    hand, dive, half = 24, 12, 42
    assert entry["scores"] == [2 * (hand + dive + half) - 1, -hand - dive - half, -hand - dive - half]


def test_no_koi_with_the_last_card() -> None:
    entry = january(*LAST_CARD)
    assert texts(entry).endswith("1:3R 2:3x*3R")
    assert (entry["ended"], entry["winner"]) == ("stop", 2)


# Hands played out


def test_card_points_are_paid_by_their_difference_from_88() -> None:
    assert difference_scores([118, 62, 84], Rate("A", DAI)) == [60, -52, -8]
    assert difference_scores([118, 62, 84], Rate("A", ZETSU)) == [120, -104, -16]


@pytest.mark.parametrize(
    ("differences", "even"),
    [
        ([13, -12, -1], [12, -12, 0]),
        ([13, 1, -14], [12, 0, -12]),
        ([14, -13, -1], [12, -12, 0]),
        ([1, 1, -2], [0, 0, 0]),
        ([3, -1, -2], [2, 0, -2]),
        ([-1, 3, -2], [0, 2, -2]),
        ([4, -2, -2], [4, -2, -2]),
        ([0, 0, 0], [0, 0, 0]),
    ],
)
def test_odd_differences_are_made_even_in_menu_c_on_a_field_of_15(differences: list[int], even: list[int]) -> None:
    assert made_even(differences) == even
    points = [88 + difference for difference in differences]
    assert difference_scores(points, Rate("C", DAI)) == [3 * difference // 2 for difference in even]
    assert difference_scores(points, Rate("C", ZETSU)) == [2 * difference for difference in differences]


SOHACHI = (
    "2A 9R 11A 4x 5A 5y 7R 11L 1R 8x 10R 11x 6x 9A 9x 1y 10x 6A 3x 3L 4A 2x 11R 10y 7y 2y 7x 10A 6y 12y 5R 6R 8y 12L "
    "9y 4R 5x 8L 8A 4y 2R 7A 1x 1L 3y 12z 3R 12x",
    "1:1R 2:4A 0:7R*7y 1:9A 2:10x 0:2A*2x 1:8x*8y 2:3x 0:9R 1:10R*10x 2:3L*3x 0:5y 1:11x*11R 2:9x*9R 0:5A*5y 1:6x "
    "2:1y 0:11A 1:11L*11A 2:6A*6x 0:4x*4y",
)
FUTAHACHI = (
    "12y 8x 4y 7x 5y 10x 9y 5A 2R 12L 10y 3x 8L 12x 6R 1L 4x 9x 6x 6A 9A 4R 3L 11R 12z 7y 6y 7R 3y 1x 11A 8y 2x 1R "
    "10R 10A 2A 3R 8A 7A 11L 1y 5R 2y 11x 9R 5x 4A",
    "2:declare 0:declare 1:8L 2:1L 0:8x*8L 1:5A 2:9A 0:5y*5A 1:3x 2:6x*6y 0:9y*9A 1:10y 2:6A 0:4y*4R 1:2R 2:4x "
    "0:7x*7A 1:12x*12z 2:9x 0:10x*10y 1:12L 2:6R*6A 0:12y*12L",
)
SUJUROKU = (
    "12x 10R 9y 4y 4A 12L 10x 5x 3L 4x 3x 11R 6A 7A 4R 8y 12y 6y 7y 9R 11A 3y 7R 2y 5A 11x 7x 8A 1y 8L 1x 6x 10y 5y "
    "10A 1L 8x 3R 11L 2R 5R 1R 9x 6R 9A 12z 2x 2A",
    "2:declare 0:declare 1:3x*3y 2:4R 0:4A*4R 1:11R*11x 2:6y 0:4y 1:4x*4y 2:8y 0:9y 1:7A*7x 2:11A 0:10R 1:3L*3R "
    "2:12y 0:12L*12y 1:5x*5R 2:9R 0:10x*10R 1:6A*6R 2:7y*7R 0:12x*12z",
)
TWO_SPECIAL = (
    "5R 8x 2x 7A 7R 4A 1L 7x 12z 3y 10y 8A 7y 4y 4R 10R 5x 2R 9y 6x 12x 8y 9A 6R 3L 5A 8L 11A 4x 11L 10x 1y 3x 1x 11x "
    "1R 2y 3R 12L 11R 2A 10A 5y 6y 12y 6A 9x 9R",
    "1:declare 2:declare 1:3y*3L 2:2R 0:8x*8L 1:4y*4x 2:4R 0:1L*1y 1:10y*10x 2:10R 0:4A*4R 1:8A*8y 2:12x 0:5R*5A 1:7x "
    "2:5x 0:2x*2A 1:7y*7x 2:6x*6R 0:7A 1:12z*12y 2:9y*9A 0:7R*7A",
)


BOTH_SPECIAL = (
    "12x 11x 8x 6y 10y 5A 1y 3R 7A 5y 6A 9R 5x 7y 11R 2R 10A 7R 10R 10x 3L 4A 1x 1L 1R 8A 11L 6R 7x 8L 2x 6x 3y 9A 2y "
    "2A 12y 11A 9y 4R 4x 12z 8y 3x 5R 9x 4y 12L",
    "2:declare 0:declare 1:3R 2:2R 0:1y*1L,1R,1x 1:7y*7x 2:7R 0:11x*11L 1:5x 2:3L 0:5A*5x 1:5y 2:10A 0:10y*10A 1:6A "
    "2:10R 0:6y*6A 1:7A*7R 2:10x*10R 0:8x*8y 1:9R 2:11R*11A 0:12x",
)
ESCAPES = (
    "6R 5x 10x 9y 1y 2R 8x 3x 9R 11x 3y 4y 12z 1R 9x 7A 7y 2y 7R 12y 2A 5y 10y 8y 11R 7x 3R 11A 4R 11L 5R 10R 6y 5A "
    "10A 8L 3L 4A 12L 6x 9A 6A 1x 2x 1L 4x 12x 8A",
    "1:declare 2:declare 0:declare 1:12z 2:2A 0:1y 1:11x*11L 2:9x 0:5x 1:3x*3R 2:7A*7x 0:10x*10A 1:3y 2:2y*2A 0:8x "
    "1:1R*1y 2:12y 0:2R 1:4y 2:7R 0:9y 1:9R*9y 2:7y*7R 0:6R*6A",
)
NO_ESCAPE = (
    "12L 11A 6y 9y 5x 4x 11L 1y 10A 2x 1L 2R 10x 3x 3R 1x 7A 4R 3y 9R 2y 5R 10y 7R 9x 6x 8A 6A 5y 4A 8x 7y 8L 12z 6R "
    "9A 8y 1R 11R 4y 5A 11x 12x 12y 7x 2A 3L 10R",
    "0:declare 1:declare 2:4R 0:4x*4R 1:10x*10y 2:7A*7R 0:11L 1:3x 2:3y*3x 0:5x 1:1L 2:2y 0:12L*12z 1:2x*2y 2:3R 0:9y "
    "1:1y 2:1x*1y 0:11A*11x 1:2R 2:9R*9y 0:6y*6R 1:10A",
)

DIVE_UNDONE = (
    "1L 7x 11x 8x 6x 4A 12y 11R 3x 12L 10R 10A 10x 3L 4x 12x 1R 11L 7y 8y 6y 8L 3R 2A 4R 10y 1x 2R 11A 1y 5x 5R 7A 6A "
    "9x 8A 6R 2x 12z 7R 9A 9y 5y 9R 2y 4y 5A 3y",
    "1:declare 2:declare 1:3L*3R 2:12x 0:7x 1:10A*10y 2:4x*4R 0:11x*11A 1:10R 2:1R 0:1L*1R 1:11R 2:6y 0:4A 1:12L "
    "2:8y 0:8x*8y 1:3x 2:7y*7R 0:6x*6y 1:10x*10R 2:11L*11R 0:12y*12L",
)
ESCAPE_AND_DIVE = (
    "2R 6y 5y 4R 8y 6x 9x 1R 9y 10A 2y 9R 11x 5R 11R 7A 11L 4x 11A 9A 2A 1L 3R 3y 4y 12y 7R 12L 8A 10y 1y 5A 4A 7x 7y "
    "8L 2x 3x 6R 10R 1x 6A 5x 3L 12z 12x 10x 8x",
    "0:declare 2:declare 0:6y 1:9R 2:4x*4y 0:6x*6y 1:10A*10y 2:7A*7R 0:2R 1:9y*9R 2:11L 0:4R*4A 1:2y 1:*3y 2:2A*2y "
    "0:8y 1:1R 2:11R*11L 0:5y*5A 1:11x 2:9A 0:9x*9A 1:5R*5x 2:11A*11x",
)


def test_sohachi_pays_the_dealer() -> None:
    entry = recorded(*SOHACHI, dealer=1)
    assert (entry["ended"], entry["winner"], entry["yaku"]) == ("run_out", 1, [["sohachi", 10]])
    assert entry["scores"] == [-120, 239, -120]


def test_futahachi_pays_for_its_points_and_undoes_the_dealt_hands() -> None:
    entry = recorded(*FUTAHACHI, dealer=1)
    assert texts(entry).startswith("2:declare 0:declare")
    assert (entry["winner"], entry["yaku"]) == (0, [["futahachi", 10]])
    assert entry["scores"] == [479, -240, -240], "in 大場: neither hands nor card points"


def test_sujuroku_counts_willow_cards_and_undoes_the_dealt_hands() -> None:
    entry = recorded(*SUJUROKU, dealer=1)
    assert texts(entry).startswith("2:declare 0:declare")
    assert (entry["winner"], entry["yaku"]) == (1, [["sujuroku", 12]])
    assert entry["scores"] == [-144, 287, -144]
    pile = piles_of(entry)[1]
    assert sum(card in CHAFF for card in pile) < 16
    assert sum(card in CHAFF or month_of(card) == 11 for card in pile) == 16


@pytest.mark.parametrize(("month", "undone"), [(SOHACHI, 0), (SUJUROKU, 1)])
def test_dealt_hands_are_said_to_be_undone_where_there_were_any(month: tuple[str, str], undone: int) -> None:
    state = engine_agrees(recorded(*month, dealer=1), {})
    assert [event.name for event in state.events(ALL)].count("fukikeshi") == undone


def test_a_special_yaku_undoes_a_dive_too() -> None:
    entry = recorded(*DIVE_UNDONE, dealer=1)
    assert piles_of(entry)[1] >= {"10R", "10A", "10x"}, "the three that seat 1 declared"
    assert entry["scores"] == [575, -288, -288], "素十六 in 大場 alone"


@pytest.mark.parametrize(("menu", "kan"), [("A", 96), ("B", 72), ("C", 48), ("D", 48), ("E", 24), ("F", 28)])
def test_one_seat_may_have_two_special_yaku_and_every_menu_pays_both(menu: str, kan: int) -> None:
    entry = recorded(*BOTH_SPECIAL, dealer=1, menu=menu)
    assert (entry["winner"], entry["yaku"]) == (0, [["futahachi", 12], ["sujuroku", 12]])
    assert entry["scores"] == [2 * KAN * kan - 1, -KAN * kan, -KAN * kan], "in 絶場; F adds 2 to each, once"


def test_of_two_seats_with_special_yaku_both_are_paid_and_the_first_in_order_deals_next() -> None:
    entry = recorded(*TWO_SPECIAL, dealer=1)
    assert card_points(piles_of(entry)[0]) == 176
    assert (entry["winner"], entry["yaku"]) == (1, [["sujuroku", 12]])
    futahachi, sujuroku = (10 + 8) * 24, 12 * 24
    assert entry["scores"] == [2 * futahachi - sujuroku, 2 * sujuroku - futahachi - 1, -futahachi - sujuroku]


def test_hands_dives_escapes_and_card_points_add_up_when_hands_are_played_out() -> None:
    entry = recorded(*ESCAPES, dealer=1)
    points = [card_points(pile) for pile in piles_of(entry)]
    assert points == [100, 96, 68]
    hands = [Payment(0, 24), Payment(1, 24), Payment(2, 36)]  # 赤, 赤, 立三本
    dive = Payment(2, 12)
    escapes = [Payment(0, 12), Payment(1, 12)]
    paid = scores_of([*hands, dive, *escapes])
    assert (entry["ended"], entry["winner"], entry["yaku"]) == ("run_out", 0, [])
    assert entry["scores"] == [paid[0] + 12 - 1, paid[1] + 8, paid[2] - 20]


@pytest.mark.parametrize(
    ("menu", "scores"),
    [
        ("A", [98, -216, 117]),
        ("B", [98, -216, 117]),
        ("C", [72, -159, 86]),
        ("D", [98, -216, 117]),
        ("E", [49, -108, 58]),
        ("F", [61, -132, 70]),
    ],
)
def test_every_menu_pays_a_month_that_is_played_out_on_a_large_field(menu: str, scores: list[int]) -> None:
    """赤 and its 抜け for seat 0; for seat 2 三本 and its 飛込み, which seat 1 pays alone; and card points."""
    entry = recorded(*ESCAPE_AND_DIVE, menu=menu)
    assert [card_points(pile) for pile in piles_of(entry)] == [89, 64, 111]
    assert entry["scores"] == scores


EQUAL_POINTS = (
    "1x 8y 10x 2A 7A 7R 3y 9R 12L 9A 1R 11x 1y 4x 11A 6x 7x 12z 2y 6A 5R 10A 2x 2R 4R 4y 8A 1L 11L 12y 8L 3R 4A 7y 9y "
    "9x 5y 5A 11R 6y 8x 6R 3L 5x 10y 12x 3x 10R",
    "2:6A 0:7R 1:12L 2:2y*2R 0:10x*10A 1:4x*4y 2:5R 0:7A 1:9A*9y 2:7x*7A 0:1x*1L 1:9R*9x 2:11A 0:2A*2x 1:11x*11A "
    "2:6x*6R 0:8y*8x 1:1y 2:12z 0:3y 1:1R*1y",
)


def test_of_equal_card_points_the_earlier_seat_in_the_months_order_deals_next() -> None:
    entry = recorded(*EQUAL_POINTS, dealer=2)
    assert [card_points(pile) for pile in piles_of(entry)] == [58, 103, 103]
    assert (entry["winner"], entry["scores"]) == (2, [-30, 15, 14])


AT_88 = (
    "7A 5R 4R 5A 11x 8A 10A 6y 3y 3R 2y 3x 1x 12x 3L 12z 4x 11A 1L 5x 2R 9A 7x 11L 6R 12y 9y 2A 7R 4A 9x 1y 8L 11R 8y "
    "10x 4y 12L 10R 7y 2x 8x 6A 6x 1R 10y 5y 9R",
    "1:declare 1:3R 2:12z*12y 0:5R 1:3x*3R 1:*9y 2:1L 0:10A 1:2y*2A 2:2R 0:5A*5R 1:6y*6R 2:5x 0:8A 1:3y 2:4x 0:7A*7y "
    "1:1x 2:3L*3y 0:4R*4x 1:12x*12L 2:11A 0:11x*11A",
)


def test_with_88_card_points_there_is_no_escape() -> None:
    entry = recorded(*AT_88, dealer=1, menu="E")
    assert [card_points(pile) for pile in piles_of(entry)] == [86, 88, 90]
    paid = scores_of([Payment(1, 60)])  # 三本, 短一
    assert entry["scores"] == [paid[0] - 2, paid[1], paid[2] + 2 - 1]


def test_hikaichi_has_no_escape() -> None:
    entry = recorded(*NO_ESCAPE, dealer=2)
    assert [card_points(pile) for pile in piles_of(entry)] == [113, 57, 94]
    paid = scores_of([Payment(0, 48), Payment(1, 48)])  # 光一, 喰付
    assert entry["scores"] == [paid[0] + 25 - 1, paid[1] - 31, paid[2] + 6]
