"""Kyogi's dealt hands, by its reference."""

from collections import Counter
from math import comb, factorial, prod

import pytest
from kyogi_scene import FOUR_ON_THE_FIELD, HANEKEN, LEFT_HAND, LIVELY_FIELD, OTHER_HANEKEN, PLAIN_HANDS, TESHI, deal
from reference_kyogi import (
    DEALT_HANDS,
)
from reference_table import Unanswered


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
