"""What a seat of hachihachi knows: declared hands, secret passes, and 法度, which follows from the cards."""

import random
from dataclasses import replace

import pytest
from hachihachi_scene import dealt, month_end
from reference_cards import RIBBONS
from reference_hachihachi_hands import readings
from view_message import view_message

from arena.wire import observation_from_wire
from core_ext import ALL, Event, Observation, State, errors
from core_ext.cards import cards_text, parse_cards

TO_DECLARE = ("1R 2R 3x 4x 5x 6x 7x", "1L 3R 3L 9A 9R 10A 12L", "2A 2x 6A 7A 8L 10R 11L")

FIELD = "1x 2y 4y 8x 9x 10x"


def begin(hands, field="", stock="", **options) -> State:
    return State.from_deck("hachihachi", options, " ".join(dealt(hands, field, stock)))


def do(state: State, actions: str) -> State:
    for text in actions.split():
        state.apply(state.parse_action(text))
    return state


def hand_of(state: State, seat: int) -> set[str]:
    zone = next(zone for zone in state.observation(seat).zones if (zone.kind, zone.seat) == ("hand", seat))
    return set(cards_text(zone.cards).split())


def random_states(matches: int):
    """Every decision of some random matches in which hands are mostly declared and koi is mostly said."""
    rng = random.Random(5)
    for number in range(matches):
        state = State.new("hachihachi", {"menu": "ABCDEF"[number % 6]}, f"views/{number}")
        while not state.is_over:
            yield state, rng
            words = [text for text in state.legal_texts() if text == "koi" or text.startswith("declare")]
            liked = words if words and rng.random() < 0.8 else state.legal_texts()
            state.apply(state.parse_action(rng.choice(liked)))


def over_the_wire(state: State, seat: int) -> Observation:
    """The view as a bot of another process has it."""
    view = state.observation(seat)
    return observation_from_wire(view_message(view), view.legal)


def test_an_observation_that_no_deal_fits_is_refused_however_many_hands_are_tried():
    """The dealer waits though the last seat has declared. Many of the hands tried let the second one pass."""
    hands = ("1L 3R 3L 9A 9R 10A 12L", "2A 2R 6A 7A 8L 10R 11L", "1x 2x 3x 4x 5x 6x 7x")
    state = do(begin(hands), "declare")
    view = state.observation(0)
    assert view.legal
    with pytest.raises(errors.ObservationError, match="no deal fits"):
        State.from_observation(replace(view, legal=()), 1)


def test_sampled_hands_of_seats_that_declared_fit_their_declaration():
    state = do(begin(TO_DECLARE, FIELD), "declare")
    hidden = set()
    for number in range(300):
        sample = state.determinize(1, number)
        hand = hand_of(sample, 0)
        assert any(reading.poverty == "aka" and reading.number is None for reading in readings(hand))
        hidden |= hand - {"3x", "4x", "5x", "6x", "7x"}
    assert hidden == RIBBONS - set(TO_DECLARE[1].split())


def test_sampled_hands_of_seats_that_declared_by_number_are_poor_by_willow_cards_alone_r11():
    state = do(begin(("5R 5x 5y 4A 4x 6x 7x", *TO_DECLARE[1:]), FIELD), "declare")
    for number in range(200):
        hand = hand_of(state.determinize(1, number), 0)
        assert hand >= {"5R", "5x", "5y"}
        assert any(reading.poverty is None for reading in readings(hand))


def test_ribbons_hidden_in_aka_are_each_as_likely():
    state = do(begin(TO_DECLARE, FIELD), "declare")
    counts: dict[str, int] = {}
    for number in range(2100):
        for card in hand_of(state.determinize(1, number), 0) & RIBBONS:
            counts[card] = counts.get(card, 0) + 1
    # Seven pairs of eight ribbons are possible for each: 525 of 2100, by five standard errors.
    assert len(counts) == 8
    assert all(425 < count < 625 for count in counts.values())


def test_shown_cards_stay_known_until_they_are_played():
    state = do(begin(TO_DECLARE, FIELD), "declare")
    assert set(parse_cards("3x 4x 5x 6x 7x")) == shown(state)
    state.apply(next(code for code in state.legal_actions() if state.action_text(code).startswith("4x")))
    assert set(parse_cards("3x 5x 6x 7x")) == shown(state)


def shown(state: State) -> set[int]:
    return {card for zone in state.observation(2).zones if zone.kind == "shown" for card in zone.cards}


def test_a_hand_that_is_passed_in_secret_shows_nowhere():
    decided = begin(TO_DECLARE, FIELD)
    passed = do(decided.clone(), "pass")
    assert passed.observation(1) == decided.observation(1)
    assert passed.observation(2) == decided.observation(2)
    assert not any(event.kind == "pass" for seat in (1, 2) for event in passed.events(seat))


def test_a_sampled_state_cannot_be_told_from_the_true_one_by_any_seat_at_any_decision():
    for state, rng in random_states(3):
        for seat in range(3):
            view = state.observation(seat)
            assert state.determinize(seat, rng.getrandbits(64)).observation(seat) == view


def test_a_view_over_the_wire_is_as_good_as_the_view_itself():
    for state, rng in random_states(2):
        seat = state.current_player
        view = state.observation(seat)
        sample = State.from_observation(over_the_wire(state, seat), rng.getrandbits(64))
        assert sample.observation(seat) == view


def test_what_a_month_pays_is_worked_out_from_a_view_and_the_right_cards_alone():
    compared = alone = 0
    for state, rng in random_states(40):
        seat = state.current_player
        unseen = sum(zone.count - len(zone.cards) for zone in state.observation(seat).zones)
        if not 0 < unseen <= 4:
            continue
        for number in range(12):
            sample = State.from_observation(over_the_wire(state, seat), number)
            if all_cards(sample) == all_cards(state):
                dice = rng.getrandbits(32)
                payments = end_of_month(state, dice)
                assert end_of_month(sample, dice) == payments
                compared += 1
                alone += any(event.name not in ("pot", "card_points") and 0 in event.values for event in payments)
                break
    assert compared > 100
    assert alone > 0, "somebody paid for another by 法度 or under a 下げ"


def end_of_month(state: State, dice: int) -> list[Event]:
    """What is paid at the end of the month, played on at random in a copy."""
    rng = random.Random(dice)
    trial = state.clone()
    while not trial.is_over and trial.month == state.month:
        trial.apply(rng.choice(trial.legal_actions()))
    told = trial.events(ALL, state.event_count)
    number = next(number for number, event in enumerate(told) if event.kind == "month_end")
    return [event for event in told[: number + 1] if event.kind in ("pay", "month_end")]


def all_cards(state: State) -> list[object]:
    """Every hand and the stock in its order, as playing on shows it."""
    trial = state.clone()
    while not trial.is_over and trial.month == state.month:
        trial.apply(trial.legal_actions()[-1])
    told = trial.events(ALL, state.event_count)
    number = next(number for number, event in enumerate(told) if event.kind == "month_end")
    turned = [event.cards for event in told[:number] if event.kind == "turn"]
    return [*(hand_of(state, seat) for seat in range(3)), turned]


VIEW = do(begin(TO_DECLARE, FIELD), "declare").observation(1)


def with_counter(name: str, seat: int, value: int | None):
    kept = [counter for counter in VIEW.counters if (counter.name, counter.seat) != (name, seat)]
    added = [] if value is None else [VIEW.counters[0]._replace(name=name, seat=seat, value=value)]
    return replace(VIEW, counters=(*kept, *added))


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(with_counter("field", -1, 3), id="a fourth kind of field"),
        pytest.param(with_counter("bind", -1, None), id="no bind told"),
        pytest.param(with_counter("by_number", 0, 11), id="a hand that is none"),
        pytest.param(with_counter("by_poverty", 0, -1), id="a negative hand"),
        pytest.param(with_counter("pot", -1, 49), id="too large a pot"),
    ],
)
def test_an_observation_that_no_month_fits_is_refused(view):
    with pytest.raises(errors.ObservationError):
        State.from_observation(view, 1)


def test_events_that_do_not_tell_the_turns_are_refused():
    state = State.new("hachihachi", None, "turns")
    while sum(event.kind == "turn" for event in state.observation(0).events) < 2:
        state.apply(state.legal_actions()[0])
    view = state.observation(0)
    turns = [event for event in view.events if event.kind == "turn"]
    broken = [(turns[0]._replace(cards=cards), *turns[1:]) for cards in ((), (48,), (1, 2))]
    for events in ((), view.events[:-1], (*view.events, turns[0]), *broken):
        with pytest.raises(errors.ObservationError):
            State.from_observation(replace(view, events=events), 1)


def test_month_ends_are_told_to_everybody_alike():
    state = State.new("hachihachi", None, "alike")
    while state.month == 1:
        state.apply(state.legal_actions()[0])
    assert month_end(state)[0] in ("stop", "run_out", "cancel")
    pays = [[event for event in state.events(seat) if event.kind == "pay"] for seat in (-1, 0, 1, 2)]
    assert pays[0]
    assert pays.count(pays[0]) == 4
