"""Every hand of sangohana, its times and its names, by play."""

import pytest
from koikoi_scene import play, scored
from sangohana_scene import scene

from core_ext import State

FUKU_AGARI = 15


def drawn(eight: str, **options: object) -> State:
    """Seat 0 draws the last of eight cards in its first turn."""
    cards = eight.split()
    return play(scene((" ".join(cards[:7]), "", ""), cards[7], **options), "draw")


def value(eight: str, **options: object) -> tuple[str, int]:
    """The row of a hand, and what each other seat pays for it but for its timing."""
    [(row, points)] = scored(play(drawn(eight, **options), "win"))
    return row, points - FUKU_AGARI


ROWS = [
    ("素役", "4A 5A 6A 1x 1y 2x 3x 4x", "suyaku", 1),
    ("素役 of ribbons", "4R 5R 7R 1x 1y 2x 3x 4x", "suyaku", 1),
    ("下短冊", "1x 2x 3x 1R 2R 3R 4R 5R", "shimo_tanzaku", 2),
    ("下ノ種", "1x 2x 3x 2A 4A 5A 6A 9A", "shimo_no_tane", 3),
    ("下三光", "1L 3L 11L 1x 1y 2x 3x 4x", "shimo_sanko", 5),
    ("上短冊", "2A 4A 9A 1R 2R 3R 4R 5R", "kami_tanzaku", 6),
    ("上ノ種", "1R 2R 4R 2A 4A 5A 6A 11A", "kami_no_tane", 7),
    ("短三光", "1L 3L 8L 6R 9R 10R 4R 11R", "tan_sanko", 10),
    ("種三光", "8L 11L 12L 2A 4A 5A 6A 9A", "tane_sanko", 12),
    ("下五光", "1x 2x 11x 1L 3L 8L 11L 12L", "shimo_goko", 15),
    ("上五光", "2A 4A 11A 1L 3L 8L 11L 12L", "kami_goko", 20),
    ("上五光 of ribbons", "1R 2R 6R 1L 3L 8L 11L 12L", "kami_goko", 20),
]


@pytest.mark.parametrize(("eight", "row", "points"), [pytest.param(*case[1:], id=case[0]) for case in ROWS])
def test_a_row_of_the_table(eight, row, points):
    assert value(eight) == (row, points)


TIMES = [
    ("two pairs, times 2", "4A 5A 6A 1x 1y 2x 2y 4x", "suyaku", 2),
    ("two pairs and the willow, times 3", "4A 5A 6A 1x 1y 2x 2y 11x", "suyaku", 3),
    ("the willow beside one pair, times 1", "4A 5A 6A 1x 1y 2x 3x 11x", "suyaku", 1),
    ("three paulownia, times 3", "4A 5A 6A 12x 12y 12z 2x 3x", "suyaku", 3),
    ("three paulownia and a pair, times 4", "4A 5A 6A 12x 12y 12z 2x 2y", "suyaku", 4),
    ("the paulownia pair is 12y 12z", "4A 5A 6A 12y 12z 1x 2x 3x", "suyaku", 1),
    ("and counts among two pairs", "4A 5A 6A 12y 12z 1x 1y 3x", "suyaku", 2),
    ("poem ribbons, times 2", "1R 2R 3R 1x 1y 2x 3x 4x", "suyaku", 2),
    ("blue ribbons, times 2", "6R 9R 10R 1x 1y 2x 3x 4x", "suyaku", 2),
    ("both multiply: 4", "1R 2R 3R 1x 1y 2x 2y 4x", "suyaku", 4),
    ("both multiply: 6", "1R 2R 3R 1x 1y 2x 2y 11x", "suyaku", 6),
    ("both multiply: 8", "6R 9R 10R 12x 12y 12z 2x 2y", "suyaku", 8),
    ("下三光 with two pairs, times 2", "1L 3L 8L 1x 1y 2x 2y 4x", "shimo_sanko", 10),
    ("下三光 with two pairs and the willow, times 3", "1L 3L 8L 1x 1y 2x 2y 11x", "shimo_sanko", 15),
    ("下三光 with three paulownia and a pair, times 4", "1L 3L 8L 12x 12y 12z 2x 2y", "shimo_sanko", 20),
    ("上ノ種 with poem ribbons", "1R 2R 3R 2A 4A 5A 6A 7A", "kami_no_tane", 14),
    ("上ノ種 with blue ribbons", "6R 9R 10R 2A 4A 5A 6A 7A", "kami_no_tane", 14),
    ("下短冊 with three paulownia", "12x 12y 12z 4R 5R 6R 7R 9R", "shimo_tanzaku", 6),
    ("下ノ種 with three paulownia", "12x 12y 12z 4A 5A 6A 7A 9A", "shimo_no_tane", 9),
    ("ribbons among five have no times", "2A 4A 5A 1R 2R 3R 4R 5R", "kami_tanzaku", 6),
    ("nor blue ones", "1x 2x 3x 6R 9R 10R 4R 5R", "shimo_tanzaku", 2),
    ("赤五光", "1R 2R 3R 1L 3L 8L 11L 12L", "kami_goko", 40),
    ("青五光", "6R 9R 10R 1L 3L 8L 11L 12L", "kami_goko", 40),
    ("桐五光", "12x 12y 12z 1L 3L 8L 11L 12L", "shimo_goko", 45),
]


@pytest.mark.parametrize(("eight", "row", "points"), [pytest.param(*case[1:], id=case[0]) for case in TIMES])
def test_times(eight, row, points):
    assert value(eight) == (row, points)


@pytest.mark.parametrize(
    ("eight", "name"),
    [
        ("1R 2R 3R 1L 3L 8L 11L 12L", "aka_goko"),
        ("6R 9R 10R 1L 3L 8L 11L 12L", "ao_goko"),
        ("12x 12y 12z 1L 3L 8L 11L 12L", "kiri_goko"),
        ("1R 2R 6R 1L 3L 8L 11L 12L", "kami_goko"),
        ("1R 2R 3R 2A 4A 5A 6A 7A", "kami_no_tane"),
    ],
)
def test_five_lights_with_times_are_called_by_a_name_of_their_own(eight, name):
    state = play(drawn(eight), "win")
    [win] = [event for event in state.events(-1) if event.kind == "win"]
    assert win.name == name
    points, times_five, times_three, added = win.values
    assert points * times_five * times_three + added == scored(state)[0][1]
    assert len(win.cards) == 8


NO_HANDS = [
    ("five chaff without a pair", "4A 5A 6A 1x 2x 3x 4x 5x"),
    ("the yellow paulownia pairs with nothing", "4A 5A 6A 12x 12y 1x 2x 3x"),
    ("two willow cards are no pair: the swallow is an animal", "4A 5A 11A 11x 1x 2x 3x 4x"),
    ("animals and ribbons mixed in a three", "4A 5A 6R 1x 1y 2x 3x 4x"),
    ("eight chaff", "1x 1y 2x 2y 3x 3y 4x 4y"),
    ("eight ribbons", "1R 2R 3R 4R 5R 6R 7R 9R"),
    ("four and four", "2A 4A 5A 6A 1R 2R 3R 4R"),
    ("three, three and two", "2A 4A 5A 1R 2R 3R 1x 1y"),
    ("three, three and two lights", "1L 3L 1R 2R 3R 1x 1y 2x"),
    ("five, two and one", "1x 1y 2x 3x 4x 2A 4A 1R"),
    ("six and two", "1x 1y 2x 3x 4x 5x 2A 4A"),
    ("the cup is no chaff", "1x 1y 2x 3x 9A 4A 5A 6A"),
]


@pytest.mark.parametrize("eight", [pytest.param(case[1], id=case[0]) for case in NO_HANDS])
def test_no_hand(eight):
    assert "win" not in drawn(eight).legal_texts()


STRICT_PAIRS = [
    ("two pairs, times 1", "4A 5A 6A 1x 1y 2x 2y 4x", 3, 1),
    ("two pairs and the willow, times 2", "4A 5A 6A 1x 1y 2x 2y 11x", 3, 2),
    ("three paulownia and a pair, times 3", "4A 5A 6A 12x 12y 12z 2x 2y", 3, 3),
    ("or times 4", "4A 5A 6A 12x 12y 12z 2x 2y", 4, 4),
    ("beside them ribbons count as ever", "1R 2R 3R 12x 12y 12z 2x 2y", 4, 8),
]


@pytest.mark.parametrize(("eight", "kiri", "points"), [pytest.param(*case[1:], id=case[0]) for case in STRICT_PAIRS])
def test_times_under_strict_pairs(eight, kiri, points):
    assert value(eight, strict_pairs=True, strict_kiri_times=kiri) == ("suyaku", points)


@pytest.mark.parametrize("eight", ["4A 5A 6A 1x 1y 2x 3x 4x", "1L 3L 8L 12y 12z 1x 2x 3x"])
def test_five_chaff_need_two_pairs_under_strict_pairs(eight):
    assert "win" in drawn(eight).legal_texts()
    assert "win" not in drawn(eight, strict_pairs=True).legal_texts()


def test_three_paulownia_still_need_the_second_pair_under_strict_pairs_r5():
    assert "win" not in drawn("4A 5A 6A 12x 12y 12z 2x 3x", strict_pairs=True).legal_texts()


@pytest.mark.parametrize(
    ("eight", "row", "points"),
    [
        ("1x 1y 3x 1R 2R 3R 4R 5R", "shimo_tanzaku", 2),
        ("1x 1y 3x 2A 4A 5A 6A 9A", "shimo_no_tane", 3),
        ("1x 1y 3x 1L 3L 8L 11L 12L", "shimo_goko", 15),
        ("12x 12y 12z 1L 3L 8L 11L 12L", "shimo_goko", 45),
    ],
)
def test_under_strict_three_a_three_of_chaff_holds_a_pair(eight, row, points):
    assert value(eight, strict_three=True) == (row, points)


@pytest.mark.parametrize("three", ["1x 2x 3x", "12x 12y 1x"])
@pytest.mark.parametrize("five", ["1R 2R 3R 4R 5R", "2A 4A 5A 6A 9A", "1L 3L 8L 11L 12L"])
def test_under_strict_three_a_three_of_chaff_without_a_pair_is_no_hand(three, five):
    assert "win" in drawn(f"{three} {five}").legal_texts()
    assert "win" not in drawn(f"{three} {five}", strict_three=True).legal_texts()


def test_a_hand_of_the_same_cards_is_worth_the_same_on_a_discard():
    state = play(scene(("", "12x 12y 12z 1L 3L 8L 11L"), "12L"), "draw discard:12L")
    assert (state.current_player, state.legal_texts()) == (1, ["pass", "win"])
    assert scored(play(state, "win")) == [("shimo_goko", 45 + 12)]
