"""Many games stepped at once: the same games as everywhere, whatever arrays and threads carry them."""

import os
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from tables import TABLES

from arena.envs import Arrays, VectorEnv, encoding
from arena.strength.playouts import choose
from arena.strength.policy import HEAT_OF_BEST
from arena.strength.weights import load
from core_ext import State
from core_ext.errors import IllegalActionError, OptionError, SeatsError, UnknownVariantError
from core_ext.vector import Games

SHORT = {"koikoi": {"months": 2}, "koikoi45": {}, "kyogi": {}, "hachihachi": {}, "sangohana": {}}


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_a_game_is_the_one_that_its_seed_and_actions_give_anywhere(variant: str, seats: int) -> None:
    env = VectorEnv(variant, 3, seats)
    names = env.encoding
    seen, infos = env.reset(seed=5)
    states = [State.new(variant, {}, env.games.seed(game), seats) for game in range(3)]
    paid = np.zeros((3, seats))
    ended = 0
    while ended < 4:
        for game, state in enumerate(states):
            seat = infos["seat"][game]
            assert seat == state.current_player
            expected = names.observe(state, seat)
            assert all(np.array_equal(seen[key][game], expected[key]) for key in expected)
            legal = infos["legal"][game][: infos["legal_counts"][game]].tolist()
            assert legal == state.legal_actions()
        actions = env.sample()
        actors = infos["seat"]
        seen, reward, done, truncated, infos = env.step(actions)
        assert not truncated.any()
        paid += infos["rewards"]
        for game, state in enumerate(states):
            state.apply(actions[game])
            assert reward[game] == infos["rewards"][game][actors[game]]
            assert done[game] == state.is_over
            if done[game]:
                assert paid[game] == pytest.approx(state.returns())
                final = infos["final_obs"][game]
                expected = names.observe(state, actors[game])
                assert all(np.array_equal(final[key], expected[key]) for key in expected)
                states[game] = State.new(variant, {}, env.games.seed(game), seats)
                paid[game] = 0
                ended += 1


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_threads_change_nothing(variant: str, seats: int) -> None:
    one, two = VectorEnv(variant, 7, seats), VectorEnv(variant, 7, seats, threads=2)
    one.reset(seed=1), two.reset(seed=1)
    for _ in range(200):
        actions = one.sample().copy()
        assert np.array_equal(actions, two.sample())
        one.step(actions), two.step(actions)
        for ours, theirs in zip(one.arrays, two.arrays, strict=True):
            assert np.array_equal(ours, theirs)


def test_the_same_seed_gives_the_same_games_and_another_seed_others() -> None:
    env = VectorEnv("koikoi", 4)
    seeds = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        seeds.append([env.games.seed(game) for game in range(4)])
    assert seeds[0] == seeds[1] != seeds[2]
    assert len({*seeds[0], *seeds[2]}) == 8


def test_against_opponents_the_learner_alone_is_asked_and_its_seat_changes_from_match_to_match() -> None:
    env = VectorEnv("koikoi", 4, options={"months": 1}, opponents="random")
    _, infos = env.reset(seed=3)
    seats = defaultdict(list)
    for game in range(4):
        seats[game].append(int(infos["seat"][game]))
    total = np.zeros(4)
    for _ in range(200):
        before = infos["seat"].copy()
        _, reward, done, _, infos = env.step(env.sample())
        total += reward
        assert "rewards" not in infos
        for game in range(4):
            if done[game]:
                seats[game].append(int(infos["seat"][game]))
            else:
                assert infos["seat"][game] == before[game]
    for game in range(4):
        assert len(seats[game]) > 5
        assert all(a != b for a, b in zip(seats[game], seats[game][1:], strict=False)), seats[game]


@pytest.mark.parametrize(("variant", "seats"), TABLES)
def test_the_policy_plays_the_others_seats_as_its_house_bot_does(variant: str, seats: int) -> None:
    env = VectorEnv(variant, 2, seats, opponents="policy")
    network = load(variant)
    _, infos = env.reset(seed=4)
    states = [State.new(variant, {}, env.games.seed(game), seats) for game in range(2)]
    for _ in range(60):
        for game, state in enumerate(states):
            while state.current_player != infos["seat"][game]:
                state.apply(choose(state, network, 0, HEAT_OF_BEST))
            seen = env.encoding.observe(state, state.current_player)
            assert all(np.array_equal(env.arrays._asdict()[key][game], seen[key]) for key in seen)
        actions = env.sample().copy()
        _, _, done, _, infos = env.step(actions)
        for game in range(2):
            states[game].apply(actions[game])
            if done[game]:
                states[game] = State.new(variant, {}, env.games.seed(game), seats)


def test_higher_levels_take_more_from_a_random_learner() -> None:
    means = []
    for opponents in ("random", "level6"):
        env = VectorEnv("koikoi", 256, options={"months": 1}, opponents=opponents)
        env.reset(seed=6)
        means.append(np.mean([env.step(env.sample())[1].mean() for _ in range(60)]))
    assert means[1] < means[0] - 0.05


def test_behind_the_legal_actions_nothing_is_left_of_the_opponents() -> None:
    env = VectorEnv("koikoi", 8, opponents="random", copy=False)
    _, infos = env.reset(seed=3)
    own: list[set[int]] = [{0} for _ in range(8)]  # the cards of its plays
    for _ in range(100):
        for game, cards in enumerate(own):
            cards |= set((infos["legal"][game][: infos["legal_counts"][game]] // 5).tolist())
            assert cards.issuperset((infos["legal"][game] // 5).tolist())
        *_, infos = env.step(env.sample())


def test_final_observations_are_of_the_matches_that_have_just_ended_whether_copied_or_not() -> None:
    options = {"months": 1}
    copied, shared = VectorEnv("koikoi", 6, options=options), VectorEnv("koikoi", 6, options=options, copy=False)
    copied.reset(seed=2), shared.reset(seed=2)
    ended = 0
    for _ in range(80):
        actions = copied.sample().copy()
        *_, infos = copied.step(actions)
        _, _, done, _, same = shared.step(actions)
        assert ("final_obs" in same) == bool(done.any())
        for game in range(6) if done.any() else ():
            assert infos["_final_obs"][game] == same["_final_obs"][game] == done[game]
            ours, theirs = infos["final_obs"][game], same["final_obs"][game]
            assert (ours is None) == (theirs is None) == (not done[game])
            ended += ours is not None
            assert ours is None or all(np.array_equal(ours[key], theirs[key]) for key in ours)
    assert ended > 6


def test_a_processor_without_newer_instructions_plays_the_same_games() -> None:
    told = [
        subprocess.check_output([sys.executable, "-c", _PLAY], env={**os.environ, **more}, text=True)
        for more in ({}, {"HANAFUDA_NARROW": "1"})
    ]
    assert told[0] == told[1]
    assert len(set(told[0].split())) == len(SHORT)


_PLAY = """
import hashlib
from arena.envs import VectorEnv
from core_ext import VARIANTS

for variant in VARIANTS:
    env = VectorEnv(variant, 3)
    env.reset(seed=4)
    for _ in range(200):
        env.step(env.sample())
    print(hashlib.sha256(b"".join(array.tobytes() for array in env.arrays)).hexdigest())
"""


def test_a_forked_process_steps_its_games_on_by_itself() -> None:
    env, alone = VectorEnv("koikoi", 9, threads=2), VectorEnv("koikoi", 9)
    env.reset(seed=1), alone.reset(seed=1)
    actions = env.sample().copy()
    child = os.fork()
    if not child:
        env.step(actions)
        os._exit(int(env.arrays.cards.sum() % 251))
    alone.step(actions)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == alone.arrays.cards.sum() % 251
    env.step(actions)
    assert np.array_equal(env.arrays.cards, alone.arrays.cards)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_is_named_with_the_legal_ones_and_no_game_has_moved(threads: int) -> None:
    env = VectorEnv("koikoi", 3, threads=threads)
    _, infos = env.reset(seed=1)
    before = [array.copy() for array in env.arrays]
    actions = env.sample().copy()
    legal = int(actions[2])
    actions[2] = next(code for code in range(293) if code not in infos["legal"][2])
    with pytest.raises(IllegalActionError, match=r"not legal in game 2; legal is .*\(\d+\)"):
        env.step(actions)
    actions[2] = 1 << 40
    with pytest.raises(IllegalActionError):
        env.step(actions)
    assert all(np.array_equal(a, b) for a, b in zip(before, env.arrays, strict=True))
    actions[2] = legal
    env.step(actions)


@pytest.mark.parametrize("field", Arrays._fields)
def test_arrays_of_another_shape_type_layout_or_that_are_read_only_are_refused(field: str) -> None:
    arrays = Arrays.empty(encoding("koikoi"), 4)
    right = getattr(arrays, field)
    read_only = right.copy()
    read_only.flags.writeable = False
    wrong = [
        right[:2],
        right.astype(np.complex64),
        np.repeat(right, 2, axis=0)[::2],
        read_only,
        right.tolist(),
        np.array(1.0),
    ]
    for array in wrong:
        with pytest.raises((TypeError, ValueError), match=" must "):
            VectorEnv("koikoi", 4, arrays=arrays._replace(**{field: array}))
        assert not right.any()


def test_what_is_written_lies_in_the_arrays_of_the_caller() -> None:
    arrays = Arrays.empty(encoding("kyogi"), 2)
    env = VectorEnv("kyogi", 2, arrays=arrays, copy=False)
    seen, infos = env.reset(seed=1)
    assert seen["cards"] is arrays.cards
    assert infos["legal"] is arrays.legal
    assert arrays.cards.any()


def test_copies_stay_as_they_are_when_the_games_go_on() -> None:
    env = VectorEnv("kyogi", 2)
    seen, infos = env.reset(seed=1)
    before = seen["cards"].copy(), infos["legal"].copy()
    env.step(env.sample())
    assert np.array_equal(before[0], seen["cards"])
    assert np.array_equal(before[1], infos["legal"])


def test_what_is_sampled_is_legal_and_every_legal_action_is_drawn() -> None:
    env = VectorEnv("koikoi", 1)
    _, infos = env.reset(seed=1)
    legal = set(infos["legal"][0][: infos["legal_counts"][0]].tolist())
    assert {int(env.sample()[0]) for _ in range(400)} == legal
    assert all(env.action_space.contains(env.action_space.sample()) for _ in range(3))


def test_it_says_that_a_match_is_followed_by_the_next_in_the_same_step() -> None:
    assert VectorEnv("koikoi", 1).metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


@pytest.mark.parametrize("actions", [[0.5, 1.0], [True, False], ["松1y", "松1y"], [None, 0]])
def test_actions_that_are_no_whole_numbers_are_refused(actions: list[object]) -> None:
    env = VectorEnv("koikoi", 2)
    env.reset(seed=1)
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(np.array(actions))


def test_wrong_arguments_are_refused_by_name() -> None:
    layout = encoding("koikoi").layout
    with pytest.raises(UnknownVariantError):
        VectorEnv("whist", 1)
    with pytest.raises(SeatsError):
        VectorEnv("koikoi", 1, 3)
    with pytest.raises(OptionError):
        VectorEnv("koikoi", 1, options={"month": 1})
    with pytest.raises(ValueError, match="games can be stepped at once, not 0"):
        VectorEnv("koikoi", 0)
    with pytest.raises(ValueError, match="threads"):
        VectorEnv("koikoi", 1, threads=0)
    with pytest.raises(ValueError, match="one of random, level1, "):
        VectorEnv("koikoi", 1, opponents="somebody")
    with pytest.raises(ValueError, match="for 2 seats, not 3"):
        Games("sangohana", {}, 3, 1, layout)
    with pytest.raises(RuntimeError, match="bind them first"):
        Games("koikoi", {}, None, 1, layout).reset(1)
    with pytest.raises(RuntimeError, match="reset them first"):
        VectorEnv("koikoi", 1).sample()
    with pytest.raises(IndexError):
        VectorEnv("koikoi", 1).games.seed(1)
