"""The features of a position are made of what the seat may know, in every variant and at every decision."""

import random

import pytest

from core_ext import VARIANTS, State, variant_info
from core_ext.encoding import Encoding
from core_ext.worlds import Worlds

TABLES = [
    (variant, seats)
    for variant in VARIANTS
    for seats in range(variant_info(variant).seats[0], variant_info(variant).seats[1] + 1)
]


def positions(variant: str, seats: int, count: int, rng: random.Random) -> list[State]:
    """Positions of random matches in which somebody has a choice."""
    found: list[State] = []
    while len(found) < count:
        state = State.new(variant, seed=rng.getrandbits(60), seats=seats)
        while not state.is_over and len(found) < count:
            if rng.random() < 0.3:
                found.append(state.clone())
            state.apply(rng.choice(state.legal_actions()))
    return found


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_positions_that_a_seat_cannot_tell_apart_have_the_same_features(variant: str, seats: int) -> None:
    rng = random.Random(1)
    encoding = Encoding(State.new(variant, seats=seats))
    for state in positions(variant, seats, 300, rng):
        for seat in range(seats):
            active = encoding.active(state, seat)
            other = state.determinize(seat, rng.getrandbits(60))
            assert encoding.active(other, seat) == active, [encoding.names[number] for number in active]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_feature_has_a_name_of_its_own_and_no_position_has_one_twice(variant: str) -> None:
    encoding = Encoding(State.new(variant))
    assert len(set(encoding.names)) == encoding.size == len(encoding.names)
    for state in positions(variant, variant_info(variant).seats[2], 200, random.Random(2)):
        active = encoding.active(state, state.current_player)
        assert len(set(active)) == len(active)
        assert 0 <= min(active) <= max(active) < encoding.size


def test_features_name_the_cards_where_they_lie() -> None:
    state = State.new("koikoi", seed="a")
    seat = state.current_player
    encoding = Encoding(state)
    names = {encoding.names[number] for number in encoding.active(state, seat)}
    view = state.observation(seat)
    texts = {zone.kind: zone.cards for zone in view.zones if zone.seat in (seat, -1)}
    for kind in ("hand", "field"):
        shown = {encoding.names.index(name) % 48 for name in names if name.startswith(f"{kind}.")}
        assert shown == set(texts[kind])
    assert {"phase.play", "held.8", "dealer+0", "seats.2", "left.11", "lead.+0"} <= names


def test_a_state_of_other_rules_and_a_seat_that_there_is_not_are_refused() -> None:
    encoding = Encoding(State.new("koikoi"))
    with pytest.raises(ValueError, match="not those of the encoding"):
        encoding.active(State.new("koikoi", {"months": 3}), 0)
    with pytest.raises(ValueError, match="no seat 2"):
        encoding.active(State.new("koikoi"), 2)


@pytest.mark.parametrize("variant", VARIANTS)
def test_worlds_know_how_many_cards_the_seat_does_not_see(variant: str) -> None:
    for state in positions(variant, variant_info(variant).seats[2], 40, random.Random(3)):
        view = state.observation(state.current_player)
        seen = {card for zone in view.zones for card in zone.cards}
        assert Worlds(view).unseen_count == variant_info(variant).cards - len(seen)
