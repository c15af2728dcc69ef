"""Luck is 0 on the average, whoever plays and whatever the value is, and takes most of the chance out of margins."""

import random
from statistics import fmean, stdev, variance

import pytest

from arena.analysis.luck import SHARES
from arena.strength.luck import Shares, match_luck
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
        begun = State.new(variant, None, f"luck/{number}")
        events = match_luck(begun, state.actions(), load(variant), number, SHARES[variant], 1, 4)
        lucks.append(sum(event.luck[seat] for event in events))
    assert abs(fmean(lucks)) < 5 * stdev(lucks) / len(lucks) ** 0.5


def test_what_is_left_without_the_luck_varies_less_than_half_as_much() -> None:
    margins, left = [], []
    for number in range(10):
        seed = f"equal/{number}"
        state = match_of("koikoi", seed, {0, 1})
        events = match_luck(State.new("koikoi", None, seed), state.actions(), load("koikoi"), 1, None, 2, 50)
        luck = sum(event.luck[0] for event in events)
        margins.append(state.balances()[0] - state.balances()[1])
        left.append(margins[-1] - luck)
    assert variance(left) < variance(margins) / 2


def test_every_month_has_its_deal_and_every_play_its_turned_card() -> None:
    state = match_of("koikoi", "events", {0})
    events = match_luck(State.new("koikoi", None, "events"), state.actions(), load("koikoi"), 1, None, 1, 2)
    assert sum(event.is_deal for event in events) == 12
    plays = [number for number, code in enumerate(state.actions(), 1) if code < 240]
    assert [event.decision for event in events if not event.is_deal] == [
        number for number in plays if number in {event.decision for event in events}
    ]
    assert all(event.luck[0] == pytest.approx(-event.luck[1]) for event in events)


def test_actions_that_no_match_has_are_refused() -> None:
    with pytest.raises(IllegalActionError):
        match_luck(State.new("koikoi", None, "x"), [289], load("koikoi"), 1)


def lucks_by(variant: str, state: State, *shares: Shares) -> list[float]:
    """The luck of the first seat in each event of a match of the seed `shares`, by one pair of playouts."""
    begun = State.new(variant, None, "shares")
    return [event.luck[0] for event in match_luck(begun, state.actions(), load(variant), 1, shares, 1, 2)]


def test_fixed_shares_of_the_first_stop_and_of_the_end_add_up() -> None:
    state = match_of("koikoi45", "shares", {0, 1})
    first, end, both = (
        lucks_by("koikoi45", state, shares) for shares in (Shares(1, 0), Shares(0, 1), Shares(0.5, 0.2))
    )
    assert both == pytest.approx([0.5 * stop + 0.2 * last for stop, last in zip(first, end, strict=True)])
    assert first != end


def test_where_nobody_can_stop_the_first_stop_is_the_end() -> None:
    state = match_of("sangohana", "shares", {0})
    assert lucks_by("sangohana", state, Shares(1, 0)) == lucks_by("sangohana", state, Shares(0, 1))


def test_shares_go_by_whether_somebody_has_said_koi_in_the_deal() -> None:
    played = match_of("koikoi", "shares", {0, 1})
    state, koi_month, after_koi = State.new("koikoi", None, "shares"), 0, []
    for code in played.actions():
        after_koi.append(state.month == koi_month)
        if state.action_text(code) == "koi":
            koi_month = state.month
        state.apply(code)
    begun = State.new("koikoi", None, "shares")
    events = match_luck(begun, played.actions(), load("koikoi"), 1, (Shares(0, 1), Shares(0, 0)), 1, 2)
    turned = [(after_koi[event.decision - 1], event.luck[0]) for event in events if not event.is_deal]
    assert any(luck for is_after, luck in turned if not is_after)
    assert {luck for is_after, luck in turned if is_after} == {0}


def test_more_shares_than_four_are_refused() -> None:
    with pytest.raises(ValueError, match="5 pairs of shares"):
        match_luck(State.new("koikoi"), [], load("koikoi"), 1, [Shares(0, 1)] * 5)


def test_the_deals_of_matches_on_the_same_cards_are_measured_by_the_same_dice() -> None:
    """By one playout each: where the same seat deals, a month's deal is worth the same, whoever won before."""
    deals = []
    for learned in ({0}, {1}):
        state = match_of("koikoi", "dice", learned)
        events = match_luck(State.new("koikoi", None, "dice"), state.actions(), load("koikoi"), 1, None, 1, 1)
        deals.append([event.luck[0] for event in events if event.is_deal])
    assert sum(one == other for one, other in zip(*deals, strict=True)) >= 5
