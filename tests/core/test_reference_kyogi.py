"""Kyogi's turns and months, by its reference: what can be declared, rain, the three mon, safeguards."""

import itertools
import random

import pytest
from kyogi_scene import chaff
from reference_kyogi import (
    Deal,
    can_stop,
    check,
    declarable,
    play_match,
    yaku,
)
from reference_table import ArrangedTable, RandomTable, Transcript, arranged_deck


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
