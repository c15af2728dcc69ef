"""The questions of koikoi45 before the first turn: hands that are declared as they were dealt, and exchanges."""

import random

import pytest
from koikoi_scene import counter, deal_end, play, scored, zone
from matching_scene import scene

from core_ext import ALL, State
from core_ext.cards import cards_text, parse_cards
from core_ext.shuffle import keystream

TESHI = "9A 9R 9x 9y 10A 10x 11L 1x"
NIKONIKO = "4A 4R 5A 5R 6A 6R 7A 7R"
LIGHTS = "8L 12L 3L 1L 2R 2y 3R 8A"
THREE = "9A 9R 9x 10A 10R 11L 1x 2x"
FOUR = "9A 9R 9x 9y 10A 10R 11L 1x"
QUIET = "3x 8A 10y 11A 11R 1y 2y 4A"
OTHER = "1R 2R 3R 4x 5x 6x 7x 8L"


def picked(state: State) -> list[str]:
    """What exchanges have put under the stock."""
    return [cards_text(event.cards) for event in state.events(ALL) if event.kind == "exchange"]


# Dealt hands


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_first_to_declare_wins_without_the_multiplier_and_the_dealer_is_asked_first(dealer):
    state = scene("koikoi45", TESHI, NIKONIKO, LIGHTS, dealer=dealer)
    assert (state.current_player, state.legal_texts()) == (dealer, ["pass", "declare"])
    assert counter(state, "multiplier") == 16
    play(state, "declare")
    assert deal_end(state) == ("declare", dealer, (6, 0) if dealer == 0 else (0, 6))
    assert scored(state) == [("teshi" if dealer == 0 else "nikoniko", 6)]


def test_when_the_dealer_passes_its_hand_the_other_seat_is_asked():
    state = play(scene("koikoi45", TESHI, NIKONIKO, LIGHTS), "pass")
    assert state.current_player == 1
    assert deal_end(play(state, "declare")) == ("declare", 1, (0, 6))


def test_r1_a_hand_whose_points_are_0_is_not_asked_about():
    state = scene("koikoi45", NIKONIKO, OTHER, QUIET.replace("4A", "9A"), points__nikoniko=0)
    assert "declare" not in state.legal_texts()
    state = scene("koikoi45", TESHI, OTHER, QUIET.replace("1y", "1L"), points__teshi=0)
    assert state.legal_texts()[:2] == ["pass", "exchange:9:9A"]


def test_the_match_ends_after_twelve_months_and_more_mon_win():
    state = scene("koikoi45", TESHI, OTHER, QUIET.replace("1y", "1L"), month=12)
    play(state, "declare")
    assert state.is_over
    assert (state.returns(), state.placing()) == ((6, 0), (1, 2))


# Exchanges


def test_three_of_a_month_may_be_exchanged_and_of_four_one_is_kept_out():
    assert scene("koikoi45", THREE, OTHER, QUIET).legal_texts() == ["pass", "exchange:9"]
    state = play(scene("koikoi45", FOUR, OTHER, QUIET), "pass")
    assert state.legal_texts() == ["pass", *(f"exchange:9:{kept}" for kept in ("9A", "9R", "9x", "9y"))]


def test_the_picked_card_goes_under_the_stock_and_its_top_card_comes():
    state = play(scene("koikoi45", THREE, OTHER, QUIET, "12L"), "exchange:9")
    (given,) = picked(state)
    assert given in ("9A", "9R", "9x")
    assert set(zone(state, "hand", 0, viewer=0).split()) == {*THREE.split(), "12L"} - {given}
    assert zone(state, "stock", viewer=0) == given


def test_which_of_the_three_is_picked_is_chance_and_the_one_kept_out_never():
    seen = set()
    for number in range(40):
        rest = parse_cards("4R 4y 5A 5R 5y 6A 6R 6y 7A 7R 7y 8x 8y 11x 12L 2A 3L 3y 1L")
        rest = random.Random(number).sample(rest, len(rest))
        state = play(scene("koikoi45", FOUR, OTHER, QUIET, cards_text(rest)), "pass exchange:9:9R")
        seen |= set(picked(state)[:1])
    assert seen == {"9A", "9x", "9y"}


@pytest.mark.parametrize("dealer", [0, 1])
def test_the_other_seat_exchanges_before_the_dealer(dealer):
    hands = (THREE, "4A 4R 4x 5A 6A 7A 8A 12L")
    state = scene("koikoi45", *hands, "3x 8x 10y 11A 11R 1y 2y 5R", dealer=dealer)
    assert state.current_player == 1 - dealer
    play(state, "pass")
    assert (state.current_player, state.legal_texts()[0]) == (dealer, "pass")
    play(state, "pass")
    assert (state.current_player, "pass" in state.legal_texts()) == (dealer, False)


def test_a_seat_is_asked_again_while_it_can_exchange():
    """The source's example: a teshi that is not declared is exchanged, and what is left once more."""
    state = play(scene("koikoi45", FOUR, OTHER, QUIET, "4R 5A"), "pass exchange:9:9A")
    assert state.legal_texts() == ["pass", "exchange:9"]
    play(state, "exchange:9")
    assert "pass" not in state.legal_texts()
    assert counter(state, "exchanges", 0) == 2


def test_a_hand_made_by_an_exchange_is_asked_about_at_once():
    hands = ("9A 9R 9x 10A 10R 11L 1x 1y", "2R 3R 4x 5x 6x 7x 8L 8x")
    state = play(scene("koikoi45", *hands, "3x 8A 10y 11A 11R 2A 2y 4A", "11x 5A"), "exchange:9")
    assert (state.current_player, state.legal_texts()) == (0, ["pass", "declare"])
    play(state, "declare")
    assert scored(state) == [("nikoniko", 6)]


def test_a_teshi_made_by_an_exchange_is_asked_about_and_passed_may_be_exchanged_again():
    hands = ("9A 9R 9x 10A 10R 10x 11L 1x", "2R 3R 4x 5x 6x 7x 8L 8x")
    state = scene("koikoi45", *hands, "3x 8A 1L 11A 11R 2A 2y 4A", "10y 5A")
    play(state, "exchange:9")
    assert state.legal_texts() == ["pass", "declare"]
    play(state, "pass")
    assert state.legal_texts() == ["pass", *(f"exchange:10:{kept}" for kept in ("10A", "10R", "10x", "10y"))]


def test_a_teshi_that_was_passed_is_not_asked_about_again_after_another_exchange():
    hands = ("9A 9R 9x 9y 10A 10R 10x 11L", "2R 3R 4x 5x 6x 7x 8L 8x")
    state = play(scene("koikoi45", *hands, "3x 8A 1L 11A 11R 2A 2y 4A", "5A"), "pass exchange:10")
    assert state.legal_texts() == ["pass", *(f"exchange:9:{kept}" for kept in ("9A", "9R", "9x", "9y"))]


def always_exchanging(state: State) -> list[int]:
    """How many exchanges each seat makes that exchanges whenever it can."""
    while state.observation(state.current_player).phase in ("exchange", "dealt_hand"):
        legal = state.legal_texts()
        play(state, legal[-1] if legal[-1] != "declare" else "pass")
    return [counter(state, "exchanges", seat) for seat in (0, 1)]


def test_the_picks_of_both_seats_are_one_stream_of_numbers_below_3_in_id_order():
    both = 0
    for number in range(60):
        state = State.new("koikoi45", None, f"picks/{number}")
        assert state.seed is not None
        stream = keystream(state.seed, 1, 0, 1, 160)
        numbers = [int.from_bytes(stream[place : place + 4], "little") % 3 for place in range(0, 160, 4)]
        expected, seats = [], set()
        while state.observation(state.current_player).phase in ("exchange", "dealt_hand"):
            seat, text = state.current_player, state.legal_texts()[-1]
            if text.startswith("exchange"):
                _, month, kept = f"{text}:".split(":")[:3]
                hand = zone(state, "hand", seat, viewer=seat).split()
                laid = [card for card in hand if card[:-1] == month and card != kept]
                expected.append(laid[numbers[len(expected)]])
                seats.add(seat)
            play(state, "pass" if text == "declare" else text)
        assert picked(state) == expected
        both += len(seats) == 2
    assert both > 0


def test_r6_a_seat_may_exchange_as_long_as_it_has_three_of_a_month():
    hands = ("1R 1x 1y 2R 2x 2y 3R 3x", "4R 4x 5R 5x 6R 7x 8L 9x")
    state = scene("koikoi45", *hands, "4y 5y 6x 7y 8x 9y 10x 11R", "3y 1L 2A 3L 12L 11A")
    assert always_exchanging(state) == [6, 0], "until two of each of its three months are left"


def test_r6_a_seat_that_always_exchanges_comes_to_an_end_far_below_21():
    chains = {
        made for number in range(1000) for made in always_exchanging(State.new("koikoi45", None, f"chain/{number}"))
    }
    assert {0, 1, 2} <= chains
    assert max(chains) < 21


def test_an_exchange_is_seen_by_all_its_cards_and_month_by_its_seat_alone():
    state = play(scene("koikoi45", THREE, OTHER, QUIET, "12L"), "exchange:9")
    (given,) = picked(state)
    for viewer in (1, -1):
        seen = [event for event in state.events(viewer) if event.kind in ("exchange", "stock")]
        assert [(event.seat, event.cards, event.name, event.values) for event in seen] == [(0, (), "", ())] * 2
        assert zone(state, "stock", viewer=viewer) == ""
    assert zone(state, "stock", viewer=0) == given
