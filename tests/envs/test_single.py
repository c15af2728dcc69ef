"""Gymnasium's environment: its own checks, and the match that the arena plays from the same seed."""

import random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from tables import TABLES

from arena.envs import HanafudaEnv, VectorEnv
from arena.envs.single import ENV_IDS
from arena.sdk import Action, Bot, Decision
from arena.simulate import simulate
from bots import UnknownHouseBotError, house
from core_ext.errors import MatchOverError, SeatsError


def id_of(variant: str) -> str:
    return next(name for name, named in ENV_IDS.items() if named == variant)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.filterwarnings("ignore:.*A Box observation space m.*imum value is.*:UserWarning")
def test_gymnasium_checks_every_table(variant: str, seats: int) -> None:
    env = gymnasium.make(id_of(variant), seats=seats, illegal="first").unwrapped
    check_env(env)
    assert env.get_wrapper_attr("encoding").seats == seats


@pytest.mark.parametrize(("variant", "seats"), TABLES)
@pytest.mark.parametrize("opponents", [None, "random"])
def test_gymnasiums_vector_interface_holds_at_every_table(variant: str, seats: int, opponents: str | None) -> None:
    def made() -> VectorEnv:
        given = {"seats": seats, "opponents": opponents}
        env = gymnasium.make_vec(id_of(variant), num_envs=3, vectorization_mode="vector_entry_point", **given)
        assert isinstance(env, VectorEnv)
        assert env.observation_space == batch_space(env.single_observation_space, 3)
        return env

    env, again = RecordEpisodeStatistics(made()), made()
    seen, infos = env.reset(seed=1)
    assert data_equivalence((seen, infos), again.reset(seed=1))
    episodes, paid = 0, np.zeros(3)
    while episodes < 3:
        assert env.observation_space.contains(seen)
        actions = env.action_space.sample()
        assert env.action_space.contains(actions)
        seen, reward, ended, truncated, infos = env.step(actions)
        assert (reward.dtype, ended.dtype, truncated.dtype) == (np.float64, np.bool_, np.bool_)
        assert reward.shape == ended.shape == truncated.shape == (3,)
        paid += reward
        for game in np.flatnonzero(ended):
            assert env.single_observation_space.contains(infos["final_obs"][game])
            assert infos["episode"]["r"][game] == pytest.approx(paid[game])
            paid[game] = 0
            episodes += 1
        own = again.step(actions)
        assert data_equivalence((seen, reward, ended, truncated), own[:4])
    env.close()


class First(Bot):
    """Plays the first legal action."""

    def choose(self, decision: Decision) -> Action:
        return decision.legal[0]


class Noted(Bot):
    """A bot that notes what it is asked and answers by its own random numbers, as house bots do."""

    def __init__(self) -> None:
        self.codes: list[int] = []

    def choose(self, decision: Decision) -> Action:
        action = decision.random.choice(decision.legal)
        self.codes.append(action.code)
        return action


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_match_against_house_bots_is_the_one_that_the_arena_plays(variant: str, seats: int) -> None:
    learner = Noted()
    bots: list[Bot] = [house("greedy") for _ in range(seats)]
    bots[0] = learner
    played = simulate(variant, 1, "7", bots)
    env = HanafudaEnv(variant, seats, opponent="house:greedy", seat=0)
    env.reset(seed=7)
    total = 0.0
    over = False
    for code in learner.codes:
        assert not over
        _, reward, over, _, info = env.step(code)
        total += reward
    assert over
    assert info["results"] == played.totals
    assert total == pytest.approx(played.totals[0])


def test_the_learners_seat_changes_from_match_to_match() -> None:
    env = HanafudaEnv("koikoi", options={"months": 1}, opponent=First())
    assert [env.reset(seed=1)[1]["seat"], env.reset()[1]["seat"]] == [0, 1]


def test_the_same_seed_gives_the_same_matches_one_after_the_other() -> None:
    envs = [HanafudaEnv("koikoi", options={"months": 1}, opponent=First()) for _ in range(2)]
    seen: list[Any] = [[env.reset(seed=4)[0], env.reset()[0], env.reset()[0]] for env in envs]
    for ours, theirs in zip(*seen, strict=True):
        assert all(np.array_equal(ours[key], theirs[key]) for key in ours)
    assert not np.array_equal(seen[0][1]["cards"], seen[0][2]["cards"])


def test_a_match_that_is_over_takes_no_action() -> None:
    env = HanafudaEnv("koikoi", options={"months": 1})
    env.reset(seed=2)
    over = False
    while not over:
        *_, over, _, _ = env.step(env.action_space.sample())
    with pytest.raises(MatchOverError):
        env.step(0)


def test_wrong_arguments_are_refused_by_name() -> None:
    with pytest.raises(UnknownHouseBotError, match="no house bot 'nobody'"):
        HanafudaEnv("koikoi", opponent="nobody")
    with pytest.raises(SeatsError):
        HanafudaEnv("koikoi", seat=2)
    with pytest.raises(ValueError, match="rendered as 'ansi'"):
        HanafudaEnv("koikoi", render_mode="human")


def test_a_seed_of_the_arena_is_given_as_text() -> None:
    env = HanafudaEnv("koikoi", seat=0)
    text = str(random.Random(1).random())
    first, _ = env.reset(options={"seed": text})
    again, _ = env.reset(options={"seed": text})
    assert np.array_equal(first["cards"], again["cards"])
