"""PettingZoo's environment: its own checks, and rewards that add up to the match."""

import random

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from tables import TABLES

from arena.envs import aec_env
from core_ext import State
from core_ext.errors import IllegalActionError


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.filterwarnings("ignore:Observation (is not a NumPy array|space for each agent):UserWarning")
def test_pettingzoo_checks_every_table(variant: str, seats: int) -> None:
    api_test(aec_env(variant, seats), num_cycles=60)
    seed_test(lambda: aec_env(variant, seats), num_cycles=20)
    parallel_api_test(turn_based_aec_to_parallel(aec_env(variant, seats)), num_cycles=60)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(aec_env(variant, seats)), num_cycles=20)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_match_is_truncated_after_its_cycles(variant: str, seats: int) -> None:
    env = aec_env(variant, seats, max_cycles=4)
    for _ in range(2):
        env.reset(seed=1)
        ended: set[str] = set()
        decisions = 0
        for agent in env.agent_iter(max_iter=100):
            _, _, over, truncated, _ = env.last()
            assert not over
            assert truncated == (decisions == 4)
            env.step(None if truncated else env.action_space(agent).sample())
            if truncated:
                ended.add(agent)
            else:
                decisions += 1
        assert (decisions, ended) == (4, set(env.possible_agents))
        assert not env.agents
    parallel = turn_based_aec_to_parallel(aec_env(variant, seats, max_cycles=4))
    parallel.reset(seed=1)
    steps = 0
    while parallel.agents:
        *_, truncations, _ = parallel.step({agent: parallel.action_space(agent).sample() for agent in parallel.agents})
        steps += 1
    assert steps == 4
    assert all(truncations.values())


def test_a_match_ends_by_itself_before_its_cycles_do() -> None:
    env = aec_env("koikoi", options={"months": 1}, raw=True, max_cycles=10**6)
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(env.action_space(env.agent_selection).sample())
    assert not any(env.truncations.values())
    with pytest.raises(ValueError, match="at least one cycle, not 0"):
        aec_env("koikoi", max_cycles=0)


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
        with pytest.raises(IllegalActionError, match="legal is") as refused:
            env.step(action)
        assert all(text in str(refused.value) for text in env.match.legal_texts())
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
