"""Playouts and search by the learned policy: from what a seat may see, and the same every time."""

import random

import pytest

from arena.strength.expert import MOST_WORLDS, Search
from arena.strength.playouts import choose, duel, run
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import load
from core_ext import VARIANTS, State, variant_info
from core_ext.errors import MatchOverError, ObservationError

TABLES = [
    (variant, seats)
    for variant in VARIANTS
    for seats in range(variant_info(variant).seats[0], variant_info(variant).seats[1] + 1)
]


def position(variant: str, seats: int, seed: int) -> State:
    """A position with a choice."""
    rng = random.Random(seed)
    state = State.new(variant, seed=seed, seats=seats)
    for _ in range(rng.randrange(12)):
        state.apply(rng.choice(state.legal_actions()))
    while len(state.legal_actions()) < 3:
        state.apply(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_playouts_end_deal_or_match_and_give_the_same_numbers_every_time(variant: str, seats: int) -> None:
    network, state = load(variant), position(variant, seats, 1)
    before = state.state_hash()
    for whole in (False, True):
        found = run(state, network, 20, 7, whole)
        assert found == run(state, network, 20, 7, whole)
        assert found.playouts == 20
        assert sum(found.wins) == pytest.approx(20, abs=0.01)
    assert run(state, network, 20, 7, True) != run(state, network, 20, 8, True)
    assert state.state_hash() == before


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_playout_that_remembers_what_was_seen_plays_as_one_that_looks_anew_at_each_decision(
    variant: str, seats: int
) -> None:
    network = load(variant)
    for seed in range(3):
        state = position(variant, seats, seed)
        before = state.balances()
        played = run(state, network, 1, 7, True, HEAT_OF_BEST)
        decisions = 0
        while not state.is_over:
            state.apply(choose(state, network, 7, HEAT_OF_BEST))
            decisions += 1
        after = state.balances()
        assert played.decisions == decisions
        assert played.sums == tuple(now - then for now, then in zip(after, before, strict=True))


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_policy_beats_random_play(variant: str) -> None:
    margins, shares = duel(State.new(variant), load(variant), 60, 1, 256, -1)
    assert len(margins) == len(shares) == 60
    assert sum(shares) / 60 > 0.75
    assert sum(margins) > 0


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seat_chooses_the_same_in_positions_that_it_cannot_tell_apart(variant: str) -> None:
    network = load(variant)
    for seed in range(40):
        state = position(variant, variant_info(variant).seats[2], seed)
        other = state.determinize(state.current_player, seed)
        assert choose(state, network, seed) == choose(other, network, seed)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_search_finds_the_same_with_any_number_of_threads(variant: str, seats: int) -> None:
    state = position(variant, seats, 3)
    view = state.observation(state.current_player)
    found = []
    for threads in (1, 2, 3):
        search = Search(view, load(variant), 5)
        search.run(200, threads)
        found.append((search.choice(), search.values(), search.played))
    assert found[0] == found[1] == found[2]
    choice, values, (playouts, decisions) = found[0]
    assert choice in view.legal
    assert [value.code for value in values] == list(view.legal)
    assert sum(value.playouts for value in values) == playouts <= 200 < decisions


def test_without_cutting_every_action_gets_as_many_playouts() -> None:
    state = position("koikoi", 2, 4)
    view = state.observation(state.current_player)
    search = Search(view, load("koikoi"), 5)
    search.run(64 * len(view.legal), cut=False)
    for value in search.values():
        assert value.playouts == 64
        assert value.margin_error > 0
        assert 0 <= value.chance <= 1


def test_the_policy_s_opinion_decides_between_actions_and_takes_none_out_of_question() -> None:
    state = position("hachihachi", 3, 4)
    view = state.observation(state.current_player)
    found = {}
    for weight in (0.0, 1e6):
        search = Search(view, load("hachihachi"), 5, prior_weight=weight, most_worlds=0)
        search.run(2_000)
        found[weight] = search
    assert found[0.0].values() == found[1e6].values()
    assert found[0.0].played == found[1e6].played
    assert found[1e6].choice() in view.legal


def first_ending(variant: str) -> State:
    """A position with a choice and few worlds left."""
    for seed in range(100):
        state = State.new(variant, seed=seed)
        while not state.is_over:
            view = state.observation(state.current_player)
            if len(view.legal) > 1 and Search(view, load(variant), 0).counts_worlds:
                return state
            state.apply(choose(state, load(variant), seed))
    raise AssertionError(variant)


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant != "sangohana"])
def test_where_few_worlds_are_left_all_are_counted_without_error_and_the_seed_decides_nothing(variant: str) -> None:
    state = first_ending(variant)
    view = state.observation(state.current_player)
    found = []
    for seed in (1, 2):
        search = Search(view, load(variant), seed)
        search.run(1)
        assert search.is_exact
        found.append(search.values())
    assert found[0] == found[1]
    assert all(value.margin_error == value.chance_error == 0 for value in found[0])
    assert 0 < found[0][0].playouts <= MOST_WORLDS
    sampled = Search(view, load(variant), 3, most_worlds=0)
    sampled.run(4_000 * len(view.legal), cut=False)
    assert not sampled.is_exact
    for exact, mean in zip(found[0], sampled.values(), strict=True):
        assert exact.margin == pytest.approx(mean.margin, abs=6 * mean.margin_error + 1e-9)
        assert exact.chance == pytest.approx(mean.chance, abs=6 * mean.chance_error + 1e-9)


def test_worlds_are_sampled_where_there_are_too_many_to_count() -> None:
    state = State.new("koikoi", seed=1)
    search = Search(state.observation(state.current_player), load("koikoi"), 5)
    search.run(100)
    assert not search.counts_worlds
    assert not search.is_exact
    assert search.values()[0].margin_error > 0


def test_who_is_not_asked_has_nothing_to_search_for() -> None:
    state = State.new("koikoi", seed=1)
    with pytest.raises(ObservationError, match="is not asked"):
        Search(state.observation(1 - state.current_player), load("koikoi"), 1)


def test_playouts_of_a_finished_match_and_by_other_weights_are_refused() -> None:
    state = State.new("koikoi", {"months": 1}, 1)
    with pytest.raises(ValueError, match="weights of kyogi do not play koikoi"):
        run(state, load("kyogi"), 1, 1)
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    for call in (lambda: run(state, load("koikoi"), 1, 1), lambda: choose(state, load("koikoi"), 1)):
        with pytest.raises(MatchOverError):
            call()
