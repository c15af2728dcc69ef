"""What a seat of sangohana knows: claims that show nowhere, and samples that hold whatever it can tell."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from koikoi_scene import play, zone
from reference_sangohana import DEFAULTS, hand_of
from sangohana_scene import DULL, READY, building_but_passing, follow, mixed, random_options, scene

from core_ext import SPECTATOR, State, errors
from core_ext.cards import card_text, parse_cards
from core_ext.observation import Zone

CLAIMS = ("1L 3L 8L 8A 9A 10A 11A", READY)
"""Two hands that wait for an animal."""
BORES = ("4x 4y 5x 5y 6x 6y 7x", "1x 1y 2x 2y 3x 3y 8x")


def view_of(state: State, seat: int):
    return state.spectate() if seat == SPECTATOR else state.observation(seat)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_sampled_state_cannot_be_told_from_the_true_one_by_any_seat_at_any_decision(seats):
    claims = 0
    for number in range(2):
        rng = random.Random(number)
        state = State.new("sangohana", random_options(rng), f"views/{number}", seats)
        policy = mixed(seats, rng) if number % 2 else building_but_passing
        while not state.is_over:
            claims += "pass" in state.legal_texts()
            for seat in range(-1, seats):
                view = view_of(state, seat)
                assert view_of(State.from_observation(view, rng.getrandbits(64)), seat) == view
            state.apply(state.parse_action(policy(state, rng)))
    assert claims > 5


def test_a_sample_of_a_sample_cannot_be_told_from_it_either():
    for number in range(60):
        rng = random.Random(number)
        state = State.new("sangohana", None, f"nested/{number}", 4)
        follow(
            state, building_but_passing, rng, lambda state: "pass" in state.legal_texts() and state.event_count % 3 == 0
        )
        for seat in range(4):
            sample = state.determinize(seat, number)
            for other in range(4):
                assert sample.determinize(other, number).observation(other) == sample.observation(other)


# Claims


def claimed(first: bool, second: bool) -> State:
    """Seat 3 of four has discarded; seats 0 and 1 are next and cannot claim, seats 1 and 2 can as told."""
    hands = ["", CLAIMS[0] if first else BORES[0], CLAIMS[1] if second else BORES[1], ""]
    hands[0], hands[3] = "4R 5R 7R 7y 9x 9y 10x", "6R 9R 10R 11R 11x 10y 12x"
    return play(scene(hands, "7A", dealer=3), "draw discard:7A")


def same_but_for_legal(one, other) -> bool:
    return replace(one, legal=()) == replace(other, legal=())


def test_that_a_claim_is_asked_for_shows_to_no_other_seat():
    asked, passed, unasked = claimed(True, False), play(claimed(True, False), "pass"), claimed(False, False)
    assert (asked.current_player, passed.current_player, unasked.current_player) == (1, 0, 0)
    for viewer in (SPECTATOR, 0, 3):
        views = [view_of(state, viewer) for state in (asked, passed, unasked)]
        assert same_but_for_legal(views[0], views[2])
        assert views[1] == views[2]
        assert (views[0].turn, views[0].phase) == (0, "draw")
        assert "pass" not in [event.kind for event in views[1].events]
    own = asked.observation(1)
    assert (own.turn, own.phase, len(own.legal)) == (0, "claim", 2)


def test_the_second_claimant_cannot_tell_that_the_first_was_asked():
    both, one = play(claimed(True, True), "pass"), claimed(False, True)
    assert both.current_player == one.current_player == 2
    assert both.observation(2) == one.observation(2)


def test_a_discarder_that_waits_cannot_tell_for_whom():
    state = claimed(True, False)
    samples = {state.determinize(3, number).current_player for number in range(20)}
    assert samples == {0}, "for all it knows the next seat draws"


def completes(state: State, seat: int) -> bool:
    hand = parse_cards(zone(state, "hand", seat, viewer=seat))
    last = next(item.cards[0] for item in state.spectate().zones if item.kind == "discard")
    return hand_of([card_text(card) for card in (*hand, last)], DEFAULTS) is not None


def test_the_next_seat_that_waits_knows_that_another_is_asked():
    """Seats 1 and 2 are the ones it may be: in every sample the first of them that can claim is asked."""
    state = claimed(True, False)
    asked = Counter()
    for number in range(400):
        sample = state.determinize(0, number)
        assert sample.legal_texts() == ["pass", "win"]
        assert completes(sample, sample.current_player)
        asked[sample.current_player] += 1
    assert set(asked) == {1, 2}
    assert min(asked.values()) > 120


def test_a_claimant_that_has_not_been_asked_yet_knows_that_one_before_it_is():
    state = claimed(True, True)
    for number in range(50):
        sample = state.determinize(2, number)
        assert sample.current_player in (0, 1)
        assert completes(sample, sample.current_player)
        while sample.current_player != 2:
            play(sample, "pass")
        assert sample.legal_texts() == ["pass", "win"]


def last_discard_claimed(number: int) -> State | None:
    """Three seats; the last discard of a month completes a hand, if that happens in this match."""
    rng = random.Random(number)
    state = State.new("sangohana", None, f"last/{number}")

    def is_there(state: State) -> bool:
        left = next(item.count for item in state.spectate().zones if item.kind == "stock")
        return left == 0 and "pass" in state.legal_texts()

    follow(state, building_but_passing, rng, is_there)
    return None if state.is_over else state


def test_after_the_months_last_discard_everybody_knows_that_somebody_is_asked():
    found = 0
    for number in range(20):
        state = last_discard_claimed(number)
        if state is None:
            continue
        found += 1
        for viewer in (SPECTATOR, 0, 1, 2):
            for dice in range(5):
                sample = State.from_observation(view_of(state, viewer), dice)
                assert sample.legal_texts() == ["pass", "win"]
                assert completes(sample, sample.current_player)
                assert view_of(sample, viewer) == view_of(state, viewer)
    assert found > 2


def ways_to_claim(state: State) -> Counter[tuple[int, frozenset[int]]]:
    """By every way to deal what the discarder does not see: who is asked, and the hand of the first after it."""
    first = state.spectate().turn
    second = (first + 1) % 3
    known = {seat: set(parse_cards(zone(state, "shown", seat))) for seat in (first, second)}
    hands = {seat: set(parse_cards(zone(state, "hand", seat, viewer=seat))) for seat in (first, second)}
    hidden = (hands[first] | hands[second]) - known[first] - known[second]
    last = next(item.cards[0] for item in state.spectate().zones if item.kind == "discard")

    def can_claim(hand: frozenset[int]) -> bool:
        return hand_of([card_text(card) for card in (*hand, last)], DEFAULTS) is not None

    found: Counter[tuple[int, frozenset[int]]] = Counter()
    for extra in combinations(sorted(hidden), 7 - len(known[first])):
        one = frozenset(known[first] | set(extra))
        other = frozenset(known[second] | (hidden - set(extra)))
        if can_claim(one) or can_claim(other):
            found[first if can_claim(one) else second, one] += 1
    return found


def test_samples_that_must_hold_a_claim_are_spread_as_if_dealt_until_one_did():
    states = filter(None, map(last_discard_claimed, range(100)))
    state, expected = next((state, ways) for state in states if len(ways := ways_to_claim(state)) > 50)
    assert len({asked for asked, _ in expected}) == 2, "either seat may be the one"
    first = state.spectate().turn
    rounds = 5_000
    samples: Counter[tuple[int, frozenset[int]]] = Counter()
    for number in range(rounds):
        sample = state.determinize((first - 1) % 3, number)
        one = frozenset(parse_cards(zone(sample, "hand", first, viewer=first)))
        samples[sample.current_player, one] += 1
    assert set(samples) <= set(expected)
    for asked in {asked for asked, _ in expected}:
        for card in {card for _, one in expected for card in one}:
            share = sum(seat == asked and card in one for seat, one in expected) / len(expected)
            seen = sum(n for (seat, one), n in samples.items() if seat == asked and card in one) / rounds
            assert abs(share - seen) < 5 * (0.25 / rounds) ** 0.5


def test_a_rare_claim_is_found_at_once():
    """Only the five lights complete the three chaff that a seat is known to hold: one hand in many thousands."""
    hands = ("4R 5R 7R 9x 9y 10x 10y", "", "1L 3L 8L 11L 1x 2x 3x", "")
    state = play(scene(hands, "12L", dealer=3), "draw discard:12L")
    assert state.current_player == 2
    for number in range(50):
        sample = state.determinize(0, number)
        assert sample.observation(0) == state.observation(0)
        assert completes(sample, sample.current_player)


# The first round (R6)


def test_whether_a_hand_is_as_dealt_is_known_to_the_seat_alone_once_it_has_drawn_r6():
    state = play(scene((READY, *DULL), "4x 5x 8x"), "draw discard:4x take discard:2x")

    def as_dealt(viewer: int) -> dict[int, int]:
        return {item.seat: item.value for item in view_of(state, viewer).counters if item.name == "as_dealt"}

    assert as_dealt(0) == {0: 1, 1: 0, 2: 1}
    assert as_dealt(1) == as_dealt(2) == as_dealt(SPECTATOR) == {1: 0, 2: 1}
    play(state, "draw discard:5x draw discard:8x")
    assert as_dealt(0) == {}


def test_for_others_each_of_the_eight_cards_is_as_likely_to_be_the_one_drawn_r6():
    state = play(scene((READY, *DULL), "4x 5x 7A"), "draw discard:4x draw discard:5x")
    unchanged = 0
    for number in range(12_000):
        sample = state.determinize(2, number)
        view = sample.observation(0)
        unchanged += next(item.value for item in view.counters if (item.name, item.seat) == ("as_dealt", 0))
    assert abs(unchanged - 1_500) < 4 * (12_000 * 7 / 64) ** 0.5


# Observations that fit no deal

VIEW = play(scene((READY, *DULL), "4x 5x 8x"), "draw discard:4x").observation(1)
ALONE = play(scene((READY, DULL[0]), "4x 5x"), "draw discard:4x").observation(1)
DRAWN = play(scene((READY, *DULL), "4x 5x 8x"), "draw").observation(0)


def changed(view, kind: str, seat: int = -1, **fields: object):
    zones = tuple(item._replace(**fields) if (item.kind, item.seat) == (kind, seat) else item for item in view.zones)
    return replace(view, zones=zones)


WHOLE_DECK = Zone("discard", -1, tuple(range(48)), 48)


def counted(view, name: str, value: int):
    return replace(
        view, counters=tuple(item._replace(value=value) if item.name == name else item for item in view.counters)
    )


@pytest.mark.parametrize(
    "view",
    [
        pytest.param(counted(VIEW, "turns", 0), id="a discard before the first turn"),
        pytest.param(counted(VIEW, "turns", 200), id="a turn after the last"),
        pytest.param(counted(VIEW, "turns", 2), id="another seat's turn"),
        pytest.param(counted(VIEW, "run_outs", 1), id="a pot in the first month"),
        pytest.param(changed(VIEW, "discard", cards=(), count=0), id="no discards"),
        pytest.param(replace(VIEW, zones=(*VIEW.zones, *6 * [WHOLE_DECK])), id="discards that no table holds"),
        pytest.param(changed(VIEW, "hand", 1, cards=VIEW.zones[1].cards[:6], count=6), id="a hand of six"),
        pytest.param(replace(VIEW, phase="discard"), id="a discard of seven cards"),
        pytest.param(replace(VIEW, phase="claim"), id="a claim of no hand"),
        pytest.param(replace(VIEW, phase="play"), id="another game's phase"),
        pytest.param(replace(ALONE, legal=()), id="waiting where nobody else can be asked"),
        pytest.param(replace(DRAWN, phase="draw"), id="a draw of eight cards"),
        pytest.param(
            replace(DRAWN, events=(DRAWN.events[0], DRAWN.events[1]._replace(kind="take"))), id="a take that is unknown"
        ),
    ],
)
def test_an_observation_that_fits_no_deal_is_refused(view):
    with pytest.raises(errors.ObservationError):
        State.from_observation(view, 1)
