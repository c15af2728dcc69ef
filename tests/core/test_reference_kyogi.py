"""kyogi, by its reference: every yaku, every ruling, the source's own examples."""

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from math import comb, factorial, prod

import pytest
from reference_cards import ANIMALS, CHAFF, LIGHTS, RIBBONS
from reference_kyogi import (
    DEALT_HANDS,
    DRY_LIGHTS,
    SETS,
    Deal,
    Year,
    can_stop,
    check,
    declarable,
    found_dealer,
    play,
    play_match,
    play_month,
    yaku,
)
from reference_table import ArrangedTable, RandomTable, Transcript, Unanswered, arranged_deck

PLAIN_CHAFF = sorted(CHAFF - {"11x"})  # 23, no rain among them

HANEKEN = "1L 1R 1x 2A 2R 3L 3R 4A"
OTHER_HANEKEN = "5A 5R 5x 6A 6R 7A 7R 8L"
LEFT_HAND = "4R 5A 5R 6A 6R 7A 8A 10x"
TESHI = "9A 9R 9x 9y 10A 10R 11L 12L"
PLAIN_HANDS = ("1L 2A 3L 4A 5A 6A 7A 8L", "1R 2R 3R 4R 5R 6R 7R 8A")
QUIET_FIELD = "1x 2x 3x 4x 9A 10A 11A 12L"
LIVELY_FIELD = "5A 5R 6A 7A 8L 8A 12x 12y"
FOUR_ON_THE_FIELD = "12L 12x 12y 12z 9A 10A 11A 11R"


def deal(
    hands: tuple[str, str], field: str = QUIET_FIELD, answers: Sequence[str] = (), dealer: int = 0, replay: bool = False
) -> tuple[ArrangedTable, Deal]:
    """A deal of February with what matters laid out."""
    deck = arranged_deck((8, hands[0]), (8, hands[1]), (8, field), (24, ""))
    table = ArrangedTable([deck], answers)
    table.deal(2, int(replay))
    table.dealer_is(dealer)
    return table, Deal(table, deck, dealer, replay)


def chaff(number: int) -> set[str]:
    return set(PLAIN_CHAFF[:number])


# Dealt hands


@pytest.mark.parametrize(
    ("name", "points", "hands", "percent"),
    [
        ("haneken", 3, 3_421_440, "0.906704"),
        ("teshi", 6, 1_584_000, "0.419771"),
        ("futasanbon", 9, 760_320, "0.201490"),
        ("kuttsuki", 10, 641_520, "0.170007"),
        ("futasanbon_kuttsuki", 20, 63_360, "0.016791"),
        ("teshi_kuttsuki", 40, 23_760, "0.006297"),
        ("shiso", 45, 21_120, "0.005597"),
        ("futateshi", 360, 66, "0.000018"),
    ],
)
def test_a_dealt_hand_is_as_rare_as_the_source_says(name: str, points: int, hands: int, percent: str) -> None:
    """The source prints 0.000018 where 66 hands of 377,348,994 are 0.0000175 percent."""
    patterns = [pattern for pattern, row in DEALT_HANDS.items() if row == (name, points)]
    counted = 0
    for pattern in patterns:
        assert sum(pattern) == 8
        sizes = Counter(pattern)
        months = factorial(12) // (factorial(12 - len(pattern)) * prod(factorial(same) for same in sizes.values()))
        counted += months * prod(comb(4, size) for size in pattern)
    assert counted == hands
    assert 100 * counted / comb(48, 8) == pytest.approx(float(percent), abs=0.55e-6)


def test_every_pattern_with_four_of_a_month_is_a_dealt_hand() -> None:
    def patterns(cards: int, most: int) -> list[tuple[int, ...]]:
        if cards == 0:
            return [()]
        return [(n, *rest) for n in range(min(most, cards), 0, -1) for rest in patterns(cards - n, n)]

    with_four = {pattern for pattern in patterns(8, 4) if pattern[0] == 4}
    assert with_four == {pattern for pattern in DEALT_HANDS if pattern[0] == 4}


def test_dealt_hands_are_asked_dealer_first_and_the_first_answer_is_no_secret_r1() -> None:
    table, game = deal((HANEKEN, TESHI), LIVELY_FIELD, ["pass", "declare"], dealer=1)
    game.play()
    assert [(action["seat"], action["legal"]) for action in table.months[-1]["actions"]] == [
        (1, ["pass", "declare"]),
        (0, ["pass", "declare"]),
    ]
    assert (game.winner, game.rows, game.points, game.ended) == (0, {"haneken": 3}, 3, "declare")


def test_of_two_declared_hands_the_dearer_wins_the_difference() -> None:
    _, game = deal((HANEKEN, TESHI), LIVELY_FIELD, ["declare", "declare"])
    game.play()
    assert (game.winner, game.rows, game.points) == (1, {"teshi": 6}, 3)


def test_two_equal_declared_hands_run_out() -> None:
    _, game = deal((HANEKEN, OTHER_HANEKEN), "9A 9R 10A 10R 11A 11R 12x 12y", ["declare", "declare"])
    game.play()
    assert (game.winner, game.ended, game.card_played) == (None, "run_out", False)


def test_a_dealt_hand_that_is_passed_is_played_like_any_other() -> None:
    _, game = deal((HANEKEN, LEFT_HAND), "8L 9A 10A 11A 12L 12x 12y 9R", ["pass"])
    with pytest.raises(Unanswered) as asked:
        game.play()
    assert asked.value.seat == 0
    assert "1L" in asked.value.legal


def test_four_on_the_field_run_out_when_nobody_declares() -> None:
    _, game = deal(PLAIN_HANDS, FOUR_ON_THE_FIELD)
    game.play()
    assert (game.winner, game.ended, game.card_played) == (None, "run_out", False)


@pytest.mark.parametrize(("answer", "winner"), [("declare", 0), ("pass", None)])
def test_a_dealt_hand_wins_with_four_on_the_field_too(answer: str, winner: int | None) -> None:
    _, game = deal((HANEKEN, LEFT_HAND), FOUR_ON_THE_FIELD, [answer])
    game.play()
    assert game.winner == winner


def test_a_dealt_hand_wins_in_a_replayed_month_too() -> None:
    _, game = deal((TESHI, PLAIN_HANDS[1]), "1L 2A 3L 4A 5A 6A 7A 8L", ["declare"], replay=True)
    game.play()
    assert (game.winner, game.points) == (0, 6)


# Yaku

ROWS = {
    "goko": ("1L 3L 8L 11L 12L", 24),
    "otori": ("1L 2A 4A 8A 11A 12L", 18),
    "shiko": ("1L 3L 8L 12L", 16),
    "goun": ("2A 5A 6A 7A 9A", 15),
    "ameshiko": ("1L 8L 11L 12L", 9),
    "akatan": ("1R 2R 3R", 7),
    "aotan": ("6R 9R 10R", 7),
    "kotori": ("2A 4A 8A 11A", 7),
    "inoshikacho": ("6A 7A 10A", 6),
    "teppo": ("3L 8L 9A", 6),
    "sanko": ("3L 8L 12L", 6),
    "kusa": ("4R 5R 7R", 5),
    "omote_sugawara": ("1L 2A 3L", 4),
    "tsukimi": ("8L 9A", 2),
    "hanami": ("3L 9A", 2),
    "tane": ("2A 4A 5A 6A 7A", 1),
    "tan": ("1R 2R 4R 5R 6R", 1),
    "kasu": ("1x 1y 2x 2y 3x 3y 4x 4y 5x 5y", 1),
}


@pytest.mark.parametrize(("name", "cards", "points"), [(name, *row) for name, row in ROWS.items()])
def test_a_yaku_needs_all_its_cards_and_pays_its_points(name: str, cards: str, points: int) -> None:
    pile = set(cards.split())
    assert yaku(pile)[name] == points
    for card in pile:
        assert name not in yaku(pile - {card})


def test_the_sets_of_the_lost_pictures_are_those_of_the_card_value_index_r7() -> None:
    """A card's figure is about its own worth and, for each set it is in, points / (cards in the set)!"""
    figures = {"2A": 1.29, "5A": 0.31, "6A": 1.31, "7A": 1.31, "10A": 1.18, "4A": 0.50, "8A": 0.50}
    figures |= dict.fromkeys(("1R", "2R", "3R", "6R", "9R", "10R"), 1.36) | dict.fromkeys(("4R", "5R", "7R"), 1.02)
    for card, figure in figures.items():
        own = 0.18 if card in ANIMALS else 0.19
        in_sets = sum(points / factorial(len(cards)) for cards, points in SETS.values() if card in cards)
        assert own + in_sets == pytest.approx(figure, abs=0.011), card


@pytest.mark.parametrize("three", [set(three) for three in itertools.combinations(sorted(DRY_LIGHTS), 3)])
def test_any_three_dry_lights_are_sanko_and_with_the_rain_man_ameshiko(three: set[str]) -> None:
    assert yaku(three)["sanko"] == 6
    assert yaku(three | {"11L"})["ameshiko"] == 9


def test_the_light_yaku_exclude_each_other() -> None:
    assert yaku(LIGHTS) == {"goko": 24}
    assert yaku(DRY_LIGHTS) == {"shiko": 16}
    assert yaku({"3L", "8L", "11L", "12L"}) == {"ameshiko": 9}


def test_the_rain_man_and_two_lights_are_nothing() -> None:
    assert yaku({"1L", "8L", "11L"}) == {}


def test_teppo_stands_in_place_of_both_cups_and_otori_in_place_of_kotori() -> None:
    assert yaku({"3L", "8L", "9A"}) == {"teppo": 6}
    assert yaku({"1L", "2A", "4A", "8A", "11A", "12L"}) == {"otori": 18}


def test_all_other_yaku_add_up() -> None:
    assert yaku({"2A", "5A", "6A", "7A", "9A"}) == {"goun": 15, "tane": 1}
    assert yaku({"1R", "2R", "3R", "6R", "9R", "10R"}) == {"akatan": 7, "aotan": 7, "tan": 2}
    assert yaku({"6A", "7A", "10A", "8A"}) == {"inoshikacho": 6}


@pytest.mark.parametrize(
    ("name", "cards", "most"), [("tane", ANIMALS, 5), ("tan", RIBBONS, 6), ("kasu", CHAFF | {"9A"}, 16)]
)
def test_a_count_pays_one_and_one_for_each_more(name: str, cards: set[str], most: int) -> None:
    assert yaku(cards)[name] == most


def test_the_sake_cup_is_an_animal_and_chaff_at_once() -> None:
    assert yaku(chaff(9) | {"9A", "2A", "4A", "5A", "6A"}) == {"tane": 1, "kasu": 1}


# What can be declared


def piles(before: str, hand: str, turned: str) -> tuple[set[str], set[str], set[str]]:
    """The piles of a turn from what each landing brought."""
    first = set(before.split())
    second = first | set(hand.split())
    return first, second, second | set(turned.split())


@pytest.mark.parametrize(
    ("before", "hand", "turned", "reasons"),
    [
        ("9A 9x", "8L 8x", "", {"tsukimi"}),
        ("9A 9x", "", "8L 8x", {"tsukimi"}),
        ("8L 9A", "3L 3x", "", {"teppo"}),
        ("2A 4A 5A 6A 7A", "8A 8x", "", {"tane"}),
        ("1L 3L 8L", "11L 11x", "", {"ameshiko"}),
        ("1L 3L 8L 11L", "", "12L 12x", {"goko"}),
        ("8L 9A", "1R 1x", "2R 2x", set()),
    ],
    ids=["by hand", "by the turned card", "in place of a cheaper row", "grown", "dearer", "dearest", "nothing new"],
)
def test_a_new_a_grown_and_a_dearer_yaku_can_be_declared_r2(
    before: str, hand: str, turned: str, reasons: set[str]
) -> None:
    assert declarable(*piles(before, hand, turned)) == reasons


def test_rain_voids_the_cups_and_only_them() -> None:
    assert yaku({"3L", "8L", "9A", "11x"}) == {}
    assert yaku({"1R", "2R", "3R", "8L", "9A", "11R"}) == {"akatan": 7}


@pytest.mark.parametrize("willow", ["11L", "11A", "11R", "11x"])
def test_any_willow_card_is_rain(willow: str) -> None:
    assert yaku({"8L", "9A", willow}) == {}


def test_the_crane_makes_the_cups_valid_again() -> None:
    assert yaku({"3L", "8L", "9A", "11x", "1L"})["teppo"] == 6


def test_the_turned_willow_voids_the_cup_of_the_hand_card() -> None:
    assert declarable(*piles("9A", "8L 8x", "11A 11x")) == set()


def test_a_willow_does_no_harm_to_a_pile_with_the_crane() -> None:
    assert declarable(*piles("1L 9A", "8L 8x", "11A 11x")) == {"tsukimi"}


def test_sunrise_alone_is_no_reason_to_stop() -> None:
    turn = piles("8L 9A 11A 11x", "1L 1x", "")
    assert yaku(turn[2]) == {"tsukimi": 2}
    assert declarable(*turn) == set()


def test_a_cup_in_the_rain_and_then_the_turned_crane_is_no_reason_to_stop() -> None:
    assert declarable(*piles("9A 11A 11x", "8L 8x", "1L 1x")) == set()


def test_the_crane_by_hand_and_then_the_turned_cup_is_a_reason_to_stop() -> None:
    assert declarable(*piles("9A 11A 11x", "1L 1x", "8L 8x")) == {"tsukimi"}


def test_a_sunrise_pays_when_the_hand_card_gave_another_reason() -> None:
    turn = piles("9A 8L 11A 11x 1R 2R", "3R 3x", "1L 1x")
    assert declarable(*turn) == {"akatan"}
    assert yaku(turn[2]) == {"akatan": 7, "tsukimi": 2}


def test_a_sunrise_that_also_makes_another_yaku_can_be_stopped_on() -> None:
    assert declarable(*piles("3L 8L 9A 11x", "", "1L 1x")) == {"sanko"}


def test_ten_chaff_with_the_cup_pay_but_are_no_reason_to_stop() -> None:
    turn = *itertools.repeat(chaff(8) | {"9A"}, 2), chaff(9) | {"9A"}
    assert yaku(turn[2]) == {"kasu": 1}
    assert declarable(*turn) == set()


@pytest.mark.parametrize(
    ("before", "after"),
    [(chaff(9), chaff(10)), (chaff(9) | {"9A"}, chaff(10) | {"9A"}), (chaff(10), chaff(10) | {"9A"})],
    ids=["ten without the cup", "eleven with the cup", "the cup as the eleventh"],
)
def test_ten_chaff_without_the_cup_and_eleven_with_it_can_be_stopped_on(before: set[str], after: set[str]) -> None:
    assert declarable(before, before, after) == {"kasu"}


def test_ten_with_the_cup_by_hand_and_eleven_by_the_turned_card_can_be_stopped_on() -> None:
    assert declarable(chaff(8) | {"9A"}, chaff(9) | {"9A"}, chaff(10) | {"9A"}) == {"kasu"}


@pytest.mark.parametrize(
    ("before", "hand", "enough"),
    [
        ("9A", "8L 8x", False),
        ("9A 1R 2R", "3R 3x", True),
        ("9A 8L 2A 4A 5A 6A 7A", "1R 1x", False),
        ("9A 8L 2A 4A 5A 7A", "6A 6x", True),
    ],
    ids=["two mon", "seven mon", "three mon, nothing new", "three mon by adding up"],
)
def test_a_replayed_month_needs_three_mon_and_a_reason(before: str, hand: str, enough: bool) -> None:
    turn = piles(before, hand, "")
    assert can_stop(*turn, is_replay=True) == enough


def test_two_mon_are_enough_in_a_first_attempt() -> None:
    assert can_stop(*piles("9A", "8L 8x", ""), is_replay=False)


def test_ten_chaff_with_the_cup_do_not_count_toward_three_mon() -> None:
    before = chaff(9) | {"9A"}
    turn = before, before | {"8L"}, before | {"8L"}
    assert sum(yaku(turn[2]).values()) == 3
    assert declarable(*turn) == {"tsukimi"}
    assert not can_stop(*turn, is_replay=True)


def test_eleven_chaff_with_the_cup_count_toward_three_mon() -> None:
    turn = chaff(9) | {"9A", "8L"}, chaff(10) | {"9A", "8L"}, chaff(10) | {"9A", "8L"}
    assert sum(yaku(turn[2]).values()) == 4
    assert can_stop(*turn, is_replay=True)


# A month


def test_stop_wins_the_value_of_the_whole_pile_and_no_koi_adds_to_it() -> None:
    hands = ("8x 3x 1L 2A 4A 5A 6A 7A", "1R 2R 3R 4R 5R 6R 7R 10A")
    deck = arranged_deck((8, hands[0]), (8, hands[1]), (8, "8L 3L 9R 10x 11x 12x 12y 12z"), (24, "9A 11A 9x 11R"))
    answers = ["8x*8L", "koi", "1R", "3x*3L", "stop"]
    table = ArrangedTable([deck], answers)
    table.deal(2, 0)
    table.dealer_is(0)
    game = Deal(table, deck, 0, is_replay=False)
    game.play()
    assert (game.winner, game.ended, game.rows, game.points) == (0, "stop", {"teppo": 6}, 6)
    assert table.months[-1]["actions"][1]["legal"] == ["stop", "koi"]


class NeverEnds(RandomTable):
    """Every hand is passed and every stop forgone."""

    def _answer(self, seat: int, legal: list[str]) -> str:
        return next((action for action in ("koi", "pass") if action in legal), self.rng.choice(legal))


@pytest.fixture(scope="module")
def endless() -> Transcript:
    return play_match(NeverEnds(random.Random(4)), {}, "00" * 32)


def test_a_year_without_a_stop_meets_every_safeguard_r4(endless: Transcript) -> None:
    """21 attempts of each month, eight added seasons, nobody wins and nobody has the ginmi."""
    match = endless
    check(match)
    places = [(entry["month"], entry["attempt"]) for entry in match["months"]]
    assert places == [(month, attempt) for month in range(1, 37) for attempt in range(21)]
    for entry in match["months"]:
        ended = "safeguard" if entry["attempt"] == 20 else "run_out"
        assert (entry["ended"], entry["winner"], entry["yaku"], entry["scores"]) == (ended, None, [], [0, 0])
    assert (match["totals"], match["result"], match["placing"]) == ([0, 0], [0, 0], [1, 1])
    dealers = [entry["dealer"] for entry in match["months"]]
    assert match["months"][0]["actions"], "January is played from its first attempt on"
    assert all(earlier != later for earlier, later in itertools.pairwise(dealers)), "run out: the deal changes over"


def test_the_choice_comes_with_the_last_card_too(endless: Transcript) -> None:
    last = [entry["actions"][-1] for entry in endless["months"] if entry["actions"]]
    choices = [action["legal"] for action in last if action["action"] == "koi"]
    assert choices, "some month ends with a yaku by its very last card"
    assert all(legal == ["stop", "koi"] for legal in choices)


# January


@pytest.mark.parametrize(
    ("own", "other", "deals"),
    [
        ("9A 9R 1x 1y", "8L 8A 1L 1R", 0),
        ("1L 1R 1x 1y", "10A 10R 10x 10y", 0),
        ("1L 1R 2A 11L", "1x 1y 2R 12L", 1),
        ("9A 9R 1x 1y", "8L 8A 2x 2y", 1),
        ("8L 1x 2x 3x", "1L 8x 2y 3y", 1),
        ("1L 8x 2y 3y", "8L 1x 2x 3x", 0),
        ("1L 8L 2x 2y", "3L 6x 2A 2R", 0),
        ("1x 2x 3x 4x", "1y 2y 3y 4y", 0),
    ],
    ids=[
        "digits",
        "ten counts nothing",
        "months",
        "best kind",
        "its month",
        "its month, mirrored",
        "the earliest of two",
        "all equal",
    ],
)
@pytest.mark.parametrize("tentative", [0, 1])
def test_the_field_finds_the_dealer_of_january(own: str, other: str, deals: int, tentative: int) -> None:
    """`deals` is 0 when the tentative dealer deals."""
    dealer = tentative if deals == 0 else 1 - tentative
    assert found_dealer([*own.split(), *other.split()], tentative) == dealer


def test_the_tentative_dealer_takes_the_first_four_cards_of_the_field_r8() -> None:
    field = ["9x", "9y", "1x", "1y", "2A", "2x", "2y", "1R"]
    assert found_dealer(field, 0) == 0
    assert found_dealer(field[4:] + field[:4], 0) == 1


def test_a_january_that_runs_out_with_no_card_played_changes_the_tentative_roles_over() -> None:
    """The tentative dealer's four win in the first deal and in the third, the other four in the second."""
    four = arranged_deck((8, PLAIN_HANDS[0]), (8, PLAIN_HANDS[1]), (8, "9A 9R 9x 9y 10A 11A 11R 12L"), (24, ""))
    other_four = arranged_deck((8, PLAIN_HANDS[0]), (8, PLAIN_HANDS[1]), (8, "10A 11A 11R 12L 9A 9R 9x 9y"), (24, ""))
    quiet = arranged_deck((8, PLAIN_HANDS[0]), (8, PLAIN_HANDS[1]), (8, "8x 8y 9A 9x 10A 11A 11R 12L"), (24, ""))
    table = ArrangedTable([four, other_four, quiet])
    with pytest.raises(Unanswered) as asked:
        play_month(table, Year(), 0)
    assert [entry["dealer"] for entry in table.months] == [0, 0, 0]
    assert asked.value.seat == 0


def test_after_a_card_was_played_in_january_a_run_out_only_changes_the_deal_over() -> None:
    """The field of the later deals would find the same dealer over and over."""
    hands = ("1L 2A 3L 4A 5A 6A 7A 8L", "1R 2R 3R 4R 5R 6R 7R 8A")
    quiet = arranged_deck((8, hands[0]), (8, hands[1]), (8, "9A 9R 10A 10R 11A 11R 12x 12y"), (24, ""))
    four = arranged_deck((8, hands[0]), (8, hands[1]), (8, "9A 9R 9x 9y 10A 11A 11R 12L"), (24, ""))

    class Passive(ArrangedTable):
        """Plays the first card it may, and never stops."""

        def _answer(self, seat: int, legal: list[str]) -> str:
            return "koi" if "koi" in legal else legal[0]

    table = Passive([quiet, four])
    play_month(table, Year(), 0)
    dealers = [entry["dealer"] for entry in table.months]
    assert table.months[0]["ended"] == "run_out"
    assert dealers == [0, 1] * 10 + [0]


def test_later_months_are_dealt_by_the_winner_and_a_run_out_changes_the_deal_over() -> None:
    rng = random.Random(6)
    seen: set[bool] = set()
    for _ in range(10):
        months = play({}, rng)["months"]
        for earlier, later in itertools.pairwise(months):
            if later["month"] == 1:
                continue
            is_won = earlier["winner"] is not None
            assert later["dealer"] == (earlier["winner"] if is_won else 1 - earlier["dealer"])
            assert later["attempt"] == (0 if is_won else earlier["attempt"] + 1)
            seen.add(is_won)
    assert seen == {True, False}


# The year


def year_of(*months: tuple[int | None, int]) -> Year:
    year = Year()
    for winner, points in months:
        year.won(winner, points)
    return year


def test_the_example_year_of_the_source_ends_45_to_26_r6() -> None:
    """Spring 1 2 to 4; summer 1 3 6 and 5 for all three; autumn 6 to 1 12; winter 2 6 to 9."""
    a, b = 0, 1
    year = year_of((a, 1), (a, 2), (b, 4), (a, 1), (a, 3), (a, 6), (a, 6), (b, 1), (b, 12), (a, 2), (a, 6), (b, 9))
    assert year.totals == [32, 26]
    assert year.is_over()
    assert year.result() == [45, 26]


def test_a_season_won_whole_pays_five_with_its_third_month() -> None:
    year = year_of((1, 1), (1, 1))
    assert year.won(1, 2) == [0, 7]


def test_three_months_in_a_row_across_seasons_pay_nothing_more() -> None:
    assert year_of((0, 1), (1, 1), (1, 1), (1, 1), (0, 1), (0, 1)).totals == [3, 3]


def test_a_season_with_a_drawn_month_pays_nothing_more() -> None:
    assert year_of((0, 1), (None, 0), (0, 1)).totals == [2, 0]


EVEN_YEAR = [(month % 2, 1) for month in range(12)]


def test_equal_totals_add_a_season_that_pays_its_winner_too_r3() -> None:
    year = year_of(*EVEN_YEAR)
    assert not year.is_over()
    assert year.month == 13
    for _ in range(3):
        assert not year.is_over()
        year.won(0, 1)
    assert year.is_over()
    assert year.totals == [6 + 3 + 5, 6]
    assert year.result() == [14 + 5 + 9, 6]


def test_seasons_are_added_until_the_totals_differ() -> None:
    year = year_of(*EVEN_YEAR, (0, 1), (1, 1), (None, 0))
    assert not year.is_over()
    for winner in (0, 1, 0):
        year.won(winner, 1)
    assert year.is_over()


def test_eight_added_seasons_end_an_equal_year_as_a_draw_r4() -> None:
    year = year_of(*EVEN_YEAR)
    for _ in range(8):
        assert not year.is_over()
        for winner, points in ((0, 1), (1, 2), (0, 1)):
            year.won(winner, points)
    assert year.is_over()
    assert year.result() == year.totals == [22, 22]


def test_a_replayed_month_counts_once_for_its_winner_r5() -> None:
    """Random years hold replays; the ginmi counts months, and seasons pay by months."""
    rng = random.Random(7)
    for _ in range(20):
        match = play({}, rng)
        won = [entry for entry in match["months"] if entry["winner"] is not None]
        assert len({entry["month"] for entry in won}) == len(won)
        best = 0 if match["totals"][0] > match["totals"][1] else 1
        assert match["totals"][0] != match["totals"][1]
        extra = [after - before for after, before in zip(match["result"], match["totals"], strict=True)]
        assert extra[1 - best] == 0
        assert extra[best] == 5 + sum(entry["winner"] == best for entry in won)
        for entry in won:
            season = {month for month in won_by(won, entry["winner"]) if (month - 1) // 3 == (entry["month"] - 1) // 3}
            bonus = 5 if entry["month"] % 3 == 0 and len(season) == 3 else 0
            if entry["ended"] == "stop":
                paid = sum(points for _, points in entry["yaku"])
                assert entry["scores"][entry["winner"]] == paid + bonus


def won_by(won: list[dict[str, int]], seat: int) -> set[int]:
    return {entry["month"] for entry in won if entry["winner"] == seat}


# Whole matches


def test_random_years_hold_by_their_own_reference() -> None:
    rng = random.Random(8)
    for _ in range(120):
        match = play({}, rng)
        check(match)
        assert match["totals"] == [sum(entry["scores"][seat] for entry in match["months"]) for seat in (0, 1)]


def test_a_month_that_was_stopped_pays_three_mon_in_a_replay() -> None:
    rng = random.Random(9)
    replays = [
        entry
        for _ in range(30)
        for entry in play({}, rng)["months"]
        if entry["attempt"] > 0 and entry["ended"] == "stop"
    ]
    assert replays
    assert all(max(entry["scores"]) >= 3 for entry in replays)
