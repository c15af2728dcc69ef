"""State by its laws: what may be asked of it, and what it says when it is asked wrongly."""

import copy
import pickle
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from koikoi_scene import scene

from core_ext import ALL, SPECTATOR, VARIANTS, State, errors, variant_info

# Lists alone are mostly short; these are as often long, and long ones go past the end of a short match.
choices = st.integers(0, 260).flatmap(lambda size: st.lists(st.integers(0, 15), min_size=size, max_size=size))
seeds = st.integers(0, 2**32)


def follow(state: State, numbers: list[int]) -> State:
    """Plays by numbers, each an index into the legal actions, wrapped."""
    for number in numbers:
        if state.is_over:
            break
        legal = state.legal_actions()
        state.apply(legal[number % len(legal)])
    return state


@settings(deadline=None, max_examples=60)
@given(seeds, choices)
def test_a_match_is_its_seed_and_actions(seed, numbers):
    state = follow(State.new("koikoi", None, seed), numbers)
    codes = state.actions()
    listed, packed = State.new("koikoi", None, seed), State.new("koikoi", None, seed)
    listed.apply_all(codes)
    packed.apply_all(b"".join(code.to_bytes(2, "little") for code in codes))
    assert listed.state_hash() == packed.state_hash() == state.state_hash()
    assert listed.events(ALL) == packed.events(ALL) == state.events(ALL)


@settings(deadline=None, max_examples=60)
@given(seeds, choices)
def test_every_card_lies_in_one_place(seed, numbers):
    state = follow(State.new("koikoi", {"field_four": "dealer_takes"}, seed), numbers)
    views = [state.observation(seat) for seat in (0, 1)]
    table = [zone for zone in views[0].zones if zone.kind not in ("hand", "stock")]
    hands = [zone for view in views for zone in view.zones if zone.kind == "hand" and zone.seat == view.seat]
    cards = [card for zone in (*table, *hands) for card in zone.cards]
    stock = next(zone.count for zone in views[0].zones if zone.kind == "stock")
    assert len(cards) == len(set(cards)) == 48 - stock


@settings(deadline=None, max_examples=60)
@given(seeds, choices, st.integers(-5, 300))
def test_an_illegal_action_leaves_the_state_untouched(seed, numbers, code):
    state = follow(State.new("koikoi", {"months": 2}, seed), numbers)
    before = (state.state_hash(), state.observation(0), state.observation(1), state.events(ALL), state.actions())
    if code in state.legal_actions():
        return
    with pytest.raises(errors.MatchOverError if state.is_over else errors.IllegalActionError):
        state.apply(code)
    after = (state.state_hash(), state.observation(0), state.observation(1), state.events(ALL), state.actions())
    assert after == before


@settings(deadline=None, max_examples=60)
@given(seeds, choices, choices)
def test_a_clone_and_its_origin_know_nothing_of_each_other(seed, numbers, more):
    state = follow(State.new("koikoi", None, seed), numbers)
    before = (state.state_hash(), state.events(ALL), state.actions())
    clone = follow(state.clone(), more)
    assert (state.state_hash(), state.events(ALL), state.actions()) == before
    after = (clone.state_hash(), clone.events(ALL), clone.actions())
    follow(state, [number + 1 for number in more])
    assert (clone.state_hash(), clone.events(ALL), clone.actions()) == after


def test_a_clone_outlives_its_origin():
    state = follow(State.new("koikoi", None, 3), [1] * 60)
    clone, events = state.clone(), state.events(ALL)
    del state
    assert clone.events(ALL) == events


@pytest.mark.parametrize("variant", VARIANTS)
def test_two_matches_on_one_seed_meet_the_same_decks_however_they_are_played(variant):
    def decks(numbers):
        months = follow(State.new(variant, None, "duplicate"), numbers).transcript()["months"]
        return {(month["month"], month["attempt"]): month["deck"] for month in months}

    one, other = decks([0] * 6000), decks([5, 3, 1, 7] * 1500)
    assert len(set(one) & set(other)) >= 12
    assert all(one[place] == other[place] for place in set(one) & set(other))


def test_choices_are_indexes_into_the_legal_actions():
    state, twin = State.new("koikoi", None, 9), State.new("koikoi", None, 9)
    state.apply_choices(bytes([2, 0, 1]))
    for index in (2, 0, 1):
        twin.apply(twin.legal_actions()[index])
    assert state.actions() == twin.actions()


def test_bulk_apply_stops_at_the_first_illegal_code_with_those_before_it_done():
    state = State.new("koikoi", None, 9)
    first = state.legal_actions()[0]
    with pytest.raises(errors.IllegalActionError) as refused:
        state.apply_all([first, 288, first])
    assert refused.value.code == 288
    assert state.actions() == [first]


def test_codes_as_bytes_come_in_pairs():
    with pytest.raises(ValueError, match="two bytes each"):
        State.new("koikoi", None, 9).apply_all(b"\0")


@pytest.mark.parametrize("action", [2**80, -(2**80), 70000])
def test_a_number_far_out_of_range_is_an_illegal_action(action):
    with pytest.raises(errors.IllegalActionError):
        State.new("koikoi", None, 9).apply(action)


@pytest.mark.parametrize("action", ["1R", None, 1.0])
def test_an_action_that_is_no_number_is_a_type_error(action):
    with pytest.raises(TypeError):
        State.new("koikoi", None, 9).apply(action)


def test_a_finished_match_refuses_everything_by_name():
    state = follow(State.new("koikoi", {"months": 1}, 1), [0] * 100)
    assert state.is_over
    with pytest.raises(errors.MatchOverError):
        state.apply(0)


def test_an_unknown_variant_is_refused_with_those_there_are():
    with pytest.raises(errors.UnknownVariantError, match=r"no variant 'bridge'; there are koikoi"):
        State.new("bridge")


@pytest.mark.parametrize("seats", [1, 3, 0, "2"])
def test_a_number_of_seats_that_cannot_play_is_refused(seats):
    with pytest.raises(errors.SeatsError, match="koikoi has 2 seats"):
        State.new("koikoi", None, 1, seats)


@pytest.mark.parametrize("seat", [-1, 2])
def test_a_seat_that_is_not_there_has_no_observation(seat):
    state = State.new("koikoi", None, 1)
    for ask in (state.observation, lambda seat: state.determinize(seat, 1)):
        with pytest.raises(errors.SeatsError):
            ask(seat)


def test_a_state_is_made_by_its_own_methods_alone():
    with pytest.raises(TypeError, match=r"made by State\.new"):
        State()
    with pytest.raises(TypeError, match=r"made by State\.new"):
        State.__new__(State)


def test_nothing_is_no_list_of_choices():
    state = State.new("koikoi", None, 1)
    for take in (state.apply_choices, state.pack_choices, lambda choices: state.apply_packed(choices, 1)):
        with pytest.raises(TypeError, match="NoneType"):
            take(None)


def test_events_since_before_the_first_are_all_events():
    state = follow(State.new("koikoi", None, 3), [0] * 60)
    assert state.month > 1
    for since in (-1, -(2**31)):
        assert state.events(0, since) == state.events(0)
        assert state.observation(0, since) == state.observation(0)


def test_events_are_told_to_seats_spectators_and_all_and_to_nobody_else():
    state = State.new("koikoi", None, 1)
    assert state.events(SPECTATOR) == state.events(0) == state.events(ALL)
    for seat in (-3, 2):
        with pytest.raises(errors.SeatsError):
            state.events(seat)


def test_a_deck_that_is_not_every_card_once_is_refused():
    for deck in ("1L", "1L " * 48, range(47)):
        with pytest.raises(errors.DeckError, match="each of its 48 cards once"):
            State.from_deck("koikoi", None, deck)
        with pytest.raises(errors.DeckError, match="each of its 48 cards once"):
            State.from_deck("koikoi", None, range(48), following=[deck])
    with pytest.raises(errors.SeatsError):
        State.from_deck("koikoi", None, range(48), dealer=2)


@pytest.mark.parametrize(
    ("variant", "options", "month", "attempt"),
    [
        ("koikoi", {"months": 120}, 120, 15),
        ("koikoi", {"months": 1}, 1, 15),
        ("koikoi45", {}, 12, 0),
        ("kyogi", {}, 36, 20),
        ("hachihachi", {}, 12, 0),
        ("hachihachi", {"etsunen": True}, 48, 0),
        ("sangohana", {}, 12, 0),
    ],
)
def test_a_deal_that_no_match_has_is_refused(variant, options, month, attempt):
    """And so it is in an observation: what a variant keeps by month has no more."""
    deck = range(variant_info(variant).cards)
    state = State.from_deck(variant, options, deck, month=month, attempt=attempt)
    view = state.observation(state.current_player)
    assert State.from_observation(view, 1).month == month
    for place in ((0, 0), (month + 1, 0), (month, attempt + 1), (60_000, 0), (1, -1)):
        with pytest.raises(ValueError, match=f"no attempt {place[1]} of month {place[0]}"):
            State.from_deck(variant, options, deck, 0, *place)
        with pytest.raises(errors.ObservationError, match=r"^(month|attempt) "):
            State.from_observation(replace(view, month=place[0], attempt=place[1]), 1)


def test_a_state_begun_with_a_deck_has_no_seed_but_goes_on_from_deal_to_deal():
    deck = "1L 2A 3L 4A 5A 6A 7A 8A 1R 2R 3R 4R 5R 6R 7R 8L 1x 2x 3x 4x 5x 6x 7x 8x "
    deck += "9A 9R 9x 9y 10A 10R 10x 10y 11L 11A 11R 11x 12L 12x 12y 12z 1y 2y 3y 4y 5y 6y 7y 8y"
    one, other = (follow(State.from_deck("koikoi", None, deck), [1] * 50) for _ in range(2))
    assert one.seed is None
    assert one.month > 1
    assert one.state_hash() == other.state_hash()
    with pytest.raises(errors.SampledStateError):
        one.transcript()


def test_given_decks_are_dealt_in_turn_and_later_ones_by_chance():
    options = {"field_four": "dealer_takes", "teshi": False, "months": 4}
    decks = [random.Random(number).sample(range(48), 48) for number in range(3)]
    state = State.from_deck("koikoi", options, decks[0], following=decks[1:])
    hands = []
    while not state.is_over:
        if len(hands) < state.month:
            hands.append(hand_of_seat_0(state))
            state = state.clone()
        state.apply(state.legal_actions()[0])
    assert hands[:3] == [set(deck[:8]) for deck in decks]
    assert len(hands) == 4


def hand_of_seat_0(state: State) -> set[int]:
    return {card for zone in state.observation(0).zones if (zone.kind, zone.seat) == ("hand", 0) for card in zone.cards}


def test_the_hash_tells_positions_options_and_seeds_apart():
    states = [State.new("koikoi", None, 1), State.new("koikoi", None, 2), State.new("koikoi", {"months": 11}, 1)]
    states += [follow(State.new("koikoi", None, 1), [0]), follow(State.new("koikoi", None, 1), [1])]
    assert len({state.state_hash() for state in states}) == len(states)


def test_the_hash_is_the_same_on_every_machine():
    state = State.new("koikoi", None, "hash")
    hashes = [state.state_hash(), follow(state, [3] * 7).state_hash(), follow(state, [2] * 200).state_hash()]
    assert hashes == FROZEN_HASHES


FROZEN_HASHES = ["f31fd024e47c3a88", "79d8ae76b8bb2b2a", "335784f1c3c8987a"]


def test_equal_seats_share_a_place():
    assert State.new("sangohana", None, 1, 4).placing() == (1, 1, 1, 1)


@pytest.mark.parametrize("variant", VARIANTS)
def test_results_are_balances_until_the_end_and_then_what_places_are_by(variant):
    state = State.new(variant, None, 1)
    while not state.is_over:
        assert state.returns() == state.balances()
        state.apply(state.legal_actions()[0])
    results = state.returns()
    assert state.placing() == tuple(1 + sum(other > own for other in results) for own in results)


def test_a_state_is_not_pickled_by_accident():
    for leave in (pickle.dumps, copy.copy):
        with pytest.raises(TypeError):
            leave(State.new("koikoi", None, 1))


def test_an_event_number_counts_over_the_whole_match():
    state = State.new("koikoi", {"months": 3}, 4)
    seen = []
    while not state.is_over:
        since = state.event_count
        state.apply(state.legal_actions()[-1])
        seen += state.events(ALL, since)
    assert state.events(ALL) == State.new("koikoi", {"months": 3}, 4).events(ALL) + tuple(seen)


def test_an_options_value_is_read_back_with_every_default_written_out():
    state = scene("", "", "1L 2A 3L 4A 5A 6A 7A 8A", months=3, points__goko=12)
    assert (state.options["months"], state.options["points.goko"], state.options["target"]) == (3, 12, None)
