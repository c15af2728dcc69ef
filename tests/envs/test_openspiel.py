"""The OpenSpiel games: OpenSpiel's own simulations, and the arena's matches."""

import random
import re
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.algorithms.random_agent import RandomAgent
from open_spiel.python.observation import make_observation
from open_spiel.python.rl_environment import Environment, ObservationType
from tables import TABLES

import arena.envs.openspiel  # noqa: F401 -- registers the games
from arena.envs import encoding
from core_ext import State


def name_of(variant: str, seats: int) -> str:
    return f"python_hanafuda_{variant}(players={seats})"


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_openspiel_simulates_every_table(variant: str, seats: int) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name_of(variant, seats)), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_match_is_the_arenas_of_the_same_seed_and_actions(variant: str, seats: int) -> None:
    game = pyspiel.load_game(name_of(variant, seats))
    names = encoding(variant, seats)
    played = game.new_initial_state()
    played.apply_action(3)
    played.apply_action(77)
    state = State.new(variant, {}, "openspiel/3/77", seats)
    rng = random.Random(1)
    while not state.is_over:
        seat = state.current_player
        assert (played.current_player(), played.legal_actions()) == (seat, state.legal_actions())
        expected = names.observe(state, seat)
        tensor = np.array(played.observation_tensor(seat), np.float32)
        assert np.array_equal(tensor, np.concatenate([expected[key].ravel() for key in expected]).astype(np.float32))
        action = rng.choice(state.legal_actions())
        assert played.action_to_string(seat, action) == state.action_text(action)
        state.apply(action)
        played.apply_action(action)
    assert played.is_terminal()
    assert played.returns() == list(state.returns())


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_openspiel_plays_every_table_through(variant: str, seats: int) -> None:
    text = generate_playthrough.playthrough(name_of(variant, seats), action_sequence=[1, 2], seed=1)
    first, second, *actions = map(int, re.findall(r"^action: (\d+)$", text, re.MULTILINE))
    state = State.new(variant, {}, f"openspiel/{first}/{second}", seats)
    state.apply_all(actions)
    assert state.is_over
    assert text.endswith(f"Returns() = [{', '.join(f'{result:g}' for result in state.returns())}]\n")


def test_a_playthrough_is_replayed_as_it_was_written(tmp_path: Path) -> None:
    flags.FLAGS(["pytest"])  # where OpenSpiel keeps how a playthrough is written
    text = generate_playthrough.playthrough('python_hanafuda_koikoi(options={"months":1})', action_sequence=[], seed=1)
    (tmp_path / "koikoi.txt").write_text(text, encoding="utf-8")
    written, replayed = generate_playthrough.replay(str(tmp_path / "koikoi.txt"))
    assert written == replayed == text


def test_there_is_no_observation_that_would_show_a_seats_cards_to_all() -> None:
    game = pyspiel.load_game("python_hanafuda_koikoi")
    for public, recall, private in (
        (True, False, pyspiel.PrivateInfoType.NONE),
        (True, False, pyspiel.PrivateInfoType.ALL_PLAYERS),
        (False, False, pyspiel.PrivateInfoType.SINGLE_PLAYER),
        (True, True, pyspiel.PrivateInfoType.SINGLE_PLAYER),
    ):
        kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
        assert make_observation(game, kind) is None
    assert make_observation(game, pyspiel.IIGObservationType(perfect_recall=False)) is not None


def test_its_environment_for_learning_plays_a_match() -> None:
    game = pyspiel.load_game("python_hanafuda_koikoi", {"options": '{"months": 1}'})
    env = Environment(game, observation_type=ObservationType.OBSERVATION)
    agents = [RandomAgent(seat, env.action_spec()["num_actions"]) for seat in range(2)]
    step = env.reset()
    while not step.last():
        seat = step.observations["current_player"]
        step = env.step([agents[seat].step(step).action])
    assert step.rewards == env.get_state.returns()


def test_a_clone_goes_its_own_way() -> None:
    state = pyspiel.load_game("python_hanafuda_koikoi").new_initial_state()
    state.apply_action(0)
    state.apply_action(0)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert len(state.history()) + 1 == len(clone.history())
    assert str(state) != str(clone)


def test_options_are_the_variants_and_wrong_ones_are_refused() -> None:
    game = pyspiel.load_game("python_hanafuda_koikoi", {"options": '{"months": 1}', "seed": "short"})
    state = game.new_initial_state()
    for action in (0, 0):
        state.apply_action(action)
    decisions = 0
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
        decisions += 1
    assert decisions < 40
    with pytest.raises(Exception, match="month"):
        pyspiel.load_game("python_hanafuda_koikoi", {"options": '{"month": 1}'})
