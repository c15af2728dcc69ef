"""The options that koikoi has from KoiKoi-AI's game, and the set `steam` that they make."""

import random

import pytest
import reference_koikoi
from hypothesis import given, settings
from hypothesis import strategies as st
from koikoi_scene import counter, deal_end, play, play_out, scene, scored
from reference_koikoi import LATE

from core_ext import State, variant_info
from core_ext.errors import OptionError
from core_ext.options import expanded, resolve

KOIKOI = variant_info("koikoi")
STEAM = {"set": "steam"}
RIBBONS = {
    "first": "1R 2R 3R 4R 5R 12x 12y 8x",
    "second": "6R 9R 10R 7R 11R 7y 4A 5A",
    "field": "1x 2x 3x 4x 5x 6x 9x 10x",
    "stock": "8A 11x 7x 12z 1y 2y 3y 6y",
}
AKATAN = "1R*1x 6R*6x 2R*2x 9R*9x 3R*3x"
QUIET = {f"points__{row.id}": 0 for row in KOIKOI.yaku}


@given(seed=st.integers(0, 2**32), koi=st.sampled_from([0.0, 0.5, 1.0]), own=st.booleans())
@settings(max_examples=20)
def test_matches_under_steam_are_what_the_reference_plays(seed: int, koi: float, own: bool) -> None:
    rng = random.Random(seed)
    given = STEAM | ({"koi_scoring": "multiply", "cup_points_after_koi": rng.randint(0, 9)} if own else {})
    state = State.new("koikoi", given, f"steam/{seed}")
    while not state.is_over:
        legal = state.legal_texts()
        text = "koi" if "koi" in legal and rng.random() < koi else rng.choice(legal)
        state.apply(state.parse_action(text))
    reference_koikoi.check(state.transcript(legal=True))


def test_a_late_option_at_its_default_is_in_no_transcript_and_no_hash() -> None:
    defaults = State.new("koikoi", None, "late")
    written = State.new("koikoi", dict(LATE), "late")
    assert written.state_hash() == defaults.state_hash()
    while not defaults.is_over:
        defaults.apply(defaults.legal_actions()[0])
    assert not set(LATE) & set(defaults.transcript()["options"])
    for name, value in {"cup_is_chaff": True, "points.akatan_aotan": 3}.items():
        assert State.new("koikoi", {name: value}, "late").state_hash() != written.state_hash()


def test_the_set_is_written_out_in_the_transcript() -> None:
    state = State.new("koikoi", STEAM | {"months": 1}, "written")
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    options = state.transcript()["options"]
    assert "set" not in options
    assert (options["months"], options["koi_scoring"], options["akatan_aotan"]) == (1, "count", True)


def test_every_option_of_a_set_is_one_of_the_variants_and_differs_from_its_default() -> None:
    for one in KOIKOI.option_sets:
        values = dict(one.values)
        assert resolve(KOIKOI, {"set": one.name}) == {**dict(resolve(KOIKOI, None)), **values}
        defaults = {option.name: option.default for option in KOIKOI.options}
        assert not {name for name, value in values.items() if value == defaults[name]}


def test_a_set_that_there_is_not_is_refused_with_those_there_are() -> None:
    for name in ("stream", 3, None, ["steam"]):
        with pytest.raises(OptionError, match=r"koikoi has no set .* it takes steam"):
            expanded(KOIKOI, {"set": name})
    with pytest.raises(OptionError, match="kyogi has no option 'set'"):
        State.new("kyogi", STEAM)


def test_r10_both_sets_of_ribbons_count_beside_each_of_them() -> None:
    first = "1R 2R 3R 6R 9R 10R 12x 8x"
    second = "4A 5A 7A 11A 12y 12z 11x 7x"
    state = scene(first, second, RIBBONS["field"], "8A 11R 7R 5y 4y 8y 5R 8L", **STEAM)
    for _ in range(16):
        legal = state.legal_texts()
        if len([event for event in state.events(-1) if event.name == "akatan_aotan"]):
            break
        mine = [text for text in legal if "R*" in text and state.current_player == 0]
        play(state, "koi" if "koi" in legal else next(iter(mine), legal[0]))
    play(state, "stop")
    rows = dict(scored(state))
    assert (rows["akatan"], rows["aotan"], rows["akatan_aotan"]) == (5, 5, 10)


def test_r10_the_cup_counts_for_kasu_too() -> None:
    chaff = "1x 1y 2x 2y 3x 3y 4x 4y 5x"
    assert "kasu" in reference_koikoi.yaku([*chaff.split(), "9A"], {**reference_koikoi.OPTIONS, "cup_is_chaff": True})
    options = {"cup_is_chaff": True} | {name: points for name, points in QUIET.items() if name != "points__kasu"}
    state = scene(
        "1x 2x 3x 4x 5x 9A 7x 8x", "12L 12x 12y 12z 11L 11A 11R 11x", "1y 2y 3y 4y 9x 6A 7A 8A", "5y 10x 10y", **options
    )
    play_until_asked(state)
    assert [event.name for event in state.events(-1) if event.kind == "yaku"] == ["kasu"]


def play_until_asked(state: State) -> None:
    """Seat 0 takes what it can, the other plays its first card, until somebody may stop."""
    while (legal := state.legal_texts()) != ["stop", "koi"]:
        takes = [text for text in legal if "*" in text]
        play(state, takes[0] if takes and state.current_player == 0 else legal[0])


CUPS = {
    "first": "3L 9A 8L 1R 2R 3R 4R 12L",
    "second": "4A 5A 7A 11A 12y 12z 11x 6A",
    "field": "3x 9x 8x 1x 2x 10A 5x 6x",
    "stock": "12x 5R 7R 7x 10R 6y 10x",
}


@pytest.mark.parametrize(("after", "points"), [(3, (1, 6)), (0, (1, 2))])
def test_r10_cups_are_worth_more_to_a_seat_that_has_said_koi(after: int, points: tuple[int, int]) -> None:
    state = scene(**CUPS, **STEAM | {"cup_points_after_koi": after})
    play(state, "3L*3x 4A 9A*9x")
    assert counter(state, "points", 0) == points[0]
    play(state, "koi")
    assert counter(state, "points", 0) == (after or 1)
    play(state, f"{state.legal_texts()[0]} 8L*8x")
    assert counter(state, "points", 0) == points[1]


def test_r10_a_cup_that_grew_by_a_koi_alone_brings_no_choice() -> None:
    state = scene(**CUPS, **STEAM)
    play(state, "3L*3x 4A 9A*9x koi 5A 1R*1x")
    assert (state.current_player, state.spectate().phase) == (1, "play")


@pytest.mark.parametrize(("koi", "score"), [(0, 5), (1, 6)])
def test_r10_each_koi_of_the_winner_adds_a_point_and_the_others_none(koi: int, score: int) -> None:
    state = play(scene(**RIBBONS, **STEAM), AKATAN)
    if koi:
        play(state, "koi 10R*10x koi 4R*4x 7R*7x 5R*5x stop")
        score += 1  # tanzaku
    else:
        play(state, "stop")
    assert deal_end(state) == ("stop", 0, (score, 0))


def test_r10_the_losers_koi_changes_nothing() -> None:
    state = play(scene(**RIBBONS, **STEAM), f"{AKATAN} koi 10R*10x stop")
    assert deal_end(state) == ("stop", 1, (0, 5))


@pytest.mark.parametrize(("koi", "times"), [(3, 1), (4, 2)])
def test_r10_from_the_fourth_on_koi_multiply(koi: int, times: int) -> None:
    for seed in range(400):
        state = State.new("koikoi", STEAM, f"many/{seed}")
        rng = random.Random(seed)
        while not state.is_over:
            legal = state.legal_texts()
            if legal == ["stop", "koi"]:
                seat = state.current_player
                said = counter(state, "koi", seat)
                if said == koi:
                    worth = counter(state, "points", seat)
                    assert counter(state, "multiplier") == times
                    before = state.balances()[seat]
                    play(state, "stop")
                    assert state.balances()[seat] - before == (worth + koi if koi < 4 else worth * times)
                    return
                play(state, "koi")
            else:
                play(state, rng.choice([text for text in legal if "*" in text] or legal))
    raise AssertionError(f"no seat said koi {koi} times")


def test_r10_a_month_run_out_pays_the_dealer_one_whoever_said_koi() -> None:
    options = dict.fromkeys(QUIET, 0) | {"points__aotan": 5}
    state = play_out(play(scene(**RIBBONS, dealer=0, **STEAM | options), f"{AKATAN} 10R*10x koi"))
    assert deal_end(state) == ("run_out", 0, (1, 0))
    assert counter(state, "stake", 1) == 0
