"""The public contract, on every variant of the registry, and that it notices what is broken."""

import random

import pytest

from core_ext import VARIANTS, State, contract, variant_info

DECISIONS = 120
"""Of the long matches that some variants have by random play."""


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("number", range(4))
def test_every_variant_holds_the_contract(variant, number):
    contract.check(variant, seed=f"contract/{number}", play_seed=number, decisions=DECISIONS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_number_of_seats_holds_the_contract(variant):
    least, most, _ = variant_info(variant).seats
    for seats in range(least, most + 1):
        contract.check(variant, seed="seats", seats=seats, play_seed=seats, decisions=DECISIONS)


def test_a_match_that_is_not_over_does_not_pass_for_one_that_is():
    with pytest.raises(AssertionError, match="nobody is asked at the end"):
        contract.check_end(State.new("koikoi", None, 1))


def test_a_view_checked_for_the_wrong_seat_is_noticed():
    state = State.new("koikoi", None, 1)

    class Mistaken:
        """A state that shows every seat the view of seat 0."""

        def __getattr__(self, name):
            return getattr(state, name)

        def observation(self, seat):
            return state.observation(0)

    with pytest.raises(AssertionError, match="says whose it is"):
        contract.check_view(Mistaken(), 1)


def test_a_state_that_forgets_to_refuse_is_noticed():
    state = State.new("koikoi", None, 1)

    class Lax:
        """A state that takes every action and does nothing."""

        def __getattr__(self, name):
            return getattr(state, name)

        def apply(self, action):
            return None

    with pytest.raises(AssertionError, match="is refused"):
        contract.check_decision(Lax(), random.Random(0))
