"""A month of kyogi by play: dealt hands, what can be declared, rain, run-outs, three mon, who deals."""

from dataclasses import replace

import pytest
from koikoi_scene import counter, deal_end, play, play_out, scored, zone
from matching_scene import scene
from reference_cards import CARDS
from reference_kyogi import found_dealer
from reference_table import arranged_deck

from core_ext import State, errors
from core_ext.cards import CARD_NAMES, parse_cards
from core_ext.shuffle import deck

TESHI = "1L 1R 1x 1y 2A 3L 4A 5A"
OTHER_TESHI = "6A 6R 6x 6y 7A 8L 9A 10A"
KUTTSUKI = "6A 6R 7A 7R 8L 8A 9A 9R"
FIELD = "2R 3R 4R 5R 7x 8x 9x 10R"
FOUR_ON_FIELD = "2R 3R 4R 5R 11L 11A 11R 11x"
PLAIN = ("1L 2A 3L 4A 5A 6A 7A 8L", "1R 2R 3R 4R 5R 6R 7R 8A")

# Seat 0 captures what a test is about; seat 1 plays these in this order and makes nothing.
ABOUT = "1x 3x 9x 11x 6x 7x 10x 5x"
BESIDE = "2x 4x 8x 12x 2y 4y 8y 12y"


def about(first: str, own: str, stock: str, field: str = ABOUT, beside: str = BESIDE, **changes: object) -> State:
    """Seat 0 holds ``first`` and plays ``own`` in this order, seat 1 ``beside``; to the end of seat 0's last turn."""
    state = scene("kyogi", first, beside, field, stock, **changes)
    while "pass" in state.legal_texts():
        play(state, "pass")
    others = iter(beside.split())
    for card in own.split():
        if state.current_player == 1:
            play_card(state, next(others))
        assert state.current_player == 0
        play_card(state, card)
    return state


def play_card(state: State, card: str) -> None:
    """Plays a hand card in the first way there is."""
    play(state, next(text for text in state.legal_texts() if text.split("*")[0] == card))


def is_asked(state: State) -> bool:
    """Whether seat 0 may stop; if not the turn has passed."""
    if state.current_player == 0:
        assert state.legal_texts() == ["stop", "koi"]
        return True
    return False


# Dealt hands


@pytest.mark.parametrize("dealer", [0, 1])
def test_r1_the_dealer_is_asked_first_and_its_declaration_is_seen_at_once(dealer):
    state = scene("kyogi", TESHI, KUTTSUKI, "2R 3R 4R 5R 7x 8x 9x 10R", dealer=dealer)
    assert (state.current_player, state.legal_texts()) == (dealer, ["pass", "declare"])
    play(state, "declare")
    hand, name = (TESHI, "teshi") if dealer == 0 else (KUTTSUKI, "kuttsuki")
    [declared] = [event for event in state.events(1 - dealer) if event.kind == "declare"]
    assert (declared.seat, declared.name, declared.cards) == (dealer, name, parse_cards(hand))
    assert zone(state, "shown", dealer, viewer=1 - dealer) == hand
    assert (state.current_player, state.legal_texts()) == (1 - dealer, ["pass", "declare"])


def test_of_two_declared_hands_the_dearer_wins_the_difference_and_is_named_with_its_full_points():
    state = play(scene("kyogi", TESHI, KUTTSUKI, FIELD), "declare declare")
    assert deal_end(state) == ("declare", 1, (0, 4))
    assert scored(state) == [("kuttsuki", 10)]


def test_when_one_of_two_seats_declares_it_wins_the_full_points():
    assert deal_end(play(scene("kyogi", TESHI, KUTTSUKI, FIELD), "declare pass")) == ("declare", 0, (6, 0))
    assert deal_end(play(scene("kyogi", TESHI, KUTTSUKI, FIELD), "pass declare")) == ("declare", 1, (0, 10))


def test_two_equal_declared_hands_run_the_month_out():
    state = play(scene("kyogi", TESHI, OTHER_TESHI, FIELD), "declare declare")
    assert deal_end(state) == ("run_out", -1, (0, 0))
    assert scored(state) == []
    assert (state.month, state.attempt, state.dealer) == (2, 1, 1)


def test_four_of_a_month_on_the_field_run_the_month_out_when_nobody_declares():
    state = scene("kyogi", *PLAIN, FOUR_ON_FIELD.replace("2R 3R 4R 5R", "9x 9y 10x 10y"))
    assert deal_end(state) == ("run_out", -1, (0, 0))
    assert (state.month, state.attempt) == (2, 1)
    assert deal_end(play(scene("kyogi", TESHI, OTHER_TESHI, FOUR_ON_FIELD), "pass declare")) == ("declare", 1, (0, 6))
    assert deal_end(play(scene("kyogi", TESHI, OTHER_TESHI, FOUR_ON_FIELD), "pass pass")) == ("run_out", -1, (0, 0))


# What can be declared

CUP = "1L 3L 9A 11R 2A 5A 6R 7R"


def test_a_yaku_by_the_hand_card_asks():
    assert is_asked(about(CUP, "3L 9A", "3y 4A 9y"))


def test_rain_a_cup_yaku_by_the_hand_card_and_a_willow_turned_without_the_crane_is_void():
    state = about(CUP.replace("11R", "11A"), "3L 9A", "3y 4A 11R")
    assert not is_asked(state)
    assert counter(state, "points", 0) == 0


def test_rain_the_same_with_the_crane_in_the_pile_asks():
    assert is_asked(about(CUP.replace("11R", "11A"), "1L 3L 9A", "1y 4A 3y 8A 11R"))


def test_rain_a_cup_yaku_by_the_hand_card_and_the_crane_turned_over_a_willow_does_not_ask():
    state = about("3L 9A 11R 2A 5A 6R 7R 10R", "11R 3L 9A", "11A 4A 3y 8A 1L")
    assert not is_asked(state)
    assert counter(state, "points", 0) == 2


def test_rain_the_crane_by_the_hand_card_and_a_cup_yaku_turned_asks():
    assert is_asked(about("1L 3L 11R 2A 5A 6R 7R 10R", "11R 3L 1L", "11A 4A 3y 8A 9A"))


def test_rain_a_validity_that_the_crane_gives_back_pays_but_is_no_reason():
    state = about(CUP, "11R 3L 9A 1L", "11A 4A 3y 8A 9y 12z 1y")
    assert not is_asked(state)
    assert counter(state, "points", 0) == 2


def test_rain_another_yaku_and_the_crane_turned_ask_and_the_cup_yaku_pays_too():
    first = "11R 3L 9A 6A 7A 10A 5A 5R"
    state = about(first, "11R 3L 9A 6A 7A 10A", "11A 4A 3y 8A 9y 12z 6y 5y 7y 2R 1L")
    assert is_asked(state)
    play(state, "stop")
    assert scored(state) == [("inoshikacho", 6), ("hanami", 2)]
    assert deal_end(state) == ("stop", 0, (8, 0))


def test_rain_any_card_of_the_willow_is_rain():
    for willow in ("11A", "11R", "11x"):
        rest = [card for card in ("11A", "11R", "11x") if card != willow]
        field = ABOUT.replace("11x", rest[0])
        state = about(f"3L 9A {willow} 2A 5A 6R 7R 10R", f"{willow} 3L 9A", f"{rest[1]} 4A 3y 8A 9y", field)
        assert not is_asked(state)


TEN = "1y 2y 3y 4y 9A 8L 5y 6y"
TEN_FIELD = "1x 2x 3x 4x 9x 8A 5x 10x"
TEN_BESIDE = "6x 7x 11x 12x 6A 7A 11A 12y"
TEN_STOCK = "1R 10y 2R 7R 3R 11R 4R 12z 9R 10R 8x"
TO_TEN = "1y 2y 3y 4y 9A"


def ten(own: str, **changes: object) -> State:
    return about(TEN, own, TEN_STOCK, TEN_FIELD, TEN_BESIDE, **changes)


def test_kasu_at_ten_with_the_cup_is_no_reason_to_stop():
    state = ten(TO_TEN)
    assert not is_asked(state)
    assert counter(state, "points", 0) == 1


def test_kasu_at_ten_with_the_cup_is_paid_when_the_month_is_stopped_for_another_reason():
    state = play(ten(f"{TO_TEN} 8L"), "stop")
    assert scored(state) == [("tsukimi", 2), ("kasu", 1)]
    assert deal_end(state) == ("stop", 0, (3, 0))


def test_kasu_above_ten_with_the_cup_is_a_reason():
    assert is_asked(ten(f"{TO_TEN} 5y"))


def test_r2_a_count_that_grew_is_a_reason_again_and_a_capture_that_adds_nothing_is_none():
    first, field = "1R 2R 4R 5R 6R 9R 9x 8x", "1x 2x 4x 5x 6x 7x 9y 10x"
    beside = "3x 3y 8y 10y 11x 12x 12y 12z"
    stock = "1y 11A 2y 3L 4y 8A 5y 10A 6y 7A 7y 11L"
    state = about(first, "1R 2R 4R 5R 6R", stock, field, beside)
    assert is_asked(state)
    play(state, "koi")
    for card in ("11x", "9R"):
        play_card(state, card)
    assert is_asked(state)
    assert counter(state, "points", 0) == 2, "six ribbons, and no other yaku"


def test_r2_a_dearer_light_yaku_in_place_of_another_is_a_reason():
    first, field = "1L 3L 8L 12L 2x 4x 5x 6x", "1x 3x 8x 12x 9x 10x 11x 7x"
    beside = "9y 10y 7y 2y 4y 5y 6y 11R"
    state = about(first, "1L 3L 8L", "1y 9R 3y 10R 8y", field, beside)
    assert is_asked(state)
    play(state, "koi")
    play_card(state, "7y")
    play_card(state, "12L")
    assert is_asked(state)
    play(state, "stop")
    assert scored(state) == [("shiko", 16)]


def test_a_seat_is_asked_with_its_last_card_and_koi_has_no_limit():
    with_the_last_card = most = 0
    for number in range(60):
        state = State.new("kyogi", None, f"last/{number}")
        while (state.month, state.attempt) == (1, 0):
            legal, seat = state.legal_texts(), state.current_player
            if "koi" in legal:
                with_the_last_card += not zone(state, "hand", seat, viewer=seat)
                most = max(most, counter(state, "koi", seat) + 1)
            play(state, "koi" if "koi" in legal else legal[0])
    assert with_the_last_card > 0
    assert most > 3


# Run out


def test_a_run_out_month_is_replayed_with_the_deal_changed_over_whatever_was_made():
    state = play_out(about(CUP, "3L 9A", "3y 4A 9y"))
    assert deal_end(state) == ("run_out", -1, (0, 0))
    assert (state.month, state.attempt, state.dealer, state.balances()) == (2, 1, 1, (0, 0))


def test_in_a_replay_two_mon_are_not_enough_and_the_seat_is_not_asked_at_all():
    assert is_asked(about(CUP, "3L 9A", "3y 4A 9y", attempt=0))
    state = about(CUP, "3L 9A", "3y 4A 9y", attempt=1)
    assert not is_asked(state)
    assert counter(state, "points", 0) == 2


def test_in_a_replay_three_mon_are_enough():
    first, stock = "3L 9A 2A 4A 5A 6A 7R 10R", "3y 7A 9y 8A 2y 8L 4y 10A 5y 11A 6y"
    state = about(first, "3L 9A 2A 4A 5A 6A", stock, "3x 9x 2x 4x 5x 6x 11x 12x", "1x 1y 7x 7y 8x 8y 10x", attempt=1)
    assert is_asked(state)
    assert counter(state, "points", 0) == 3, "hanami and tane"


def test_in_a_replay_dealt_hands_win_as_ever():
    haneken = "1R 1x 1y 2R 2x 3R 3x 4x"
    state = play(
        scene("kyogi", haneken, PLAIN[1].replace("1R 2R 3R", "9y 10y 11x"), "5x 6x 7x 8x 9x 10x 11A 12x", attempt=5),
        "declare",
    )
    assert deal_end(state) == ("declare", 0, (3, 0))


def test_kasu_at_ten_with_the_cup_does_not_count_toward_three_mon():
    assert is_asked(ten(f"{TO_TEN} 8L", attempt=0))
    state = ten(f"{TO_TEN} 8L", attempt=1)
    assert not is_asked(state)
    assert counter(state, "points", 0) == 3


def test_the_three_mon_rule_ends_when_the_month_is_won():
    state = play(scene("kyogi", TESHI, KUTTSUKI, FIELD, attempt=3), "declare pass")
    assert (state.month, state.attempt, state.dealer) == (3, 0, 0)


def test_r4_when_the_last_attempt_runs_out_the_month_is_drawn_and_the_deal_changes_over():
    state = play(scene("kyogi", TESHI, OTHER_TESHI, FIELD, attempt=20), "declare declare")
    assert deal_end(state) == ("safeguard", -1, (0, 0))
    assert (state.month, state.attempt, state.dealer) == (3, 0, 1)
    state = play(scene("kyogi", TESHI, OTHER_TESHI, FIELD, attempt=19), "declare declare")
    assert (deal_end(state)[0], state.attempt) == ("run_out", 20)


# Who deals


@pytest.mark.parametrize("tentative", [0, 1])
@pytest.mark.parametrize(
    ("own", "other", "own_deals"),
    [
        pytest.param("9x 8x 7x 6x", "1x 2x 3x 4x", True, id="larger last digits"),
        pytest.param("1x 2x 3x 4x", "9x 8x 7x 6x", False, id="smaller last digits"),
        pytest.param("10x 11x 12x 2x", "1x 2y 3x 4x", False, id="months 10 to 12 count 0"),
        pytest.param("1x 2x 10x 12x", "1y 2y 10y 11x", True, id="equal digits, larger months"),
        pytest.param("1x 2x 3x 4x", "1y 2y 3y 4R", False, id="equal months, a ribbon beats chaff"),
        pytest.param("1x 2x 3x 4R", "1y 2A 3y 4x", False, id="an animal beats a ribbon"),
        pytest.param("1L 2x 3x 4x", "1y 2A 3y 4A", True, id="a light beats an animal"),
        pytest.param("1x 2x 3x 4R", "1R 2y 3y 4x", False, id="equal kinds, the earlier month"),
        pytest.param("1x 2R 3x 4R", "1y 2y 3R 4x", True, id="of several best cards the earliest"),
        pytest.param("1x 2x 3x 4x", "1y 2y 3y 4y", True, id="all equal, the tentative dealer"),
    ],
)
def test_r8_januarys_field_finds_the_dealer_cards_0_to_3_are_the_tentative_dealers(tentative, own, other, own_deals):
    order = arranged_deck((16, ""), (8, f"{own} {other}"), (24, ""), cards=CARDS)
    state = State.from_deck("kyogi", None, " ".join(order), dealer=tentative, month=1)
    assert state.dealer == (tentative if own_deals else 1 - tentative)


def field_of(seed: bytes, attempt: int) -> list[str]:
    return [CARD_NAMES[card] for card in deck(seed, 1, attempt)[16:24]]


@pytest.mark.parametrize("values", [(), (2,), (-1,), (0, 1)])
def test_an_observation_whose_tentative_dealer_is_no_seat_is_refused(values):
    state = State.new("kyogi", None, 1)
    view = state.observation(state.current_player)
    events = [event._replace(values=values) if event.kind == "dealer" else event for event in view.events]
    with pytest.raises(errors.ObservationError, match="names no tentative dealer"):
        State.from_observation(replace(view, events=tuple(events)), 1)


def test_a_january_that_runs_out_before_a_card_is_played_changes_the_tentative_roles_and_finds_the_dealer_again():
    seen = set()
    for number in range(3000):
        state = State.new("kyogi", None, f"january/{number}")
        if state.attempt != 1:
            continue
        assert state.seed is not None
        tentative = state.transcript()["first"]["dealer"]
        first, again = (found_dealer(field_of(state.seed, attempt), tentative ^ attempt) for attempt in (0, 1))
        assert (state.transcript()["months"][0]["dealer"], state.dealer) == (first, again)
        seen.add(first == again)
    assert seen == {True, False}


def test_a_january_that_runs_out_after_a_card_was_played_changes_the_deal_over_as_ever():
    found_again = set()
    for number in range(10):
        state = State.new("kyogi", None, f"played/{number}")
        assert state.seed is not None
        dealer, attempt = state.dealer, state.attempt
        tentative = state.transcript()["first"]["dealer"] ^ attempt
        play_out(state)
        if (state.month, state.attempt) == (1, attempt + 1):
            assert state.dealer == 1 - dealer
            found_again.add(found_dealer(field_of(state.seed, attempt + 1), 1 - tentative) == state.dealer)
    assert found_again == {True, False}, "the new field would give some of these deals to the other seat"


def test_the_later_month_drawn_is_the_tentative_second_and_equal_months_draw_again():
    again = 0
    for number in range(200):
        first = State.new("kyogi", None, f"draw/{number}").transcript()["first"]
        months = [int(card[:-1]) for _, card in first["draws"]]
        assert months[-1] != months[-2]
        assert first["dealer"] == (0 if months[-2] < months[-1] else 1)
        assert all(even == odd for even, odd in zip(months[:-2:2], months[1:-2:2], strict=True))
        again += len(months) > 2
    assert again > 0


def test_a_months_winner_deals_the_next():
    assert play(scene("kyogi", TESHI, KUTTSUKI, FIELD), "pass declare").dealer == 1
