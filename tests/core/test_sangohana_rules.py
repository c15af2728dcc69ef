"""The rules of sangohana by play, ruling by ruling."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from koikoi_scene import counter, deal_end, play, scored, zone
from sangohana_scene import DULL, READY, building, follow, mixed, patiently, scene

from core_ext import ALL, State, variant_info
from core_ext.errors import IllegalActionError, SeatsError
from core_ext.shuffle import deck
from core_ext.table import first_draws

# The match


def test_three_seats_play_if_nothing_is_said_and_two_or_four_may():
    assert State.new("sangohana").seats == 3
    assert [State.new("sangohana", seats=seats).seats for seats in (2, 3, 4)] == [2, 3, 4]
    for seats in (1, 5):
        with pytest.raises(SeatsError):
            State.new("sangohana", seats=seats)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_earliest_month_drawn_deals_and_those_that_tie_draw_again(seats):
    ties = 0
    for number in range(300):
        state = State.new("sangohana", seed=f"draws/{number}", seats=seats)
        drawn = [(event.seat, event.cards[0]) for event in state.events(ALL) if event.kind == "draw"]
        assert [card for _, card in drawn] == list(deck(f"draws/{number}", 0, 0))[: len(drawn)]
        assert (drawn, state.dealer) == first_draws(deck(f"draws/{number}", 0, 0), seats)
        still_in, rest = list(range(seats)), drawn
        while len(still_in) > 1:
            one, rest = rest[: len(still_in)], rest[len(still_in) :]
            assert [seat for seat, _ in one] == still_in
            best = min(card // 4 for _, card in one)
            still_in = [seat for seat, card in one if card // 4 == best]
            ties += len(still_in) > 1
        assert (still_in, rest) == ([state.dealer], [])
    assert ties > 5


def test_hands_are_dealt_by_seat_whoever_deals():
    for dealer in range(3):
        state = scene((READY, *DULL), dealer=dealer)
        assert zone(state, "hand", 0, viewer=0) == "1R 2A 2R 3R 4A 5A 6A"
        assert (state.current_player, state.legal_texts()) == (dealer, ["draw"])


def test_a_winner_deals_the_next_month_and_a_run_out_month_keeps_its_dealer():
    won = play(scene((DULL[0], READY, DULL[1]), "7A"), "draw discard:7A win")
    assert (won.month, won.dealer, won.current_player) == (2, 1, 1)
    run_out = follow(scene((READY, *DULL), dealer=2), patiently, random.Random(1), lambda state: state.month == 2)
    assert (deal_end(run_out)[:2], run_out.dealer) == (("run_out", -1), 2)


def test_a_match_has_twelve_months():
    state = follow(State.new("sangohana", seed=1), patiently, random.Random(1))
    assert [month["month"] for month in state.transcript()["months"]] == list(range(1, 13))


# The turn


def test_the_months_first_turn_must_draw_and_is_asked_all_the_same():
    state = scene((READY, *DULL), "4x 5x")
    assert state.legal_texts() == ["draw"]
    assert play(state, "draw discard:4x").legal_texts() == ["draw", "take"]


def test_a_drawn_card_is_seen_by_the_seat_alone():
    state = play(scene((READY, *DULL), "4x 5x"), "draw")
    assert next(event for event in state.observation(0).events if event.kind == "stock").cards == (14,)
    assert next(event for event in state.observation(1).events if event.kind == "stock").cards == ()
    assert zone(state, "hand", 0, viewer=1) == ""
    assert next(item.count for item in state.spectate().zones if (item.kind, item.seat) == ("hand", 0)) == 8


def test_a_discard_may_be_taken_by_the_next_seat_alone_and_is_known_to_all_until_it_is_discarded():
    state = play(scene((READY, *DULL), "4x 5x 8x 9x"), "draw discard:4x take")
    assert zone(state, "discard") == ""
    for viewer in (-1, 0, 2):
        assert zone(state, "hand", 1, viewer) == zone(state, "shown", 1, viewer) == "4x"
    play(state, "discard:2x draw discard:5x draw discard:8x")
    assert zone(state, "hand", 1, viewer=0) == "4x"
    assert zone(state, "discard") == "8x 5x 2x"
    play(state, "draw discard:4x")
    assert zone(state, "hand", 1, viewer=0) == zone(state, "shown", 1) == ""


def test_the_last_discard_alone_may_be_taken():
    state = play(scene((READY, *DULL), "4x 5x 8x"), "draw discard:4x draw discard:5x take discard:8L")
    assert zone(state, "discard") == "8L 4x"
    assert zone(state, "hand", 2, viewer=2).split().count("5x") == 1


def test_a_taken_card_may_not_be_discarded_in_the_same_turn_r1():
    state = play(scene((READY, *DULL), "4x"), "draw discard:4x take")
    assert state.legal_texts() == [f"discard:{card}" for card in ["1L", "2x", "3x", "4R", "5R", "6x", "9A"]]
    with pytest.raises(IllegalActionError, match="discard:4x"):
        state.apply(state.parse_action("discard:4x"))


def test_a_drawn_card_may_be_discarded_at_once():
    assert "discard:4x" in play(scene((READY, *DULL), "4x"), "draw").legal_texts()


def test_eight_cards_with_a_taken_discard_never_win_r1():
    state = play(scene((DULL[0], READY, DULL[1]), "7A"), "draw discard:7A pass take")
    assert state.current_player == 1
    assert "win" not in state.legal_texts()


def test_a_seat_that_may_win_by_drawing_may_discard_instead():
    state = play(scene((READY, *DULL), "7A 4x"), "draw")
    cards = ["1R", "2A", "2R", "3R", "4A", "5A", "6A", "7A"]
    assert state.legal_texts() == ["win", *(f"discard:{card}" for card in cards)]
    assert play(state, "discard:7A").current_player == 1


# Claims

TWO_CLAIMS = (DULL[0], "1L 3L 8L 8A 9A 10A 11A", READY, "1x 1y 2x 2y 3x 3y 8x")


def test_claims_are_asked_in_turn_order_from_the_discarder_and_the_first_to_win_takes_the_month():
    hands = ("4x 4y 5x 5y 6x 6y 7x", *TWO_CLAIMS[1:])
    state = play(scene(hands, "7A"), "draw discard:7A")
    assert (state.current_player, state.legal_texts()) == (1, ["pass", "win"])
    assert deal_end(play(state.clone(), "win"))[1:] == (1, (-24, 72, -24, -24))
    play(state, "pass")
    assert (state.current_player, state.legal_texts()) == (2, ["pass", "win"])
    assert deal_end(play(state.clone(), "win"))[1:] == (2, (-26, -26, 78, -26))
    play(state, "pass")
    assert (state.current_player, state.legal_texts()) == (1, ["draw", "take"])


def test_turn_order_goes_round_the_table_to_the_discarder():
    hands = (READY, "4x 4y 5x 5y 6x 6y 7x", DULL[1], "1L 3L 8A 9A 10A 11A 11L")
    hands = (hands[0], hands[1], "1x 1y 2x 2y 3x 3y 8x", hands[3])
    state = play(scene(hands, "7A", dealer=1), "draw discard:7A")
    assert state.current_player == 3
    assert play(state, "pass").current_player == 0
    assert play(state, "pass").current_player == 2


def test_a_seat_that_cannot_win_is_not_asked():
    assert play(scene((DULL[0], READY, DULL[1]), "4x"), "draw discard:4x").legal_texts() == ["draw", "take"]


def test_every_other_seat_pays_and_the_discarder_no_more_than_the_rest():
    state = play(scene((DULL[0], READY, DULL[1]), "7A"), "draw discard:7A win")
    assert deal_end(state) == ("win", 1, (-26, 52, -26))
    two = play(scene((DULL[0], READY), "7A"), "draw discard:7A win")
    assert deal_end(two) == ("win", 1, (-26, 26))


# Timing


def test_fuku_agari_pays_15_more_in_ones_first_turn():
    assert scored(play(scene((READY, *DULL), "7A"), "draw win")) == [("kami_no_tane", 14 + 15)]
    third = scene((*DULL, READY), "4x 5x 7A")
    assert scored(play(third, "draw discard:4x draw discard:5x draw win")) == [("kami_no_tane", 14 + 15)]


def test_a_draw_in_ones_second_turn_pays_nothing_more():
    state = play(scene((READY, *DULL), "4x 5x 8x 7A"), "draw discard:4x draw discard:5x draw discard:8x draw win")
    assert scored(state) == [("kami_no_tane", 14)]


def test_fuku_atari_pays_12_more_with_the_cards_that_were_dealt():
    state = play(scene((DULL[0], READY, DULL[1]), "7A"), "draw discard:7A win")
    assert scored(state) == [("kami_no_tane", 14 + 12)]


def test_fuku_atari_pays_10_more_with_a_hand_that_has_changed():
    state = scene((DULL[0], "1R 2R 3R 2A 4A 5A 8x", DULL[1]), "4x 6A 7A")
    play(state, "draw discard:4x draw discard:8x draw discard:7A win")
    assert scored(state) == [("kami_no_tane", 14 + 10)]
    taken = scene((DULL[0], "1R 2R 3R 2A 4A 5A 8x", DULL[1]), "6A 7A")
    play(taken, "draw discard:6A take discard:8x draw discard:7A win")
    assert scored(taken) == [("kami_no_tane", 14 + 10)]


def test_who_discards_the_card_just_drawn_is_unchanged_r6():
    state = play(scene((DULL[0], READY, DULL[1]), "4x 5x 7A"), "draw discard:4x draw discard:5x draw discard:7A win")
    assert scored(state) == [("kami_no_tane", 14 + 12)]


def test_the_dealer_may_be_unchanged_too_until_its_second_turn_r6():
    state = play(scene((READY, *DULL), "4x 5x 7A"), "draw discard:4x draw discard:5x draw discard:7A win")
    assert (deal_end(state)[1], scored(state)) == (0, [("kami_no_tane", 14 + 12)])


def test_from_the_dealers_second_turn_on_a_discard_pays_nothing_more():
    state = scene((DULL[0], READY, DULL[1]), "4x 5x 8x 7A")
    play(state, "draw discard:4x draw discard:5x draw discard:8x draw discard:7A win")
    assert scored(state) == [("kami_no_tane", 14)]


# The pot


def won_after(run_outs: int, by_dealer: bool) -> State:
    """A month that is won after just so many run-out ones, by its dealer or by another seat."""
    for number in range(2_000):
        rng = random.Random(number)
        state = State.new("sangohana", seed=f"pots/{number}")
        follow(state, patiently, rng, lambda state: state.month > run_outs)
        follow(state, building, rng, lambda state: state.month > run_outs + 1)
        ended, winner, _ = deal_end(state)
        dealer = [event.seat for event in state.events(ALL) if event.kind == "deal"][run_outs]
        if ended == "win" and (winner == dealer) == by_dealer:
            return state
    raise AssertionError("no such match")


def test_a_run_out_month_costs_the_dealer_two_and_every_other_seat_one():
    state = follow(scene((READY, *DULL), dealer=1), patiently, random.Random(1), lambda state: state.month == 2)
    assert deal_end(state) == ("run_out", -1, (-1, -2, -1))
    assert (counter(state, "pot"), counter(state, "run_outs")) == (4, 1)


@pytest.mark.parametrize("run_outs", [1, 3])
def test_a_winner_takes_the_pot(run_outs):
    state = won_after(run_outs, by_dealer=False)
    _, winner, scores = deal_end(state)
    each = scored(state)[0][1]
    assert scores == tuple(2 * each + 4 * run_outs if seat == winner else -each for seat in range(3))
    assert (counter(state, "pot"), counter(state, "run_outs")) == (0, 0)


@pytest.mark.parametrize("run_outs", [1, 3])
def test_a_winning_dealer_gets_one_more_from_every_other_seat_for_each_run_out_in_the_pot(run_outs):
    state = won_after(run_outs, by_dealer=True)
    _, winner, scores = deal_end(state)
    each = scored(state)[0][1] + run_outs
    assert scores == tuple(2 * each + 4 * run_outs if seat == winner else -each for seat in range(3))
    [pay] = [event for event in state.events(ALL) if event.kind == "pay"][run_outs:]
    assert (pay.name, pay.values[winner]) == ("pot", 2 * run_outs + 4 * run_outs)


def test_nobody_pays_for_a_twelfth_month_that_runs_out():
    state = follow(State.new("sangohana", seed=1), patiently, random.Random(1))
    assert [sum(month["scores"]) for month in state.transcript()["months"]] == [-4] * 11 + [0]
    state = follow(scene((READY, *DULL), month=12), patiently, random.Random(1))
    assert state.is_over
    assert "pay" not in [event.kind for event in state.events(ALL)]


@pytest.mark.parametrize(("seats", "shares"), [(2, (33,)), (3, (22, 22)), (4, (19, 18, 18))])
def test_equal_final_winners_share_the_last_pot_the_rest_to_the_first_from_the_last_dealer_r4(seats, shares):
    """Nobody wins a month, so the dealer never changes, has paid most, and the others are equal."""
    for number in range(10):
        state = follow(State.new("sangohana", seed=f"last/{number}", seats=seats), patiently, random.Random(number))
        assert sum(state.balances()) + 11 * (seats + 1) == 0
        expected = [-22] * seats
        for step, share in enumerate(shares, 1):
            expected[(state.dealer + step) % seats] = share - 11
        assert state.returns() == tuple(expected)
        [last] = [event for event in state.events(ALL) if event.name == "last_pot"]
        assert [after - before for after, before in zip(state.returns(), state.balances(), strict=True)] == list(
            last.values
        )


def test_the_last_dealer_itself_may_be_the_first_to_share_the_last_pot_r4():
    state = follow(State.new("sangohana", seed="tie/358", seats=4), by_code, random.Random(358))
    assert (state.dealer, state.balances()) == (0, (9, -9, -14, 9))
    assert state.returns() == (9 + 3, -9, -14, 9 + 2)
    other = follow(State.new("sangohana", seed="tie/492", seats=4), by_code, random.Random(492))
    assert (other.dealer, other.balances()) == (3, (6, -6, -11, 6))
    assert other.returns() == (6 + 2, -6, -11, 6 + 3)


def by_code(state: State, rng: random.Random) -> str:
    return state.action_text(rng.choice(state.legal_actions()))


def test_a_twelfth_month_that_is_won_leaves_no_pot():
    for number in range(100):
        rng = random.Random(number)
        state = State.new("sangohana", seed=f"twelfth/{number}")
        follow(state, patiently, rng, lambda state: state.month == 12)
        follow(state, building, rng)
        if state.transcript()["months"][-1]["ended"] == "win":
            assert state.returns() == state.balances()
            assert sum(state.returns()) == 0
            return
    raise AssertionError("no such match")


# How a month ends without a winner

CYCLE = ("2A 4A 5A 1x 1y 2x 3x", "6R 7R 4x 5x 6x 7x 8x")
"""Seat 0 waits for any chaff, seat 1 has chaff to give."""


def swap(turns: int, draw_before: int = 1, draw_at: int = 0) -> State:
    """So many turns in which two seats take each other's discards; seat 0 passes on every one but the last."""
    state = scene(CYCLE, "3y 9x 9y")
    rng = random.Random(3)
    while state.month == 1 and counter(state, "turns") < turns:
        legal = state.legal_texts()
        now = counter(state, "turns") + 1
        if "draw" in legal:
            text = "draw" if now <= draw_before or now == draw_at else "take"
        elif "pass" in legal:
            text = "pass"
        else:
            text = rng.choice([text for text in legal if text[-1] in "xyz"] or legal[1:])
        play(state, text)
    return state


def test_a_month_of_200_turns_ends_as_a_safeguard_and_costs_what_a_run_out_costs_r2():
    state = swap(199)
    assert (state.month, state.legal_texts()) == (1, ["draw", "take"])
    state = swap(200)
    assert state.legal_texts() == ["pass", "win"]
    assert deal_end(play(state, "pass")) == ("safeguard", -1, (-2, -1))
    assert state.month == 2


def test_the_200th_discard_can_still_be_won_r2():
    state = play(swap(200), "win")
    assert (deal_end(state)[:2], scored(state)[0][0]) == (("win", 0), "suyaku")


def test_a_stock_that_ends_in_the_200th_turn_makes_a_run_out_r2():
    state = swap(199, draw_before=33)
    assert next(item.count for item in state.spectate().zones if item.kind == "stock") == 1
    other = state.clone()
    follow(state, patiently, random.Random(1), lambda state: state.month == 2)
    assert deal_end(state) == ("run_out", -1, (-2, -1))
    take = lambda state, rng: next(text for text in reversed(state.legal_texts()) if text != "win")  # noqa: E731
    assert deal_end(follow(other, take, random.Random(1), lambda state: state.month == 2))[0] == "safeguard"


def last_discard(claimed: bool) -> State:
    """A month with an empty stock whose last discard completes a hand, or does not."""

    def completes(state: State) -> bool:
        stock = next(item.count for item in state.spectate().zones if item.kind == "stock")
        return stock == 0 and "pass" in state.legal_texts()

    for number in range(500):
        state = scene((READY, *DULL), "")
        rng = random.Random(number)
        patient = lambda state, rng: "pass" if "pass" in state.legal_texts() else keep(state, rng)  # noqa: E731
        follow(state, patient if claimed else patiently, rng, lambda state: completes(state) or state.month == 2)
        if claimed == (state.month == 1):
            return state
    raise AssertionError("no such month")


def keep(state: State, rng: random.Random) -> str:
    """Draws; seat 0 discards what it has drawn, the others by chance."""
    legal = state.legal_texts()
    if "draw" in legal:
        return "draw"
    if state.current_player == 0:
        kept = {f"discard:{card}" for card in READY.split()}
        return next(text for text in legal if text not in kept and text != "win")
    return rng.choice([text for text in legal if text != "win"])


def test_the_last_discard_can_be_won_but_nobody_may_take_it_r3():
    assert deal_end(play(last_discard(claimed=True), "win"))[0] == "win"
    passed = last_discard(claimed=True)
    while passed.month == 1:
        play(passed, "pass")
    assert deal_end(passed)[0] == "run_out"
    unclaimed = last_discard(claimed=False)
    assert deal_end(unclaimed)[0] == "run_out"
    assert sum(event.kind == "stock" for event in unclaimed.events(ALL)) == 27


# Laws

matches = {"seed": st.integers(0, 2**32), "seats": st.integers(2, 4), "dice": st.integers(0, 2**32)}


@settings(deadline=None, max_examples=6)
@given(**matches)
def test_chips_and_pot_sum_to_zero_and_every_card_lies_in_one_place(seed, seats, dice):
    rng = random.Random(dice)
    state = State.new("sangohana", None, seed, seats)
    policy = mixed(seats, rng)
    while not state.is_over:
        assert sum(state.balances()) + counter(state, "pot") == 0
        views = [state.observation(seat) for seat in range(seats)]
        hands = [item for view in views for item in view.zones if (item.kind, item.seat) == ("hand", view.seat)]
        discards = next(item for item in views[0].zones if item.kind == "discard")
        stock = next(item.count for item in views[0].zones if item.kind == "stock")
        cards = [card for item in (*hands, discards) for card in item.cards]
        assert len(cards) == len(set(cards)) == 48 - stock
        assert [item.count for item in hands].count(7) >= seats - 1
        state.apply(state.parse_action(policy(state, rng)))
    assert sum(state.returns()) == 0


@settings(deadline=None, max_examples=20)
@given(**matches)
def test_a_month_in_which_everybody_takes_ends_as_a_safeguard_with_its_200th_turn_r2(seed, seats, dice):
    rng = random.Random(dice)
    state = State.new("sangohana", None, seed, seats)
    follow(state, taking, rng)
    for month in state.transcript()["months"]:
        turns = sum(action["action"] in ("draw", "take") for action in month["actions"])
        assert (month["ended"], turns) == ("safeguard", 200)


def taking(state: State, rng: random.Random) -> str:
    """Takes whatever lies there and never wins."""
    legal = [text for text in state.legal_texts() if text not in ("win", "draw")] or ["draw"]
    return legal[0] if legal[0] in ("take", "pass") else rng.choice(legal)


def test_codes_are_words_then_discards_in_id_order():
    actions = variant_info("sangohana").actions
    assert actions[:4] == ("draw", "take", "pass", "win")
    assert actions[4:6] == ("discard:1L", "discard:1R")
    assert len(actions) == 52
