"""What a learner sees: complete, named, the same in training and in a league, and nothing that is hidden from it."""

import random

import numpy as np
import pytest
from tables import TABLES

from arena.envs import encoding
from arena.envs.encoding import Encoding
from arena.match.model import MatchSpec
from arena.match.question import Answer
from arena.match.referee import Referee
from arena.sdk.tensors import layout_of, tensors
from arena.seats.in_process import LocalDecision, match_of
from core_ext import State
from core_ext.errors import SeatsError
from core_ext.tensors import Layout, encode


def played(variant: str, seats: int, seed: str, decisions: int) -> State:
    """A match in which so many decisions were made at random, or all."""
    state = State.new(variant, {}, seed, seats)
    rng = random.Random(seed)
    for _ in range(decisions):
        if state.is_over:
            break
        state.apply(rng.choice(state.legal_actions()))
    return state


def arrays(names: Encoding, state: State, seat: int) -> bytes:
    seen = names.observe(state, seat)
    return b"".join(seen[key].tobytes() for key in ("cards", "numbers"))


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_equal_views_give_equal_tensors_whatever_is_hidden(variant: str, seats: int) -> None:
    names = encoding(variant, seats)
    rng = random.Random(1)
    for number in range(25):
        state = played(variant, seats, f"leak/{number}", rng.randrange(150))
        for seat in range(seats):
            true = arrays(names, state, seat)
            assert all(arrays(names, state.determinize(seat, world), seat) == true for world in range(2))


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_bot_in_a_league_sees_the_tensors_that_it_saw_in_training_byte_for_byte(variant: str, seats: int) -> None:
    names = encoding(variant, seats)
    rng = random.Random(2)
    for seed in (bytes(32), bytes([1] * 32)):
        referee = Referee(MatchSpec("match", variant, seed, tuple("abcd"[:seats]), {}))
        matches = [match_of(referee.spec, seat) for seat in range(seats)]
        for _ in range(250):
            if referee.turn < 0:
                break
            question = referee.ask()
            seen = tensors(LocalDecision(question, matches[question.seat]))
            trained = names.observe(referee.state, question.seat)
            for ours, theirs in ((seen.cards, trained["cards"]), (seen.numbers, trained["numbers"])):
                assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
                assert ours.tobytes() == theirs.tobytes()
            referee.answer(Answer(rng.choice(question.legal), 0.0))


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_every_card_and_counter_of_a_view_is_in_its_tensors(variant: str, seats: int) -> None:
    names = encoding(variant, seats)
    rng = random.Random(3)
    for number in range(10):
        state = played(variant, seats, f"whole/{number}", rng.randrange(150))
        for seat in range(seats):
            view = state.observation(seat)
            seen = names.observe(state, seat)
            numbers = dict(zip(names.numbers, seen["numbers"].tolist(), strict=True))
            for zone in view.zones:
                if zone.kind == "bottom":
                    continue  # its cards are known ones of the stock
                name = zone.kind if zone.seat < 0 else f"{zone.kind}.{(zone.seat - seat) % seats}"
                if name in names.planes:
                    assert seen["cards"][names.planes.index(name)].nonzero()[0].tolist() == sorted(zone.cards)
                else:
                    assert not zone.cards
            for counter in view.counters:
                name = counter.name if counter.seat < 0 else f"{counter.name}.{(counter.seat - seat) % seats}"
                assert numbers[name] == np.float32(counter.value)
            assert (numbers["month"], numbers["attempt"]) == (view.month, view.attempt)
            assert numbers[f"phase.{view.phase}"] == 1
            assert numbers[f"dealer.{(view.dealer - seat) % seats}"] == 1


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_planes_numbers_and_actions_have_each_a_name_of_its_own(variant: str, seats: int) -> None:
    names = encoding(variant, seats)
    for given, count in ((names.planes, names.layout.planes), (names.numbers, names.layout.numbers)):
        assert len(set(given)) == len(given) == count
    assert len(set(names.actions)) == len(names.actions)


def test_the_mask_shows_the_legal_actions_of_the_asked_seat_alone() -> None:
    state = State.new("koikoi", {}, 1)
    asked = state.current_player
    assert encoding("koikoi").observe(state, asked)["action_mask"].nonzero()[0].tolist() == state.legal_actions()
    assert not encoding("koikoi").observe(state, 1 - asked)["action_mask"].any()


@pytest.mark.parametrize(
    ("cards", "numbers", "error"),
    [
        (np.zeros((1, 48), np.uint8), None, ValueError),
        (np.zeros((8, 48), np.float32), None, ValueError),
        (np.zeros((48, 8), np.uint8).T, None, ValueError),
        (None, np.zeros(3, np.float32), ValueError),
        (None, np.zeros(29, np.float64), ValueError),
        ([], None, TypeError),
    ],
)
def test_arrays_that_do_not_fit_are_refused_before_anything_is_written(
    cards: object, numbers: object, error: type[Exception]
) -> None:
    state = State.new("koikoi", {}, 1)
    layout = encoding("koikoi").layout
    with pytest.raises(error):
        encode(
            state,
            0,
            layout,
            np.zeros((layout.planes, 48), np.uint8) if cards is None else cards,
            np.zeros(layout.numbers, np.float32) if numbers is None else numbers,
        )
    for given in (cards, numbers):
        assert given is None or not np.asarray(given).any()


def test_read_only_arrays_are_refused() -> None:
    layout = encoding("koikoi").layout
    cards = np.zeros((layout.planes, 48), np.uint8)
    cards.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        encode(State.new("koikoi", {}, 1), 0, layout, cards, np.zeros(layout.numbers, np.float32))


def test_a_layout_says_which_plane_counter_or_seat_there_is_not() -> None:
    with pytest.raises(ValueError, match="no plane 'sleeve'"):
        Layout(2, [("sleeve", 0)], [])
    with pytest.raises(ValueError, match="no counter 'luck' of seat -1"):
        Layout(2, [], [("luck", -1)])
    with pytest.raises(ValueError, match="no plane 'hand' of seat 2"):
        Layout(2, [("hand", 2)], [])
    with pytest.raises(SeatsError):
        encoding("koikoi", 3)
    with pytest.raises(KeyError):
        layout_of("whist", 2)
