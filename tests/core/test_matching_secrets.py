"""What the seats of koikoi45 and kyogi know: secret questions show nowhere, samples fit all that a seat has seen."""

import random
from dataclasses import replace

import pytest
from hachihachi_scene import dealt
from hypothesis import given
from hypothesis import strategies as st
from koikoi_scene import counter, play, zone
from koikoi_scene import scene as koikoi_scene
from matching_scene import scene

from core_ext import ALL, State, contract, errors, variant_info
from core_ext.cards import cards_text, parse_cards

OPENING = ("dealt_hand", "exchange")


def openings(variant: str, matches: int):
    """Every state before the first card of random deals, exchanging where it can."""
    rng = random.Random(variant)
    for number in range(matches):
        state = State.new(variant, None, f"opening/{number}")
        while not state.is_over:
            legal = state.legal_texts()
            if state.observation(state.current_player).phase not in OPENING:
                if rng.random() < 0.05:
                    yield state, rng
                state.apply(rng.choice(state.legal_actions()))
                continue
            yield state, rng
            exchanges = [text for text in legal if text.startswith("exchange")]
            play(state, rng.choice(exchanges if exchanges and rng.random() < 0.9 else legal))


@pytest.mark.parametrize(("variant", "matches"), [("koikoi45", 60), ("kyogi", 12)])
def test_in_openings_too_no_seat_can_tell_a_sampled_state_from_the_true_one(variant, matches):
    phases = set()
    for state, rng in openings(variant, matches):
        phases.add(state.observation(state.current_player).phase)
        for seat in (0, 1):
            contract.check_samples(state, seat, rng)
        view = state.spectate()
        assert State.from_observation(view, rng.getrandbits(64)).spectate() == view
    assert phases >= set(OPENING if variant == "koikoi45" else OPENING[:1])


@pytest.mark.parametrize("variant", ["koikoi45", "kyogi"])
def test_to_the_others_every_secret_question_is_the_dealers_play(variant):
    asked = 0
    for state, _ in openings(variant, 40):
        seat = state.current_player
        if state.observation(seat).phase in OPENING:
            asked += 1
            for view in (state.observation(1 - seat), state.spectate()):
                assert (view.phase, view.turn, view.legal) == ("play", state.dealer, ())
    assert asked > 10


def test_a_seat_knows_what_it_put_under_the_stock_as_long_as_it_lies_there():
    hand = "9A 9R 9x 9y 10A 10R 11L 1x"
    state = scene("koikoi45", hand, "1R 2R 3R 4x 5x 6x 7x 8L", "3x 8A 10y 11A 11R 1y 2y 4A", "4R 5A")
    play(state, "pass exchange:9:9A exchange:9")
    cards = [event.cards[0] for event in state.events(ALL) if event.kind == "exchange"]
    as_they_lie, given_away = cards_text(cards), cards_text(sorted(cards))
    rng = random.Random(3)
    while state.month == 2:
        assert [zone(state, "stock", viewer=viewer) for viewer in (0, 1, -1)] == [given_away, "", ""]
        assert [zone(state, "bottom", viewer=viewer) for viewer in (0, 1, -1)] == [as_they_lie, "", ""]
        assert zone(state.determinize(0, rng.getrandbits(64)), "stock", viewer=0) == given_away
        play(state, rng.choice([text for text in state.legal_texts() if text != "stop"]))


def test_an_observation_whose_older_events_are_gone_still_knows_the_bottom_of_the_stock_and_who_has_passed():
    """A message to a bot tells what has happened since its last decision alone."""
    for state, rng in openings("koikoi45", 30):
        seat = state.current_player
        view = replace(state.observation(seat), events=state.observation(seat).events[-2:])
        sample = State.from_observation(view, rng.getrandbits(64))
        assert replace(sample.observation(seat), events=view.events) == view
        assert sample.legal_actions() == state.legal_actions()


@given(st.randoms(use_true_random=False))
def test_a_hand_is_sampled_so_that_it_can_have_made_the_exchanges_that_were_seen(rng):
    hand = "9A 9R 9x 9y 10A 10R 11L 1x"
    state = scene("koikoi45", hand, "1R 2R 3R 4x 5x 6x 7x 8L", "3x 8A 10y 11A 11R 1y 2y 4A", "4R 5A")
    play(state, "pass exchange:9:9A exchange:9")
    for _ in range(rng.randint(0, 12)):
        state.apply(rng.choice(state.legal_actions()))
        if state.month != 2:
            return
    sample = state.determinize(1, rng.getrandbits(64))
    held = set(zone(sample, "hand", 0, viewer=0).split())
    played = {cards_text(event.cards) for event in state.events(1) if event.kind == "play" and event.seat == 0}
    months = [int(card[:-1]) for card in held | played]
    assert len(months) == 8
    assert max(months.count(month) for month in months) >= 2


FOURS = {"first": "1L 1R 1x 1y 2A 3L 4A 5A", "second": "6A 6R 6x 6y 7A 8L 9A 10A"}


def test_after_a_declaration_in_kyogi_who_still_sees_the_deal_can_tell_that_the_other_is_asked():
    state = play(scene("kyogi", **FOURS, field="2R 3R 4R 5R 7R 8A 9R 10R"), "declare")
    assert state.current_player == 1
    for number in range(30):
        sample = state.determinize(0, number)
        assert (sample.current_player, sample.legal_texts()) == (1, ["pass", "declare"])
    spectator = State.from_observation(state.spectate(), 1)
    assert (spectator.current_player, spectator.legal_texts()) == (1, ["pass", "declare"])


def test_with_four_of_a_month_on_kyogis_field_who_still_sees_the_deal_can_tell_that_somebody_is_asked():
    state = scene("kyogi", FOURS["first"], "6A 6R 6x 7x 7A 8L 9A 10A", "2R 2x 2y 11L 11A 11R 11x 3x", dealer=0)
    assert state.current_player == 0
    for number in range(30):
        sample = state.determinize(1, number)
        assert (sample.current_player, sample.legal_texts()) == (0, ["pass", "declare"])


@pytest.mark.parametrize("variant", ["koikoi45", "kyogi"])
def test_an_observation_does_not_change_when_the_cards_hidden_from_it_are_exchanged(variant):
    rng = random.Random(1)
    known = parse_cards("1L 1R 8x 2A 3L 4A 5A 6x 2R 3R 4R 5R 7R 8A 9R 10R")
    hidden = [card for card in range(variant_info(variant).cards) if card not in known]
    views = set()
    for _ in range(40):
        rng.shuffle(hidden)
        deck = [*known[:8], *hidden[:8], *known[8:], *hidden[8:]]
        views.add(replace(State.from_deck(variant, None, deck, 1, 2).observation(0), legal=()))
    assert [view.phase for view in views] == ["play"]


def test_no_exchange_shows_in_the_view_of_a_seat_to_which_it_is_passed():
    """Whether the other could exchange and would not cannot be told from that it could not."""
    first, field = "1L 2A 3L 4A 5A 6A 7A 8A", "9x 9y 10A 10x 11A 11R 1x 2x"
    able = scene("koikoi45", first, "1R 2R 3R 4R 4x 4y 7R 8L", field)
    unable = scene("koikoi45", first, "1R 2R 3R 4R 4x 5R 7R 8L", field)
    assert able.current_player == 1
    assert replace(able.observation(0), legal=unable.observation(0).legal) == unable.observation(0)
    assert play(able, "pass").observation(0) == unable.observation(0)
    assert able.spectate() == unable.spectate()


def test_every_card_of_a_sampled_deal_is_there_once():
    for state, rng in openings("koikoi45", 4):
        sample = state.determinize(rng.randrange(2), rng.getrandbits(64))
        cards = [
            card
            for seat in (0, 1)
            for item in sample.observation(seat).zones
            if item.kind == "hand" and item.seat == seat
            for card in item.cards
        ]
        open_cards = [card for item in sample.spectate().zones if item.kind != "shown" for card in item.cards]
        assert len(set(cards + open_cards)) == len(cards) + len(open_cards)
        assert counter(sample, "exchanges", 0) == counter(state, "exchanges", 0)


@pytest.mark.parametrize("variant", ["koikoi45", "kyogi"])
@pytest.mark.parametrize("phase", OPENING)
def test_a_question_before_play_is_refused_once_a_card_has_been_played(variant, phase):
    state = State.new(variant, None, "late")
    while not any(event.kind == "turn" for event in state.events(ALL)):
        state.apply(state.legal_actions()[0])
    view = replace(state.observation(1 - state.current_player), phase=phase)
    with pytest.raises(errors.ObservationError, match="is seen by who is asked, before a card is played"):
        State.from_observation(view, 1)


THREE = "9A 9R 9x 10A 10R 11L 1x 2x"
TESHI = "5A 5R 5x 5y 6A 6R 8L 1y"
QUIET = "3x 8A 10y 11A 11R 4x 2y 4A"


def test_a_seat_that_will_exchange_can_tell_that_the_dealer_is_asked_about_its_dealt_hand_not_about_an_exchange():
    """The dealer exchanges last: whoever can still exchange before it knows that it is not asked about that."""
    state = scene("koikoi45", TESHI, THREE, QUIET)
    assert (state.current_player, state.legal_texts()) == (0, ["pass", "declare"])
    for number in range(30):
        sample = state.determinize(1, number)
        assert (sample.current_player, sample.legal_texts()) == (0, ["pass", "declare"])


def test_a_dealer_that_has_exchanged_waits_for_nobody():
    """The other seat's exchanges are over by then."""
    state = play(scene("koikoi45", "9A 9R 9x 10A 10R 10x 1x 2x", "1R 2R 3R 5x 6x 7x 8L 12L", QUIET), "exchange:9")
    view = state.observation(0)
    assert (view.phase, state.current_player) == ("exchange", 0)
    with pytest.raises(errors.ObservationError, match="no deal fits"):
        State.from_observation(replace(view, phase="play", legal=()), 1)


def test_a_card_that_was_put_under_the_stock_is_not_seen_there_once_it_was_turned():
    """Ten exchanges: the stock is played so far down that the first of the cards given to it come up again."""
    first, second = "9A 9R 9x 10A 10R 10x 2A 2R", "5A 5R 5x 6A 6R 6x 7A 8A"
    stock = "5y 6y 1x 1y 9y 10y 2x 2y 3L 3R"
    state = scene("koikoi45", first, second, "1L 1R 4A 4R 7R 8x 11A 12L", stock)
    rng = random.Random(2)
    turned = 0
    while state.month == 2:
        given = [(event.seat, event.cards[0]) for event in state.events(ALL) if event.kind == "exchange"]
        left = sum(item.count for item in state.spectate().zones if item.kind == "stock")
        lying = given[-left:]
        for seat in (0, 1):
            assert zone(state, "bottom", viewer=seat) == cards_text([card for giver, card in lying if giver == seat])
        turned = max(turned, len(given) - len(lying))
        legal = state.legal_texts()
        exchanges = [text for text in legal if text.startswith("exchange")]
        play(state, rng.choice(exchanges or [text for text in legal if text not in ("stop", "declare")]))
    assert turned > 1


def test_whoever_waits_for_its_own_dealt_hand_can_tell_that_a_seat_before_it_is_asked_and_none_after_it():
    hands = ("1R 2R 3x 4x 5x 6x 7x", "9A 9R 9x 1L 3L 10A 12L", "2A 2x 6A 7A 8L 10R 11L")
    state = State.from_deck("hachihachi", {}, " ".join(dealt(hands)))
    assert (state.current_player, state.dealer) == (0, 0)
    for number in range(300):
        sample = state.determinize(1, number)
        assert (sample.current_player, sample.legal_texts()[0]) == (0, "pass")


# Four whole months, so that the other hand often has four of one.
SEEN = "1L 1R 1x 2R 3L 3R 3x 4R"
FIELD = "1y 2A 2x 2y 3y 4A 4x 4y"


def test_in_samples_a_seat_that_can_only_have_passed_its_dealt_hand_has_passed_it_and_knows_so():
    state = koikoi_scene(SEEN, "5A 6R 7R 8L 9R 10R 11R 12L", FIELD)
    passed = 0
    for number in range(2000):
        sample = state.determinize(0, number)
        true = koikoi_scene(SEEN, zone(sample, "hand", 1, viewer=1), FIELD)
        if true.legal_texts()[0] == "pass":
            passed += 1
            play(true, "pass")
            assert sample.determinize(1, number).legal_texts() != ["pass", "declare"], "nobody is asked any more"
        assert sample.observation(1) == true.observation(1)
    assert passed


def test_once_a_card_has_been_played_no_hand_of_a_sample_counts_as_dealt():
    state = play(koikoi_scene(SEEN, "5A 6R 7R 8L 9R 10R 11R 12L", FIELD), "1L*1y")
    for number in range(400):
        assert "pass" not in {event.kind for event in state.determinize(0, number).events(1)}
