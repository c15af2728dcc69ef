"""Random play in C: fair, repeatable, the same rules as State."""

import random

import pytest
from koikoi_scene import play, scene

from core_ext import VARIANTS, State, errors, playout, shuffle, variant_info
from core_ext.cards import CARD_NAMES

LAST_CARD = {
    "first": "1L 2A 2R 4R 5R 6R 8x 12x",
    "second": "6A 7A 9A 11A 11R 7R 12y 3R",
    "field": "1x 1R 8A 10A 5x 9x 10x 10y",
}


QUESTIONS = {
    "koikoi": {"dealt_hand", "play", "turned", "settle"},
    "koikoi45": {"exchange", "play", "turned", "settle"},
    "kyogi": {"dealt_hand", "play", "turned", "settle"},
    "hachihachi": {"dealt_hand", "play", "turned", "settle"},
    "sangohana": {"draw", "discard", "claim"},
}
"""What seats are asked in 120 deals of each variant, or more."""


def test_playouts_are_the_same_for_the_same_seed_and_leave_the_state_as_it_was():
    state = State.new("koikoi", None, 1)
    before = (state.state_hash(), state.actions())
    assert playout.run(state, 200, 5) == playout.run(state, 200, 5)
    assert playout.run(state, 200, 5) != playout.run(state, 200, 6)
    assert (state.state_hash(), state.actions()) == before


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_decision_of_a_playout_is_drawn_from_the_legal_actions(variant):
    """By SplitMix64, a number a decision: the same deals as from Python."""
    state = State.new(variant, None, "drawn")
    word, decisions, sums = 9, 0, [-40 * balance for balance in state.balances()]
    for _ in range(40):
        trial = state.clone()
        while not trial.is_over and (trial.month, trial.attempt) == (state.month, state.attempt):
            word = (word + 0x9E3779B97F4A7C15) % 2**64
            mixed = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
            mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
            legal = trial.legal_actions()
            trial.apply(legal[((mixed ^ mixed >> 31) >> 32) * len(legal) >> 32])
            decisions += 1
        sums = [total + balance for total, balance in zip(sums, trial.balances(), strict=True)]
    found = playout.run(state, 40, 9)
    assert (found.decisions, list(found.sums)) == (decisions, sums)


def test_a_deals_playouts_agree_with_random_play_from_python():
    state = State.new("koikoi", None, "agree")
    rng = random.Random(3)
    totals = [0, 0]
    for _ in range(4000):
        trial = state.clone()
        while not trial.is_over and trial.month == 1:
            trial.apply(rng.choice(trial.legal_actions()))
        for seat in (0, 1):
            totals[seat] += trial.balances()[seat]
    found = playout.run(state, 40_000, 1)
    for seat in (0, 1):
        # A deal's score has a standard deviation of about 4: five standard errors of the smaller sample.
        assert abs(totals[seat] / 4000 - found.sums[seat] / 40_000) < 5 * 4 / 4000**0.5


def test_wins_and_ties_of_playouts_add_up():
    state = State.new("koikoi", None, 1)
    for whole_match in (False, True):
        found = playout.run(state, 300, 2, whole_match)
        assert found.playouts == 300
        assert sum(found.wins) == pytest.approx(300)


def test_a_whole_match_is_played_on_from_the_balances_so_far():
    state = State.new("koikoi", {"months": 2, "teshi": False}, 8)
    while state.month == 1:
        state.apply(state.legal_actions()[0])
    rest = playout.run(state, 50, 1, whole_match=True)
    deal = playout.run(state, 50, 1)
    assert rest.sums == deal.sums
    assert rest.decisions == deal.decisions


def test_a_whole_match_goes_on_with_the_decks_given_for_it():
    """Four of a month alone pay: nobody has them in the first deck, both seats in the next."""
    first = " ".join(sorted(CARD_NAMES, key=lambda name: name[-1]))
    options: dict[str, object] = {f"points.{row.id}": 0 for row in variant_info("koikoi").yaku}
    options |= {"months": 2, "teshi_points": 100, "field_four": "dealer_takes"}
    state = State.from_deck("koikoi", options, first, following=[" ".join(CARD_NAMES)])
    found = playout.run(state, 400, 3, whole_match=True)
    assert sum(found.sums) == pytest.approx(400 * 75, rel=0.15)


def test_every_playout_of_a_call_has_the_decks_of_the_seed_in_later_months():
    options = {"field_four": "dealer_takes"}  # no month is dealt again
    state = State.new("koikoi", options, "later")
    first, *later = [shuffle.deck("later", month, 0) for month in range(1, 13)]
    given = State.from_deck("koikoi", options, first, dealer=state.dealer, following=later)
    assert playout.run(state, 40, 1, True) == playout.run(given, 40, 1, True)


def test_one_decision_left_is_one_decision():
    state = play(scene(**LAST_CARD, months=1), "")
    while len(state.legal_actions()) > 1:
        state.apply(state.legal_actions()[-1])
    found = playout.run(state, 10, 0)
    assert (found.decisions, sum(found.wins)) == (10, 10)


def test_no_playout_decides_nothing():
    assert playout.run(State.new("koikoi", None, 1), 0, 0) == (0, 0, (0, 0), (0.0, 0.0))


def test_a_finished_match_and_a_negative_number_are_refused():
    state = State.new("koikoi", {"months": 1}, 1)
    with pytest.raises(ValueError, match="-1 playouts"):
        playout.run(state, -1, 0)
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    with pytest.raises(errors.MatchOverError):
        playout.run(state, 1, 0)


def in_the_middle(variant, seed, decisions=9):
    """A state of a match's first deal, after so many decisions at random."""
    state, rng = State.new(variant, None, seed), random.Random(seed)
    for _ in range(decisions):
        state.apply(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_of_what_a_seat_knows_follow_from_that_and_the_seed_alone(variant):
    state = in_the_middle(variant, "known")
    view = state.observation(state.current_player)
    found = playout.dealt_anew(view, 300, 5)
    assert found.playouts == 300
    assert sum(found.wins) == pytest.approx(300)
    other = State.from_observation(view, 17)  # other hidden cards, and the same view
    assert playout.dealt_anew(other.observation(other.current_player), 300, 5) == found
    assert playout.dealt_anew(view, 300, 6) != found


@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_of_what_a_seat_knows_deal_the_hidden_cards_as_a_state_of_its_observation_does(variant):
    state = in_the_middle(variant, "dealt")
    view = state.observation(state.current_player)
    n = 3_000
    singles = [playout.run(State.from_observation(view, seed), 1, seed) for seed in range(n)]
    found = playout.dealt_anew(view, 40 * n, 1)
    for seat in range(state.seats):
        gains = [single.sums[seat] for single in singles]
        mean = sum(gains) / n
        deviation = (sum((gain - mean) ** 2 for gain in gains) / n) ** 0.5
        assert abs(mean - found.sums[seat] / (40 * n)) <= 5 * deviation / n**0.5
    lengths = [single.decisions for single in singles]
    assert sum(lengths) / n == pytest.approx(found.decisions / (40 * n), rel=0.03)


@pytest.mark.parametrize("variant", VARIANTS)
def test_playouts_of_what_a_seat_knows_begin_at_any_question_of_a_deal(variant):
    """Also where the blind picks of an exchange are still to come (koikoi45 R6)."""
    begun: dict[str, int] = {}
    for seed in range(120):
        state = State.new(variant, None, seed)
        while not state.is_over and state.month == 1:
            view = state.observation(state.current_player)
            if begun.setdefault(view.phase, 0) < 8:
                begun[view.phase] += 1
                found = playout.dealt_anew(view, 30, seed)
                assert found.playouts == 30
                assert found == playout.dealt_anew(view, 30, seed)
            state.apply(state.legal_actions()[0])
    assert set(begun) >= QUESTIONS[variant]


def test_a_seat_that_is_not_asked_and_a_negative_number_are_refused():
    state = State.new("koikoi", None, 1)
    with pytest.raises(errors.ObservationError, match="is not asked"):
        playout.dealt_anew(state.observation(1 - state.current_player), 1, 0)
    with pytest.raises(ValueError, match="-1 playouts"):
        playout.dealt_anew(state.observation(state.current_player), -1, 0)


def test_as_many_deals_stand_as_chance_has_it():
    # Of the C(48, 8) = 377,348,994 fields 12 C(44, 4) - C(12, 2) hold four of a month.
    share = (12 * 135_751 - 66) / 377_348_994
    redealt = 200_000 - playout.standing_deals(State.new("koikoi", None, "odds"), 200_000)
    assert abs(redealt - 200_000 * share) < 5 * (200_000 * share) ** 0.5


def test_every_deal_stands_where_the_four_go_to_the_dealer():
    assert playout.standing_deals(State.new("koikoi", {"field_four": "dealer_takes"}, "odds"), 20_000) == 20_000
