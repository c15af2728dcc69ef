"""Every row of koikoi's yaku table, by what a pile with its cards is worth."""

import random
from functools import partial

import matching_scene
import pytest
import reference_koikoi
from reference_cards import CARDS

from core_ext import Counter, State, variant_info
from core_ext.cards import CARD_NAMES

pile_points = partial(matching_scene.pile_points, "koikoi")

FIVE_ANIMALS = "2A 4A 5A 6A 8A"
FIVE_RIBBONS = "1R 2R 4R 5R 7R"
EIGHT_CHAFF = "1x 2x 3x 4x 5x 6x 7x 8x"
TEN_CHAFF = "1x 1y 2x 2y 3x 3y 4x 4y 5x 5y"


@pytest.mark.parametrize(
    ("pile", "points"),
    [
        pytest.param("1L 3L 8L 11L 12L", 15, id="goko"),
        pytest.param("1L 3L 8L 12L", 10, id="shiko"),
        pytest.param("11L 1L 3L 12L", 8, id="ameshiko"),
        pytest.param("11L 3L 8L 12L", 8, id="ameshiko of other lights"),
        pytest.param("1L 3L 8L", 6, id="sanko"),
        pytest.param("6A 7A 10A", 5, id="inoshikacho"),
        pytest.param("3L 9A", 5, id="hanami"),
        pytest.param("8L 9A", 5, id="tsukimi"),
        pytest.param("3L 8L 9A", 10, id="hanami and tsukimi add up"),
        pytest.param(FIVE_ANIMALS, 1, id="tane"),
        pytest.param(f"{FIVE_ANIMALS} 9A 11A", 3, id="tane, two more, the cup among them"),
        pytest.param("1R 2R 3R", 6, id="akatan"),
        pytest.param("6R 9R 10R", 6, id="aotan"),
        pytest.param(FIVE_RIBBONS, 1, id="tanzaku"),
        pytest.param(f"{FIVE_RIBBONS} 11R", 2, id="tanzaku, one more, the willow's"),
        pytest.param(TEN_CHAFF, 1, id="kasu"),
        pytest.param(f"{TEN_CHAFF} 12x 11x", 3, id="kasu, two more"),
        pytest.param("1R 2R 3R 4R 5R", 7, id="akatan and tanzaku add up"),
        pytest.param("6A 7A 10A 2A 4A", 6, id="inoshikacho and tane add up"),
        pytest.param(" ".join(sorted(set(CARDS) - set(EIGHT_CHAFF.split()))), 60, id="everything at once"),
    ],
)
def test_a_row_pays_its_points(pile, points):
    assert pile_points(pile) == points


@pytest.mark.parametrize(
    "pile",
    [
        pytest.param("", id="no cards"),
        pytest.param("1L 11L 8L", id="two dry lights and the rain man"),
        pytest.param("6A 7A", id="two of inoshikacho"),
        pytest.param("3L 8L", id="no cup"),
        pytest.param("2A 4A 5A 8A", id="four animals"),
        pytest.param("4R 5R 7R 11R", id="four ribbons"),
        pytest.param("1x 1y 2x 2y 3x 3y 4x 4y 5x 9A", id="nine chaff and the cup, an animal only"),
    ],
)
def test_less_than_a_row_pays_nothing(pile):
    assert pile_points(pile) == 0


def test_r2_three_dry_lights_with_the_phoenix_are_sanko_only_as_any_dry():
    assert pile_points("1L 3L 12L") == 0
    assert pile_points("1L 3L 12L", sanko="any_dry") == 6
    assert pile_points("1L 3L 11L", sanko="any_dry") == 0
    assert pile_points("1L 3L 8L", sanko="any_dry") == 6


def test_r7_omote_sugawara_is_1l_2a_3l_and_off_by_default():
    assert pile_points("1L 2A 3L") == 0
    assert pile_points("1L 2A 3L", omote_sugawara=True) == 6


def test_r7_yontan_is_any_four_ribbons_off_by_default_and_gives_way_to_tanzaku_at_five():
    assert pile_points("4R 5R 7R 11R") == 0
    assert pile_points("4R 5R 7R 11R", yontan=True) == 3
    assert pile_points("4R 5R 7R 11R 1R", yontan=True) == 1
    assert pile_points("4R 5R 7R 11R 1R", yontan=True, points__tanzaku=0) == 3


def test_the_dearest_light_yaku_alone_counts_whatever_its_name():
    assert pile_points("1L 3L 8L 11L 12L", points__goko=9) == 10
    assert pile_points("1L 3L 8L 11L 12L", points__goko=9, points__ameshiko=11) == 11
    assert pile_points("1L 3L 8L 12L", points__shiko=4) == 6


@pytest.mark.parametrize("row", [row.id for row in variant_info("koikoi").yaku])
def test_every_rows_points_are_an_option_and_0_switches_it_off(row):
    names = {yaku.id: yaku for yaku in variant_info("koikoi").yaku}
    cards = " ".join(CARD_NAMES[card] for card in names[row].cards[: names[row].need])
    if row == "ameshiko":
        cards = "1L 3L 8L 11L"
    others = {f"points__{name}": 0 for name in names if name != row} | {
        "omote_sugawara": True,
        "yontan": True,
        "akatan_aotan": True,
    }
    assert pile_points(cards, **others, **{f"points__{row}": 37}) == 37
    assert pile_points(cards, **others, **{f"points__{row}": 0}) == 0


def test_any_pile_is_worth_what_the_reference_says():
    rng = random.Random(2)
    for _ in range(400):
        pile = rng.sample(CARDS, rng.randint(0, 40))
        options = {f"points.{name}": rng.choice([0, 1, 5, 6, 8, 10, 100]) for name in reference_koikoi.POINTS}
        options |= {
            "sanko": rng.choice(["exact", "any_dry"]),
            "omote_sugawara": True,
            "yontan": True,
            "akatan_aotan": True,
        }
        expected = sum(reference_koikoi.yaku(pile, {**reference_koikoi.OPTIONS, **options}).values())
        assert pile_points(" ".join(pile), **options) == expected, (pile, options)


def test_the_points_of_a_pile_are_seen_by_everybody():
    assert Counter("points", 1, 0) in State.new("koikoi", None, 1).observation(0).counters
