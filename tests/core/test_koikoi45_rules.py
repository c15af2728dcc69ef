"""The rules of koikoi45 by play, ruling by ruling."""

import random
from dataclasses import replace

import pytest
from koikoi_scene import counter, deal_end, play, scored, zone
from matching_scene import scene

from core_ext import State
from core_ext.errors import IllegalActionError, ObservationError

PLAIN = {
    "first": "1L 2A 3L 4A 5A 6A 7A 8A",
    "second": "1R 2R 3R 4R 5R 6R 7R 8L",
    "field": "9x 9y 10A 10x 11A 11R 1x 2x",
}

# Seat 0 makes hanami in its second turn and takes the rain man in its third.
CUP_THEN_RAIN = {
    "first": "3L 9A 11L 1x 1y 4x 5x 6x",
    "second": "10y 8y 7y 2x 2y 4y 5y 6y",
    "field": "3x 9x 11x 7x 8x 10x 1R 2R",
    "stock": "4A 5A 6A 9R 10R 7R 8A",
}
TO_THE_RAIN = "3L*3x 10y*10x 9A*9x koi 8y*8x 11L*11x"
SILENT = {f"points__{name}": 0 for name in ("tane", "tan", "kasu", "inoshikacho", "akatan", "aotan")}


def plain(**changes: object) -> State:
    return scene("koikoi45", **{**PLAIN, **changes})


def play_in_order(state: State, *orders: str) -> State:
    """Plays the seats' cards in these orders, koi to every word, to the end of the deal."""
    cards = [order.split() for order in orders]
    month = state.month
    while not state.is_over and state.month == month:
        legal = state.legal_texts()
        if "koi" in legal:
            play(state, "koi")
        elif legal[0].startswith("*") or legal[0] == "pass":
            play(state, legal[0])
        else:
            card = cards[state.current_player].pop(0)
            play(state, next(text for text in legal if text.split("*")[0] == card))
    return state


# The month's multiplier


@pytest.mark.parametrize(
    ("month", "births", "lights", "times"),
    [
        (2, (0, 0), "", 1),
        (1, (0, 0), "", 2),
        (12, (0, 0), "", 2),
        (2, (2, 0), "", 2),
        (2, (2, 2), "", 4),
        (1, (1, 1), "", 8),
        (12, (12, 3), "", 4),
        (2, (0, 0), "8L", 2),
        (2, (0, 0), "8L 11L 12L", 8),
        (1, (1, 1), "1L 3L 8L 11L 12L", 256),
    ],
)
def test_r2_month_births_and_lights_of_the_field_double(month, births, lights, times):
    """A January of two January births is eightfold before a card is played: the source's example."""
    field = f"{lights} 9x 10A 2x 4x 5x 6x 7x 9y".split()[:8]
    state = scene("koikoi45", "1R 2A 3R 4A 5A 6A 7A 8A", "", " ".join(field), month=month, birth_months=list(births))
    assert counter(state, "multiplier") == times


def test_r2_every_koi_doubles():
    state = scene("koikoi45", **CUP_THEN_RAIN)
    play(state, "3L*3x 10y*10x 9A*9x")
    assert counter(state, "multiplier") == 1
    play(state, "koi")
    assert (counter(state, "multiplier"), counter(state, "koi", 0)) == (2, 1)


def test_r8_with_every_condition_and_koi_without_end_the_multiplier_is_exact_and_stays_below_two_to_the_31():
    most = 0
    rng = random.Random(8)
    for _ in range(60):
        rest = [card for card in range(45) if card not in (0, 8, 28, 40, 44)]
        rng.shuffle(rest)
        deck = [*rest[:16], 0, 8, 28, 40, 44, *rest[16:]]
        state = State.from_deck("koikoi45", {"birth_months": (12, 12)}, deck, month=12)
        while not state.is_over:
            legal = state.legal_texts()
            play(state, "koi" if "koi" in legal else "pass" if "pass" in legal else rng.choice(legal))
            doublings = 1 + 2 + 5 + counter(state, "koi", 0) + counter(state, "koi", 1)
            assert counter(state, "multiplier") == 2**doublings, "the month, the births, the lights, every koi"
            most = max(most, counter(state, "multiplier"))
    assert 2**10 <= most < 2**31


@pytest.mark.parametrize("times", [0, 2**32, 2**70])
def test_an_observation_with_a_multiplier_that_no_month_has_is_refused(times):
    view = plain().observation(0)
    counters = tuple(one._replace(value=times) if one.name == "multiplier" else one for one in view.counters)
    with pytest.raises(ObservationError, match="multiplier is"):
        State.from_observation(replace(view, counters=counters), 1)


# The field


def test_the_phoenix_on_the_field_doubles_and_is_the_dealers():
    state = plain(field="9x 9y 10A 10x 11A 11R 1x 12L", dealer=1)
    assert counter(state, "multiplier") == 2
    assert (zone(state, "pile", 0), zone(state, "pile", 1)) == ("", "12L")
    assert "12L" not in zone(state, "field")


def test_four_of_a_month_on_the_field_are_the_dealers():
    state = plain(field="9A 9R 9x 9y 10A 10x 11A 11R", dealer=1)
    assert zone(state, "pile", 1) == "9A 9R 9x 9y"
    assert (zone(state, "field"), state.current_player) == ("10A 10x 11A 11R", 1)


def test_the_fourth_card_takes_three_on_the_field():
    state = plain(field="1R 1x 1y 10A 10x 11A 11R 9x", second="2R 3R 4R 5R 6R 7R 8L 9R")
    assert state.legal_texts()[0] == "1L*1R,1x,1y"
    play(state, "1L*1R,1x,1y")
    assert zone(state, "pile", 0) == "1L 1R 1x 1y"


# The turn


def test_the_phoenix_goes_to_the_pile_from_the_hand_and_from_the_stock():
    state = plain(first="12L 2A 3L 4A 5A 6A 7A 8A", stock="8x")
    assert state.legal_texts()[-1] == "12L"
    play(state, "12L")
    assert (zone(state, "pile", 0), "12L" in zone(state, "field")) == ("12L", False)
    state = play(plain(stock="12L"), "3L")
    assert zone(state, "pile", 0) == "12L"


def test_a_turned_third_card_of_the_month_just_taken_stays():
    state = play(plain(field="9x 10A 11A 1x 2x 2y 9y 10x", stock="1y"), "1L*1x")
    assert zone(state, "pile", 0) == "1L 1x"
    assert "1y" in zone(state, "field")


def test_stop_wins_the_piles_value_times_the_multiplier():
    state = play(scene("koikoi45", **CUP_THEN_RAIN), "3L*3x 10y*10x 9A*9x stop")
    assert deal_end(state) == ("stop", 0, (5, 0))
    state = play(scene("koikoi45", **CUP_THEN_RAIN, month=12, birth_months=[12, 0]), "3L*3x 10y*10x 9A*9x stop")
    assert deal_end(state) == ("stop", 0, (20, 0))


def test_r3_no_card_can_be_mishandled_what_is_not_legal_is_refused_and_costs_nothing():
    state = plain()
    before = (state.state_hash(), state.balances())
    for text in ("8L", "1R", "stop", "koi", "*9x", "declare", "exchange:9"):
        with pytest.raises(IllegalActionError):
            state.apply(state.parse_action(text))
    assert (state.state_hash(), state.balances()) == before


def test_r4_the_choice_comes_with_a_yaku_that_is_new_or_worth_more_and_with_no_other_capture():
    """akatan, a fourth ribbon, and the fifth."""
    state = scene(
        "koikoi45",
        "1R 2R 3R 4R 5R 11x 9x 8x",
        "6y 7y 10y 8y 9y 11R 6R 9R",
        "1x 2x 3x 4x 5x 6x 7x 10x",
        "9A 11A 1y 2y 3y 6A 7A 10A 4y",
    )
    play(state, "1R*1x 6y*6x 2R*2x 7y*7x 3R*3x")
    assert (state.current_player, state.legal_texts()) == (0, ["stop", "koi"])
    play(state, "koi 10y*10x 4R*4x")
    assert (state.current_player, state.observation(1).phase) == (1, "play")
    play(state, "8y 5R*5x")
    assert (state.current_player, state.legal_texts()) == (0, ["stop", "koi"])
    play(state, "stop")
    assert scored(state) == [("akatan", 5), ("tan", 1)]
    assert deal_end(state) == ("stop", 0, (12, 0))


# Seat 0 holds ten chaff after its fifth turn and takes nothing in its sixth.
TEN_CHAFF = {
    "first": "1y 2y 3y 4y 5y 1L 2A 6A",
    "second": "7A 8A 7R 8L 7y 8y 9A 10y",
    "field": "1x 2x 3x 4x 5x 6x 7x 8x",
    "stock": "9R 10R 11R 12L 11A 9x 10A 6R 9y 10x 11x",
}
TEN_CHAFF_LAST = TEN_CHAFF | {"stock": "9y 4R 2R 6R 11R 10R 5A 3R 10x 12L 11L 4A 9R 9x 1R 3L"}
TO_THE_TENTH = "pass 1y*1x 7A*7x 2y*2x 8A*8x 3y*3x 7R 4y*4x 8L 5y*5x"


@pytest.mark.parametrize(("kasu_koi", "asked"), [("grow", (1, "play")), ("every_turn", (0, "settle"))])
def test_r4_ten_chaff_bring_a_choice_when_they_grow_or_on_demand_after_every_turn(kasu_koi, asked):
    state = play(scene("koikoi45", **TEN_CHAFF, kasu_koi=kasu_koi), TO_THE_TENTH)
    assert (state.current_player, state.legal_texts()) == (0, ["stop", "koi"])
    play(state, "koi 7y*7R 1L")
    assert (state.current_player, state.observation(0).phase) == asked
    if kasu_koi == "every_turn":
        play(state, "stop")
        assert scored(state) == [("kasu", 1)]
        assert deal_end(state) == ("stop", 0, (2, 0))


@pytest.mark.parametrize(("kasu_koi", "end"), [("grow", ("run_out", -1, (0, 0))), ("every_turn", ("stop", 0, (8, 0)))])
def test_r4_ten_chaff_stop_by_themselves_after_the_last_card_of_the_month_where_they_ask_every_turn(kasu_koi, end):
    state = scene("koikoi45", **TEN_CHAFF_LAST, dealer=1, kasu_koi=kasu_koi)
    state = play_in_order(state, TEN_CHAFF_LAST["first"], TEN_CHAFF_LAST["second"])
    assert deal_end(state) == end


@pytest.mark.parametrize("kasu_koi", ["grow", "every_turn"])
def test_r4_a_rain_in_a_turn_that_ends_with_ten_chaff_gives_the_word_to_the_other_seat(kasu_koi):
    """Seat 0 has hanami, then eleven chaff, then the rain man with no chaff."""
    state = scene(
        "koikoi45",
        "3L 9A 6x 11L 8x 10x 1x 2x",
        "2A 2R 10A 10R 8L 8A 6A 7R",
        "3x 4x 9x 5x 6y 7x 11R 1R",
        "4y 8y 5y 2y 7y 1y 4A",
        kasu_koi=kasu_koi,
    )
    play(state, "3L*3x 2A 9A*9x koi 10A 6x*6y koi 10R*10A 11L*11R")
    assert (state.current_player, state.legal_texts()) == (1, ["stop", "koi"])
    play(state, "stop")
    assert scored(state) == [("hanami", 5), ("kasu", 2)]
    assert deal_end(state) == ("stop", 1, (0, 28))


def test_r4_ten_chaff_that_are_switched_off_ask_nothing():
    state = play(scene("koikoi45", **TEN_CHAFF, kasu_koi="every_turn", points__kasu=0), TO_THE_TENTH)
    assert (state.current_player, state.observation(1).phase) == (1, "play")


def test_r7_a_month_without_a_stop_pays_nothing_even_after_a_koi_and_keeps_its_dealer():
    state = scene("koikoi45", **CUP_THEN_RAIN, dealer=0, points__tane=0, points__tan=0, points__kasu=0)
    play(state, "3L*3x 10y*10x 9A*9x koi")
    while state.month == 2:
        legal = state.legal_texts()
        play(state, "koi" if "koi" in legal else next((text for text in legal if text[:2] != "11"), legal[0]))
    assert deal_end(state) == ("run_out", -1, (0, 0))
    assert (state.month, state.dealer) == (3, 0)


def test_a_months_winner_deals_the_next():
    state = play(scene("koikoi45", **CUP_THEN_RAIN), TO_THE_RAIN + " stop")
    assert (state.month, state.dealer) == (3, 1)


# Rain


def test_a_rain_gives_the_word_to_the_other_seat_and_its_stop_wins_the_rains_pile():
    state = play(scene("koikoi45", **CUP_THEN_RAIN), TO_THE_RAIN)
    assert (state.current_player, state.legal_texts()) == (1, ["stop", "koi"])
    assert state.observation(0).turn == 1
    play(state, "stop")
    assert deal_end(state) == ("stop", 1, (0, 10))
    assert scored(state) == [("hanami", 5)]


def test_r5_a_rain_answered_by_koi_ends_the_turn_doubles_and_leaves_the_other_seat_to_play():
    state = play(scene("koikoi45", **CUP_THEN_RAIN), TO_THE_RAIN + " koi")
    assert (counter(state, "multiplier"), counter(state, "koi", 1)) == (4, 1)
    assert (state.current_player, state.observation(1).phase) == (1, "play")


def test_r7_after_a_rain_answered_by_koi_no_cup_yaku_counts_for_anybody():
    state = play(scene("koikoi45", **CUP_THEN_RAIN), TO_THE_RAIN)
    assert (counter(state, "points", 0), counter(state, "cup_void")) == (5, 0)
    play(state, "koi")
    assert (counter(state, "points", 0), counter(state, "cup_void")) == (0, 1)


def test_whichever_willow_takes_the_rain_man_it_is_rain():
    taken = {"first": "3L 9A 11x 1x 1y 4x 5x 6x", "field": "3x 9x 11L 7x 8x 10x 1R 2R"}
    state = play(scene("koikoi45", **CUP_THEN_RAIN | taken), TO_THE_RAIN.replace("11L*11x", "11x*11L stop"))
    assert deal_end(state) == ("stop", 1, (0, 5 * 2 * 2))


def test_the_rain_man_turned_after_the_hand_card_made_the_yaku_is_rain_in_the_same_turn():
    turned = {"first": "3L 9A 1x 1y 4x 5x 6x 7A", "stock": "4A 5A 11L"}
    state = play(scene("koikoi45", **CUP_THEN_RAIN | turned), "3L*3x 10y*10x 9A*9x")
    assert (state.current_player, state.legal_texts()) == (1, ["stop", "koi"])
    assert "11L" in zone(state, "pile", 0)


def test_the_rain_man_taken_before_the_yaku_is_made_does_no_harm():
    state = scene("koikoi45", **CUP_THEN_RAIN | {"stock": "4A 5A 6A 10R"})
    play(state, "11L*11x 10y*10x 3L*3x 8y*8x 9A*9x")
    assert (state.current_player, state.legal_texts()) == (0, ["stop", "koi"])


def test_the_rain_man_by_the_hand_card_and_the_yaku_by_the_turned_one_is_no_rain():
    turned = {"first": "3L 9R 11L 1x 1y 4x 5x 6x", "stock": "4A 5A 9A"}
    state = scene("koikoi45", **CUP_THEN_RAIN | turned)
    play(state, "3L*3x 10y*10x 11L*11x")
    assert (state.current_player, state.legal_texts()) == (0, ["stop", "koi"])
    assert counter(state, "points", 0) == 5


def test_a_yaku_made_in_the_turn_of_the_rain_counts_for_the_seat_that_stops():
    state = scene(
        "koikoi45",
        "1L 3L 8L 9A 11L 4x 5x 6x",
        "2y 7y 10y 2R 7R 10R 4y 5y",
        "1x 3x 8x 9x 11x 2x 7x 10x",
        "4A 5A 6A 1R 8A 3R 10A 9R 7A",
    )
    play(state, "1L*1x 2y*2x 8L*8x 7y*7x 3L*3x koi 10y*10x 9A*9x koi 2R 11L*11x")
    assert (state.current_player, state.legal_texts()) == (1, ["stop", "koi"])
    play(state, "stop")
    assert scored(state) == [("ameshiko", 7), ("tsukihanami", 10)]
    assert deal_end(state) == ("stop", 1, (0, 68))


def test_r1_a_cup_yaku_that_is_switched_off_cannot_be_lost_to_the_rain():
    state = play(scene("koikoi45", **CUP_THEN_RAIN, points__hanami=0), TO_THE_RAIN.replace(" koi", ""))
    assert "11L" in zone(state, "pile", 0)
    assert (state.current_player, state.observation(1).phase) == (1, "play")


# The end of the hands


LAST = "3L 4x 5x 6x 7x 8x 9A 10x"
BESIDE = "4A 5A 6A 7A 8A 10A 1x 8L"
LAST_FIELD = "3x 9x 2x 2y 2A 2R 11x 11R"
LAST_STOCK = "1L 1R 1y 4R 4y 5R 5y 6R 6y 7R 7y 8y 10R 10y 9R 9y"


def test_a_seat_is_asked_after_its_own_last_card_while_the_other_still_has_one():
    state = scene("koikoi45", LAST, BESIDE, LAST_FIELD, LAST_STOCK, **SILENT)
    asked = []
    for card in ["4x", "4A", "5x", "5A", "6x", "6A", "7x", "7A", "8x", "8A", "10x", "10A", "3L", "1x", "9A"]:
        legal = state.legal_texts()
        while legal[0].startswith("*"):
            legal = play(state, legal[0]).legal_texts()
        play(state, next(text for text in legal if text.split("*")[0] == card))
        asked.append("koi" in state.legal_texts())
    assert asked == [False] * 14 + [True]
    assert (state.current_player, zone(state, "hand", 0, viewer=0)) == (0, "")
    play(state, "koi")
    assert (state.current_player, zone(state, "hand", 1, viewer=1)) == (1, "8L")


def test_r7_after_the_very_last_card_stop_is_automatic():
    state = scene("koikoi45", BESIDE, LAST, LAST_FIELD, LAST_STOCK, **SILENT)
    play_in_order(state, BESIDE, "4x 5x 6x 7x 8x 10x 3L 9A")
    assert deal_end(state) == ("stop", 1, (0, 5))
    assert [event.seat for event in state.events(-1) if event.kind == "koi"] == []


def test_r7_a_rain_with_the_very_last_card_is_won_by_the_other_seat_without_a_question():
    dealer, other = "4A 5A 6A 7A 8A 10A 1x 1y", "4x 5x 6x 7x 10x 3L 9A 11L"
    stock = "1L 1R 8y 4R 4y 5R 5y 6R 6y 7R 7y 10R 10y 9R 9y 3R"
    state = scene("koikoi45", dealer, other, "3x 9x 2x 2y 2A 2R 11x 8x", stock, **SILENT)
    play_in_order(state, dealer, other)
    assert deal_end(state) == ("stop", 0, (10, 0))
    assert scored(state) == [("hanami", 5)]


def test_hands_played_out_without_a_stop_are_a_drawn_month_that_keeps_its_dealer():
    state = scene("koikoi45", BESIDE, LAST, LAST_FIELD, LAST_STOCK, **SILENT, points__hanami=0, points__tsukimi=0)
    play_in_order(state, BESIDE, LAST)
    assert deal_end(state) == ("run_out", -1, (0, 0))
    assert (state.month, state.dealer, state.balances()) == (3, 0, (0, 0))
