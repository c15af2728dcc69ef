"""One match by every route: what the arena plays, each environment plays to the last card and point."""

import asyncio
import random
from collections.abc import Iterator

import numpy as np
import pyspiel
import pytest
from tables import TABLES

import arena.envs.openspiel  # noqa: F401 -- registers the games
from arena.envs import HanafudaEnv, VectorEnv, aec_env
from arena.envs.single import ENV_IDS
from arena.match.model import MatchResult, MatchSpec
from arena.match.play import play
from arena.sdk import Action, Bot, Decision
from arena.seats.in_process import InProcessSeat
from core_ext import State, parse_seed
from core_ext.errors import IllegalActionError

SEED = "routes/5/6"  # as OpenSpiel's chance nodes choose it


class Scripted(Bot):
    """Plays what is in a list, whichever seat it is asked for."""

    def __init__(self, codes: Iterator[int]) -> None:
        self._codes = codes

    def choose(self, decision: Decision) -> Action:
        code = next(self._codes)
        return next(action for action in decision.legal if action.code == code)


class Dice(Bot):
    """Plays at random, and keeps what it played."""

    def __init__(self, played: list[int]) -> None:
        self._played = played

    def choose(self, decision: Decision) -> Action:
        action = decision.random.choice(decision.legal)
        self._played.append(action.code)
        return action


def in_the_arena(variant: str, seed: bytes, bots: list[Bot]) -> MatchResult:
    """A match as a node and `arena match play` play it."""
    spec = MatchSpec("match", variant, seed, tuple(f"bot-{seat}" for seat in range(len(bots))), {})
    return asyncio.run(play(spec, [InProcessSeat(bot) for bot in bots]))


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_each_environment_plays_the_match_that_the_arena_plays(variant: str, seats: int) -> None:
    codes: list[int] = []
    bot = Dice(codes)
    arena_result = in_the_arena(variant, parse_seed(SEED), [bot] * seats)
    results = list(arena_result.results)

    state = State.new(variant, {}, SEED, seats)
    spiel = pyspiel.load_game(f"python_hanafuda_{variant}(players={seats},seed=routes)").new_initial_state()
    spiel.apply_action(5), spiel.apply_action(6)
    aec = aec_env(variant, seats, raw=True)
    aec.reset(options={"seed": SEED})
    gained = np.zeros(seats)
    for code in codes:
        seat = state.current_player
        assert aec.agent_selection == f"seat_{seat}"
        assert spiel.current_player() == seat
        state.apply(code), spiel.apply_action(code), aec.step(code)
        assert aec.match.state_hash() == spiel.match.state_hash() == state.state_hash()
        gained += list(aec.rewards.values())
    assert all(aec.terminations.values())
    assert spiel.returns() == list(state.returns()) == results
    assert gained == pytest.approx(results)

    single = HanafudaEnv(variant, seats, opponent=Scripted(others := iter(codes)), seat=0)
    single.reset(options={"seed": SEED})
    over, total = False, 0.0
    while not over:
        _, reward, over, _, info = single.step(next(others))
        total += reward
    assert single.match.state_hash() == state.state_hash()
    assert info["results"] == arena_result.results
    assert total == pytest.approx(results[0])


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_match_among_many_is_the_one_that_the_arena_plays(variant: str, seats: int) -> None:
    env = VectorEnv(variant, 2, seats)
    env.reset(seed=8)
    seed, codes, gained, ended = env.games.seed(1), list[int](), np.zeros(seats), False
    while not ended:
        actions = env.sample()
        codes.append(int(actions[1]))
        _, _, done, _, infos = env.step(actions)
        gained += infos["rewards"][1]
        ended = bool(done[1])
    bot = Scripted(iter(codes))
    assert in_the_arena(variant, seed, [bot] * seats).results == pytest.approx(gained)


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_an_illegal_action_raises_names_the_legal_ones_and_changes_nothing(variant: str, seats: int) -> None:
    single = HanafudaEnv(variant, seats, seat=0)
    single.reset(seed=1)
    aec = aec_env(variant, seats, raw=True)
    aec.reset(seed=1)
    spiel = pyspiel.load_game(f"python_hanafuda_{variant}(players={seats})").new_initial_state()
    spiel.apply_action(0), spiel.apply_action(0)
    many = VectorEnv(variant, 2, seats)
    many.reset(seed=1)
    second = State.new(variant, {}, many.games.seed(1), seats)
    rng = random.Random(1)

    def step_many(code: int) -> None:
        many.step(np.array([many.sample()[0], code]))

    for match, step in (
        (single.match, single.step),
        (aec.match, aec.step),
        (spiel.match, spiel.apply_action),
        (second, step_many),
    ):
        legal = match.legal_actions()
        illegal = [code for code in range(len(many.encoding.actions)) if code not in legal]
        before = match.state_hash()
        seen = [array.copy() for array in many.arrays]
        for code in (len(many.encoding.actions), 1 << 20, *rng.sample(illegal, 3)):
            with pytest.raises(IllegalActionError, match="legal is") as refused:
                step(code)
            assert all(text in str(refused.value) for text in match.legal_texts())
        assert match.state_hash() == before
        assert all(np.array_equal(ours, theirs) for ours, theirs in zip(seen, many.arrays, strict=True))


def test_every_variant_has_an_environment_of_gymnasium() -> None:
    assert set(ENV_IDS.values()) == {variant for variant, _ in TABLES}
