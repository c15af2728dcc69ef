"""PettingZoo's environment: its own checks, and rewards that add up to the match."""

import random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from tables import TABLES

from arena.envs import aec_env
from core_ext import State
from core_ext.errors import IllegalActionError


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.filterwarnings("ignore:Observation (is not a NumPy array|space for each agent):UserWarning")
def test_pettingzoo_checks_every_table(variant: str, seats: int) -> None:
    api_test(aec_env(variant, seats), num_cycles=60)
    seed_test(lambda: aec_env(variant, seats), num_cycles=20)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_match_is_the_one_of_its_seed_and_its_rewards_add_up_to_the_results(variant: str, seats: int) -> None:
    env = aec_env(variant, seats, raw=True)
    env.reset(seed=9)
    state = State.new(variant, {}, "9", seats)
    rng = random.Random(1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(max_iter=10**6):
        seen, reward, over, truncated, _ = env.last()
        total[agent] += reward
        if over:
            assert not truncated
            env.step(None)
            continue
        assert agent == f"seat_{state.current_player}"
        assert seen["action_mask"].nonzero()[0].tolist() == state.legal_actions()
        action = rng.choice(state.legal_actions())
        state.apply(action)
        env.step(action)
    assert state.is_over
    assert [total[agent] for agent in sorted(total)] == pytest.approx(state.returns())


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = aec_env("koikoi", raw=True)
    env.reset(seed=1)
    before = env.observe(env.agent_selection)
    illegal = int(np.flatnonzero(before["action_mask"] == 0)[0])
    for action in (illegal, None):
        with pytest.raises(IllegalActionError, match="legal is"):
            env.step(action)
    assert all(np.array_equal(before[key], value) for key, value in env.observe(env.agent_selection).items())


def test_a_seed_of_the_arena_is_given_as_text_and_matches_follow_from_the_first_seed() -> None:
    env = aec_env("koikoi", raw=True)
    env.reset(options={"seed": "spring/1"})
    assert env.match.seed == State.new("koikoi", {}, "spring/1").seed
    seeds = []
    for _ in range(2):
        env.reset(seed=3)
        env.reset()
        seeds.append(env.match.seed)
    assert seeds[0] == seeds[1]


def test_a_match_is_rendered_as_text_alone() -> None:
    from arena.envs import HanafudaAEC

    with pytest.raises(ValueError, match="rendered as 'ansi'"):
        HanafudaAEC("koikoi", render_mode="human")
    env = HanafudaAEC("koikoi", render_mode="ansi")
    env.reset(seed=1)
    assert "field" in str(env.render())
