"""koikoi45, by its reference: every yaku, every ruling, the source's own examples."""

import itertools
import random
from collections.abc import Sequence

import pytest
from reference_cards import ANIMALS, CHAFF, RIBBONS
from reference_koikoi45 import (
    DECK,
    DRY_LIGHTS,
    OPTIONS,
    POINTS,
    Month,
    check,
    dealt_hands,
    exchanges,
    made,
    multiplier,
    play,
    play_match,
    yaku,
)
from reference_table import ArrangedTable, RandomTable, Unanswered, arranged_deck

PLAIN_CHAFF = sorted(CHAFF & set(DECK))  # 21

PLAIN_HANDS = ("1L 2A 3L 4A 5A 6A 7A 8A", "1R 2R 3R 4R 5R 6R 7R 8L")
QUIET_FIELD = "9x 9y 10A 10x 11A 11R 1x 2x"
TESHI = "9A 9R 9x 9y 10A 10x 11L 1x"
NIKONIKO = "4A 4R 5A 5R 6A 6R 7A 7R"
THREE = "9A 9R 9x 10A 10R 11L 1x 2x"
FOUR = "9A 9R 9x 9y 10A 10R 11L 1x"


def month(
    hands: tuple[str, str] = PLAIN_HANDS,
    field: str = QUIET_FIELD,
    stock: str = "",
    answers: Sequence[str] = (),
    picks: str = "",
    dealer: int = 0,
) -> tuple[ArrangedTable, Month]:
    """A deal of February with what matters laid out."""
    deck = arranged_deck((8, hands[0]), (8, hands[1]), (8, field), (21, stock), cards=DECK)
    table = ArrangedTable([deck], answers, picks=picks, cards=DECK)
    return table, Month(table, OPTIONS, 2, dealer)


def asked(game: Month) -> tuple[int, list[str]]:
    """Play until the answers run out: the seat that is asked then, and what it may do."""
    with pytest.raises(Unanswered) as end:
        game.play()
    return end.value.seat, end.value.legal


# Yaku

ROWS = {
    "goko": ("1L 3L 8L 11L 12L", 10),
    "shiko": ("1L 3L 8L 12L", 8),
    "ameshiko": ("1L 8L 11L 12L", 7),
    "sanko": ("3L 8L 12L", 5),
    "tsukihanami": ("3L 8L 9A", 10),
    "hanami": ("3L 9A", 5),
    "tsukimi": ("8L 9A", 5),
    "inoshikacho": ("6A 7A 10A", 5),
    "akatan": ("1R 2R 3R", 5),
    "aotan": ("6R 9R 10R", 5),
    "tane": ("2A 4A 5A 6A 7A", 1),
    "tan": ("1R 2R 4R 5R 6R", 1),
    "kasu": ("1x 1y 2x 2y 3x 3y 4x 4y 5x 5y", 1),
}


@pytest.mark.parametrize(("name", "cards", "points"), [(name, *row) for name, row in ROWS.items()])
def test_a_yaku_needs_all_its_cards_and_pays_its_points_r1(name: str, cards: str, points: int) -> None:
    pile = set(cards.split())
    assert yaku(pile)[name] == points
    for card in pile:
        assert name not in yaku(pile - {card})


@pytest.mark.parametrize("name", POINTS)
def test_the_points_of_every_row_are_an_option_r1(name: str) -> None:
    options = {**OPTIONS, f"points.{name}": 13}
    if name in ROWS:
        assert yaku(ROWS[name][0].split(), options)[name] == 13
    else:
        hands = TESHI if name == "teshi" else NIKONIKO, "1R 2R 3R 4x 5x 6x 7x 8L"
        _, game = month(hands, "3x 8A 10y 11A 11R 1y 2y 12L", answers=["declare"])
        game.options = options
        assert game.play() == (0, 13)


@pytest.mark.parametrize("three", [set(three) for three in itertools.combinations(sorted(DRY_LIGHTS), 3)])
def test_any_three_dry_lights_are_sanko_and_with_the_rain_man_ameshiko(three: set[str]) -> None:
    assert yaku(three) == {"sanko": 5}
    assert yaku(three | {"11L"}) == {"ameshiko": 7}


def test_the_rain_man_and_two_lights_are_nothing_r1() -> None:
    assert yaku({"1L", "8L", "11L"}) == {}


def test_the_dearest_light_yaku_counts_alone() -> None:
    assert yaku(DRY_LIGHTS | {"11L"}) == {"goko": 10}
    assert yaku(DRY_LIGHTS) == {"shiko": 8}
    assert yaku(DRY_LIGHTS, {**OPTIONS, "points.sanko": 9}) == {"sanko": 9}


def test_tsukihanami_stands_in_place_of_both_cups() -> None:
    assert yaku({"3L", "8L", "9A"}) == {"tsukihanami": 10}


def test_all_other_yaku_add_up() -> None:
    assert yaku({"1R", "2R", "3R", "6R", "9R", "10R"}) == {"akatan": 5, "aotan": 5, "tan": 2}
    assert yaku({"3L", "9A", "6A", "7A", "10A", "2A"}) == {"hanami": 5, "inoshikacho": 5, "tane": 1}


@pytest.mark.parametrize(
    ("name", "cards", "most"),
    [("tane", ANIMALS, 5), ("tan", RIBBONS, 6), ("kasu", CHAFF & set(DECK), 12)],
)
def test_a_count_pays_one_and_one_for_each_more(name: str, cards: set[str], most: int) -> None:
    assert yaku(cards)[name] == most


def test_the_cup_and_the_phoenix_are_chaff_beside_what_else_they_are_r1() -> None:
    eight = set(PLAIN_CHAFF[:8])
    assert yaku(eight | {"9A"}) == {}
    assert yaku(eight | {"9A", "12L"}) == {"kasu": 1}
    assert yaku(eight | {"9A", "12L", "1L", "8L"}) == {"sanko": 5, "tsukimi": 5, "kasu": 1}


def test_a_yaku_is_made_when_it_is_new_or_worth_more_r4() -> None:
    assert made({}, {"kasu": 1})
    assert made({"kasu": 1}, {"kasu": 2})
    assert made({"hanami": 5}, {"tsukihanami": 10})
    assert not made({"kasu": 1}, {"kasu": 1})


# The month's multiplier


@pytest.mark.parametrize(
    ("number", "field", "births", "times"),
    [
        (2, "1x 2x", [0, 0], 1),
        (1, "1x 2x", [0, 0], 2),
        (12, "1x 2x", [0, 0], 2),
        (2, "1x 2x", [2, 0], 2),
        (2, "1x 2x", [2, 2], 4),
        (1, "1x 2x", [1, 1], 8),
        (12, "1x 2x", [12, 3], 4),
        (2, "8L 2x", [0, 0], 2),
        (2, "8L 11L 12L", [0, 0], 8),
        (1, "1L 3L 8L 11L 12L", [1, 1], 256),
    ],
)
def test_month_births_and_lights_of_the_field_double_r2(number: int, field: str, births: list[int], times: int) -> None:
    """A January of two January births is eightfold from the first card: the source's example."""
    assert multiplier(number, field.split(), births) == times


# Dealt hands


def test_four_of_a_month_are_teshi_and_four_pairs_are_nikoniko() -> None:
    assert dealt_hands(TESHI.split()) == {("teshi", 9)}
    assert dealt_hands(NIKONIKO.split()) == {("nikoniko", 0)}
    assert dealt_hands(PLAIN_HANDS[0].split()) == set()
    assert dealt_hands(THREE.split()) == set()


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_first_to_declare_wins_unmultiplied_and_the_dealer_is_asked_first(dealer: int) -> None:
    table, game = month((TESHI, NIKONIKO), "8L 12L 3L 1L 2R 2y 3R 8A", answers=["declare"], dealer=dealer)
    assert game.times == 16
    assert game.play() == (dealer, 6)
    last = table.months[-1]
    assert last["actions"] == [{"seat": dealer, "action": "declare", "legal": ["pass", "declare"]}]
    assert (last["ended"], last["yaku"]) == ("declare", [["teshi" if dealer == 0 else "nikoniko", 6]])


def test_when_the_dealer_passes_its_hand_the_other_seat_is_asked() -> None:
    _, game = month((TESHI, NIKONIKO), "8L 12L 3L 1L 2R 2y 3R 8A", answers=["pass", "declare"])
    assert game.play() == (1, 6)


# Exchanges


def test_three_of_a_month_may_be_exchanged_and_of_four_one_is_kept_out() -> None:
    assert exchanges(THREE.split()) == {"exchange:9": ["9A", "9R", "9x"]}
    assert list(exchanges(FOUR.split())) == [f"exchange:9:{kept}" for kept in ("9A", "9R", "9x", "9y")]
    assert exchanges(FOUR.split())["exchange:9:9R"] == ["9A", "9x", "9y"]
    assert exchanges(PLAIN_HANDS[0].split()) == {}


def test_the_picked_card_goes_under_the_stock_and_its_top_card_comes() -> None:
    _, game = month((THREE, "1R 2R 3R 4x 5x 6x 7x 8L"), "3x 8A 10y 11A 11R 1y 2y 4A", "12L", ["exchange:9"], "9R")
    assert asked(game)[0] == 0
    assert game.hands[0] == {"9A", "9x", "10A", "10R", "11L", "1x", "2x", "12L"}
    assert game.stock[-1] == "9R"
    assert len(game.stock) == 21


def test_the_other_seat_exchanges_before_the_dealer() -> None:
    hands = (THREE, "4A 4R 4x 5A 6A 7A 8A 12L")
    field = "3x 8x 10y 11A 11R 1y 2y 5R"
    _, game = month(hands, field, answers=["pass"], dealer=0)
    assert asked(game) == (0, ["pass", "exchange:9"])
    _, game = month(hands, field, dealer=0)
    assert asked(game) == (1, ["pass", "exchange:4"])


def test_a_seat_is_asked_again_while_it_can_exchange() -> None:
    """The source's example: a teshi that is not declared is exchanged, and what is left once more."""
    hands = (FOUR, "1R 2R 3R 4x 5x 6x 7x 8L")
    field = "3x 8A 10y 11A 11R 1y 2y 4A"
    _, game = month(hands, field, "4R 5A", ["pass", "exchange:9:9A"], "9R")
    assert asked(game) == (0, ["pass", "exchange:9"])
    _, game = month(hands, field, "4R 5A", ["pass", "exchange:9:9A", "exchange:9"], "9R 9A")
    seat, legal = asked(game)
    assert (seat, "pass" in legal) == (0, False)


def test_a_hand_made_by_an_exchange_is_asked_at_once() -> None:
    hands = ("9A 9R 9x 10A 10R 11L 1x 1y", "2R 3R 4x 5x 6x 7x 8L 8x")
    field = "3x 8A 10y 11A 11R 2A 2y 4A"
    table, game = month(hands, field, "11x 5A", ["exchange:9", "declare"], "9R")
    assert game.play() == (0, 6)
    assert table.months[-1]["yaku"] == [["nikoniko", 6]]
    assert table.months[-1]["actions"][-1]["legal"] == ["pass", "declare"]


def test_a_teshi_that_was_passed_is_not_asked_again_after_another_exchange() -> None:
    hands = ("9A 9R 9x 9y 10A 10R 10x 11L", "2R 3R 4x 5x 6x 7x 8L 8x")
    field = "3x 8A 1L 11A 11R 2A 2y 4A"
    _, game = month(hands, field, "5A", ["pass", "exchange:10"], "10R")
    assert asked(game) == (0, ["pass", *(f"exchange:9:{kept}" for kept in ("9A", "9R", "9x", "9y"))])


def test_after_21_exchanges_of_a_seat_its_turn_to_exchange_is_over_r6() -> None:
    """A stock of one card gives back what went under it: only the bound ends that."""
    table, game = month((THREE, "1R 2R 3R 4x 5x 6x 7x 8L"), "3x 8A 10y 11A 11R 1y 2y 4A")
    game.stock = ["9y"]
    table.answers = ["exchange:9"] * 30
    table.picks = ["9A", "9R", "9x", "9y"] * 6
    assert not game.exchanges_and_declares(0)
    assert [action["legal"] for action in table.months[-1]["actions"]] == [["pass", "exchange:9"]] * 21


# The field


def test_the_phoenix_on_the_field_doubles_and_is_the_dealers() -> None:
    _, game = month(field="9x 9y 10A 10x 11A 11R 1x 12L", dealer=1)
    assert game.times == 2
    assert asked(game)[0] == 1
    assert game.piles == [set(), {"12L"}]
    assert "12L" not in game.field


def test_four_of_a_month_on_the_field_are_the_dealers() -> None:
    _, game = month(field="9A 9R 9x 9y 10A 10x 11A 11R")
    asked(game)
    assert game.piles == [{"9A", "9R", "9x", "9y"}, set()]


def test_the_fourth_card_takes_three_on_the_field() -> None:
    _, game = month(field="1R 1x 1y 10A 10x 11A 11R 9x", hands=("1L 2A 3L 4A 5A 6A 7A 8A", "2R 3R 4R 5R 6R 7R 8L 9R"))
    assert asked(game)[1][0] == "1L*1R,1x,1y"


# Turns


def later(
    hands: tuple[str, str], field: str, stock: str, piles: tuple[str, str] = ("", ""), answers: Sequence[str] = ()
) -> tuple[ArrangedTable, Month]:
    """A later moment of a February, seat 0 to play."""
    table, game = month(answers=answers)
    game.hands = [set(hands[0].split()), set(hands[1].split())]
    game.field = set(field.split())
    game.stock = stock.split()
    game.piles = [set(piles[0].split()), set(piles[1].split())]
    return table, game


def test_the_phoenix_goes_to_the_pile_from_the_hand_and_from_the_stock() -> None:
    _, game = later(("12L 1x", "2x 3x"), "4x 5x", "6x 7x", answers=["12L"])
    assert game.turn(0) is None
    assert (game.piles[0], game.field) == ({"12L"}, {"4x", "5x", "6x"})
    _, game = later(("1x 2y", "2x 3x"), "4x 5x", "12L 7x", answers=["1x"])
    assert game.turn(0) is None
    assert (game.piles[0], game.field) == ({"12L"}, {"4x", "5x", "1x"})


def test_a_turned_card_that_meets_two_is_asked_about_and_one_that_meets_three_takes_them() -> None:
    table, game = later(("1x 2y", "2x 3x"), "4x 4y 5x", "4A", answers=["1x", "*4y"])
    game.turn(0)
    assert table.months[-1]["actions"][-1]["legal"] == ["*4x", "*4y"]
    assert game.piles[0] == {"4A", "4y"}
    _, game = later(("1x 2y", "2x 3x"), "4x 4y 4R 5x", "4A", answers=["1x"])
    game.turn(0)
    assert game.piles[0] == {"4A", "4R", "4x", "4y"}


def test_stop_wins_the_piles_value_times_the_multiplier_and_every_koi_doubles_it() -> None:
    """tsukimi and a koi, then the other seat's akatan and a koi, then tsukihanami: 10 times 4."""
    table, game = later(
        ("8L 3L 1y", "3R 5x 6y"),
        "8x 3x 3y 9R",
        "9A 10y 11x",
        ("9x", "1R 2R"),
        ["8L*8x", "koi", "3R*3y", "koi", "3L*3x", "stop"],
    )
    assert game.turns(0) == (0, 40)
    assert table.months[-1]["yaku"] == [["tsukihanami", 10]]
    assert table.months[-1]["scores"] == [40, 0]


def test_the_other_seat_gets_nothing_for_what_it_said_koi_on() -> None:
    table, game = later(("3R 1y", "3L 5x"), "3x 3y 4x", "10y 8x", ("1R 2R", "9A"), ["3R*3y", "koi", "3L*3x", "stop"])
    assert game.turns(0) == (1, 10)
    assert table.months[-1]["scores"] == [0, 10]


def test_the_choice_comes_after_a_last_card_while_the_other_seat_has_one() -> None:
    _, game = later(("3R", "5x"), "3y 4x", "10y 8x", ("1R 2R", ""), ["3R*3y"])
    with pytest.raises(Unanswered) as end:
        game.turns(0)
    assert (end.value.seat, end.value.legal) == (0, ["stop", "koi"])


def test_after_the_very_last_card_stop_is_automatic_r7() -> None:
    table, game = later(("5x", "3R"), "3y 4x", "10y 8x", ("", "1R 2R"), ["5x", "3R*3y"])
    assert game.turns(0) == (1, 5)
    assert table.months[-1]["ended"] == "stop"


def test_a_drawn_month_pays_nothing_to_a_seat_that_said_koi_and_keeps_its_dealer_r7() -> None:
    table, game = later(("3R 5x", "6x 7x"), "3y 4x", "10y 8x 1x 2x", ("1R 2R", ""), ["3R*3y", "koi", "6x", "5x", "7x"])
    assert game.turns(0) == (None, 0)
    last = table.months[-1]
    assert (last["ended"], last["winner"], last["yaku"], last["scores"]) == ("run_out", None, [], [0, 0])


# Rain


@pytest.mark.parametrize(
    ("cup", "value"), [("9A 3L", 5), ("9A 8L", 5), ("9A 3L 8L", 10)], ids=["hanami", "tsukimi", "tsukihanami"]
)
def test_rain_after_a_cup_gives_the_choice_and_the_value_to_the_other_seat(cup: str, value: int) -> None:
    table, game = later(("11L 1y", "5x 6x"), "11x 4x", "10y", (cup, "1R 2R 3R"), ["11L*11x", "stop"])
    assert game.turns(0) == (1, value)
    last = table.months[-1]
    assert (last["actions"][-1]["seat"], last["actions"][-1]["legal"]) == (1, ["stop", "koi"])
    assert (last["ended"], last["winner"], last["scores"]) == ("stop", 1, [0, value])
    assert sum(points for _, points in last["yaku"]) == value


def test_rain_pays_the_value_at_the_end_of_the_turn_times_the_multiplier() -> None:
    """The rain man makes ameshiko, the turned card akatan; the field has doubled the month twice."""
    table, game = later(("11L 1y", "5x 6x"), "11x 3x", "3R", ("9A 3L 8L 12L 1R 2R", ""), ["11L*11x", "stop"])
    game.times = 4
    assert game.turns(0) == (1, 4 * (7 + 10 + 5))
    assert table.months[-1]["yaku"] == [["ameshiko", 7], ["tsukihanami", 10], ["akatan", 5]]


def test_rain_turned_after_the_hand_card_made_the_cup_counts() -> None:
    _, game = later(("3L 1y", "5x 6x"), "3x 11x", "11L", ("9A", ""), ["3L*3x", "stop"])
    assert game.turns(0) == (1, 5)


def test_rain_before_the_cup_is_harmless() -> None:
    _, game = later(("3L 1y", "5x 6x"), "3x 4x", "10y", ("9A 11L", ""), ["3L*3x", "stop"])
    assert game.turns(0) == (0, 5)


def test_rain_by_the_hand_card_and_then_the_turned_cup_is_harmless() -> None:
    _, game = later(("11L 1y", "5x 6x"), "3x 11x", "3L", ("9A", ""), ["11L*11x", "stop"])
    assert game.turns(0) == (0, 5)


@pytest.mark.parametrize("willow", ["11A", "11R", "11x"])
def test_the_rain_man_taken_by_another_willow_is_rain(willow: str) -> None:
    _, game = later((f"{willow} 1y", "5x 6x"), "11L 4x", "10y", ("8L 9A", ""), [f"{willow}*11L", "stop"])
    assert game.turns(0) == (1, 5)


def test_other_willows_are_no_rain() -> None:
    _, game = later(("11A 3L", "5x 6x"), "11R 3x", "10y 7x 4x", ("8L 9A", ""), ["11A*11R", "5x", "3L*3x", "stop"])
    assert game.turns(0) == (0, 10)


def test_the_other_seats_koi_doubles_and_ends_the_turn_without_a_choice_for_the_rains_seat_r5() -> None:
    """The turned card made akatan: nobody asks for it in this turn."""
    table, game = later(("11L 1y", "5x 6x"), "11x 3x", "3R", ("9A 8L 1R 2R", ""), ["11L*11x", "koi"])
    with pytest.raises(Unanswered) as end:
        game.turns(0)
    assert (end.value.seat, end.value.legal) == (1, ["5x", "6x"])
    assert (game.times, game.yaku(0)) == (2, {"akatan": 5})
    assert table.months[-1]["actions"][-1]["seat"] == 1


def test_after_that_koi_no_cup_yaku_is_made_any_more_r7() -> None:
    """Without the rain the curtain would have made tsukihanami."""
    _, game = later(
        ("11L 3L", "5x 6x"), "11x 3x", "10y 7x 4x 4y", ("9A 8L", ""), ["11L*11x", "koi", "5x", "3L*3x", "6x"]
    )
    assert game.turns(0) == (None, 0)


def test_after_that_koi_a_later_yaku_pays_without_the_cups_r7() -> None:
    _, game = later(
        ("11L 3R", "5x 6x"), "11x 3x", "10y 7x 4x", ("9A 8L 1R 2R", ""), ["11L*11x", "koi", "5x", "3R*3x", "stop"]
    )
    assert game.turns(0) == (0, 10)


def test_rain_by_the_months_very_last_card_wins_for_the_other_seat_at_once_r7() -> None:
    table, game = later(("5x", "11L"), "11x 4x", "10y 7x", ("", "8L 9A"), ["5x", "11L*11x"])
    assert game.turns(0) == (0, 5)
    assert table.months[-1]["actions"][-1]["action"] == "11L*11x"


def test_rain_by_a_seats_last_card_is_still_asked_while_the_other_has_one() -> None:
    _, game = later(("11L", "5x"), "11x 4x", "10y 7x", ("8L 9A", ""), ["11L*11x"])
    with pytest.raises(Unanswered) as end:
        game.turns(0)
    assert (end.value.seat, end.value.legal) == (1, ["stop", "koi"])


# The match


def test_a_winner_deals_the_next_month_and_a_drawn_month_keeps_its_dealer() -> None:
    rng = random.Random(6)
    seen = set()
    for _ in range(20):
        months = play({}, rng)["months"]
        assert [(entry["month"], entry["attempt"]) for entry in months] == [(number, 0) for number in range(1, 13)]
        for earlier, later_one in itertools.pairwise(months):
            is_won = earlier["winner"] is not None
            assert later_one["dealer"] == (earlier["winner"] if is_won else earlier["dealer"])
            seen.add(is_won)
    assert seen == {True, False}


class AlwaysKoi(RandomTable):
    """Passes dealt hands and exchanges, and says koi whenever it may."""

    def _answer(self, seat: int, legal: list[str]) -> str:
        return next((action for action in ("koi", "pass") if action in legal), self.rng.choice(legal))


def test_no_score_can_leave_31_bits_r8() -> None:
    """Eight turns each, a koi in all but the last, five lights, two births and January: 2^23 times the dearest pile."""
    dearest = sum(yaku(DECK).values())
    assert multiplier(1, ["1L", "3L", "8L", "11L", "12L"], [1, 1]) * 2**15 * dearest < 2**31
    rng = random.Random(7)
    for _ in range(20):
        match = play_match(AlwaysKoi(rng, cards=DECK), {**OPTIONS, "birth_months": [1, 1]}, "00" * 32)
        check(match)
        assert max(map(max, (entry["scores"] for entry in match["months"]))) < 2**31


def test_random_matches_hold_by_their_own_reference() -> None:
    rng = random.Random(8)
    ended = set()
    for _ in range(150):
        options = {"birth_months": [rng.randrange(13), rng.randrange(13)]}
        options |= {f"points.{name}": rng.randrange(1, 16) for name in rng.sample(sorted(POINTS), 3)}
        match = play(options, rng)
        check(match)
        ended |= {(entry["ended"], bool(entry["picks"])) for entry in match["months"]}
        assert match["totals"] == match["result"]
        assert match["totals"] == [sum(entry["scores"][seat] for entry in match["months"]) for seat in (0, 1)]
    assert ended == {(how, picks) for how in ("stop", "declare", "run_out") for picks in (True, False)}


def test_options_of_another_variant_are_refused() -> None:
    with pytest.raises(AssertionError, match="kuitsuki"):
        play({"kuitsuki": True}, random.Random(9))
