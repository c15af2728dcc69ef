"""Luck is 0 on the average, whoever plays and whatever the value is, and takes most of the chance out of margins."""

import random
from statistics import fmean, stdev, variance

import pytest

from arena.strength.luck import match_luck
from arena.strength.playouts import choose
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import load
from core_ext import VARIANTS, State
from core_ext.errors import IllegalActionError


def match_of(variant: str, seed: str, learned: set[int]) -> State:
    """A match in which these seats play by the policy and all others at random."""
    rng = random.Random(seed)
    state = State.new(variant, None, seed)
    while not state.is_over:
        legal = state.legal_actions()
        follows = state.current_player in learned
        state.apply(choose(state, load(variant), 0, HEAT_OF_BEST) if follows else rng.choice(legal))
    return state


@pytest.mark.parametrize("variant", VARIANTS)
def test_luck_has_the_mean_0_between_unequal_players_even_by_very_few_playouts(variant: str) -> None:
    lucks = []
    for number in range(8):
        seat = number % State.new(variant).seats
        state = match_of(variant, f"luck/{number}", {seat})
        events = match_luck(State.new(variant, None, f"luck/{number}"), state.actions(), load(variant), number, 1, 4)
        lucks.append(sum(event.luck[seat] for event in events))
    assert abs(fmean(lucks)) < 5 * stdev(lucks) / len(lucks) ** 0.5


def test_what_is_left_without_the_luck_varies_less_than_half_as_much() -> None:
    margins, left = [], []
    for number in range(10):
        seed = f"equal/{number}"
        state = match_of("koikoi", seed, {0, 1})
        events = match_luck(State.new("koikoi", None, seed), state.actions(), load("koikoi"), 1, 2, 50)
        luck = sum(event.luck[0] for event in events)
        margins.append(state.balances()[0] - state.balances()[1])
        left.append(margins[-1] - luck)
    assert variance(left) < variance(margins) / 2


def test_every_month_has_its_deal_and_every_play_its_turned_card() -> None:
    state = match_of("koikoi", "events", {0})
    events = match_luck(State.new("koikoi", None, "events"), state.actions(), load("koikoi"), 1, 1, 2)
    assert sum(event.is_deal for event in events) == 12
    plays = [number for number, code in enumerate(state.actions(), 1) if code < 240]
    assert [event.decision for event in events if not event.is_deal] == [
        number for number in plays if number in {event.decision for event in events}
    ]
    assert all(event.luck[0] == pytest.approx(-event.luck[1]) for event in events)


def test_actions_that_no_match_has_are_refused() -> None:
    with pytest.raises(IllegalActionError):
        match_luck(State.new("koikoi", None, "x"), [289], load("koikoi"), 1)


def test_a_deal_counts_no_more_than_it_may() -> None:
    state = match_of("koikoi45", "most", {0, 1})
    for most, is_bounded in ((1, True), (None, False)):
        begun = State.new("koikoi45", None, "most")
        events = match_luck(begun, state.actions(), load("koikoi45"), 1, 1, 2, most=most)
        # The gains of two seats, each from -1 to 1, after what came and on the mean of what could have come.
        assert (max(abs(event.luck[0]) for event in events) <= 4) == is_bounded


def test_the_deals_of_matches_on_the_same_cards_are_measured_by_the_same_dice() -> None:
    """By one playout each: where the same seat deals, a month's deal is worth the same, whoever won before."""
    deals = []
    for learned in ({0}, {1}):
        state = match_of("koikoi", "dice", learned)
        events = match_luck(State.new("koikoi", None, "dice"), state.actions(), load("koikoi"), 1, 1, 1)
        deals.append([event.luck[0] for event in events if event.is_deal])
    assert sum(one == other for one, other in zip(*deals, strict=True)) >= 5
